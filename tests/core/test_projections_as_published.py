"""Scalar transcriptions of published projections, compared with an exact reference."""

import numba
import numpy as np
import pytest
from helpers.projection_references import project_by_sorting, sigma

from ezdl_cli.core.classics.as_published import AS_PUBLISHED
from ezdl_cli.core.classics.as_published.index_sort import sort_indices
from ezdl_cli.core.root_finding import NEWTON_SQR, find_root
from ezdl_cli.core.simd import forbid_simd
from ezdl_cli.core.target_sparseness import TargetSparseness


@pytest.mark.parametrize("name", AS_PUBLISHED)
@pytest.mark.parametrize("n", [3, 6, 7, 50, 1000])
@pytest.mark.parametrize("sparseness", [0.5, 0.8, 0.95])
def test_published_projections_agree_with_exact_reference(name, n, sparseness):
    rows = np.abs(np.random.default_rng(n).standard_normal((8, n)))
    rows = np.array([row for row in rows if sigma(row) < sparseness])
    assert len(rows)
    expected = [project_by_sorting(row, sparseness, norm=1.3).astype(float) for row in rows]
    AS_PUBLISHED[name](rows, TargetSparseness.of(n, sparseness), 1.3)
    np.testing.assert_allclose(rows, expected, atol=1e-9)


def test_published_solver_makes_the_evaluations_of_the_optimised_one_and_one_at_zero():
    rows = np.random.default_rng(0).random((50, 200))
    target = TargetSparseness.of(200, 0.9)
    counts = [find_root(row, target.k, target.gap, 0.0, NEWTON_SQR)[1] for row in rows]
    assert AS_PUBLISHED["newton_sqr"](rows, target, 1.0) == sum(counts) + len(rows)


@pytest.mark.parametrize("n", [1, 2, 3, 8, 100])
def test_indices_are_sorted_from_the_largest_entry_to_the_smallest(n):
    x = np.random.default_rng(n).integers(0, 20, n).astype(float)
    order = np.empty(n, np.int64)
    sort_indices(x, order)
    assert set(order) == set(range(n))
    np.testing.assert_array_equal(x[order], np.sort(x)[::-1])


def test_simd_instructions_can_be_forbidden():
    def shift(x):
        for i in range(x.size):
            x[i] += 1.0

    def shift_without_simd(x):
        forbid_simd()
        for i in range(x.size):
            x[i] += 1.0

    signature = "void(float64[::1])"
    vectorised, scalar = (
        numba.njit(signature)(function).inspect_llvm().popitem()[1]
        for function in (shift, shift_without_simd)
    )
    assert "x double>" in vectorised and "x double>" not in scalar
