"""The parts of inference against NumPy and the general projection."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ezdl_cli as ez
from ezdl_cli.coding.inference import InferenceModel, InferenceWorkspace, infer_code
from ezdl_cli.core.linear_algebra import (
    allocate_panels,
    allocate_responses,
    filter_responses,
    pack_rows,
)
from ezdl_cli.core.low_rank import keep_rank


def code(u, scratch, model):
    count = infer_code(u, model, scratch)
    dense = np.zeros_like(u)
    dense[scratch.support[:count]] = scratch.values[:count]
    return dense


@pytest.mark.parametrize("sparseness", [0.05, 0.5, 0.75, 0.9, 0.99])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_codes_are_projections_whatever_came_before(sparseness, dtype):
    n = 77  # two masks of the gathering and a rest
    model = InferenceModel.of(n, sparseness)
    scratch = InferenceWorkspace.of(model, dtype)
    rng = np.random.default_rng(0)
    for law in (rng.standard_normal, rng.random, rng.standard_cauchy, rng.standard_exponential):
        for scale in (1e-3, 1.0, 1e4):
            u = (scale * law(n)).astype(dtype)
            expected = ez.project(u, sparseness, norm=1.0)
            tolerance = 1e-9 if dtype == np.float64 else 1e-4
            np.testing.assert_allclose(code(u, scratch, model), expected, atol=tolerance)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_hard_responses_have_codes(dtype):
    model = InferenceModel.of(9, 0.9)
    scratch = InferenceWorkspace.of(model, dtype)
    assert infer_code(np.zeros(9, dtype), model, scratch) == 0
    for u in ([1] * 9, [1, -1, 0, 0, 0, 0, 0, 0, 0], [0] * 8 + [-5], [1, 2, 3, 4, 5, 6, 7, 8, 8]):
        h = code(np.array(u, dtype), scratch, model)
        assert ez.sparseness(h) == pytest.approx(0.9, abs=1e-5)
        assert np.linalg.norm(h) == pytest.approx(1.0, abs=1e-5)
        assert (np.sign(h) * np.sign(u) >= 0).all()


@given(st.integers(1, 6), st.integers(1, 7), st.integers(1, 4), st.integers(0, 10**6))
def test_low_rank_is_that_of_the_decomposition(rows, columns, rank, seed):
    rng = np.random.default_rng(seed)
    matrix = rng.standard_normal((rows, columns))
    matrix[rng.random((rows, columns)) < 0.5] = 0.0
    rank = min(rank, rows, columns)
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    expected = (left[:, :rank] * values[:rank]) @ right[:rank]
    if rank < values.size and values[rank - 1] - values[rank] < 1e-3:
        return  # not unique, or nearly so
    c = columns
    rooms = np.empty(rows * c), np.empty(c * c), np.empty(c * c), np.empty(c)
    keep_rank(matrix, rank, *rooms, np.empty(c, np.int64))
    np.testing.assert_allclose(matrix, expected, atol=1e-6)


@pytest.mark.parametrize("m", [1, 7, 8, 63, 64])
@pytest.mark.parametrize("d", [1, 5, 8, 64, 81])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_responses_are_products(m, d, dtype):
    rng = np.random.default_rng(0)
    X, W = rng.standard_normal((m, d)).astype(dtype), rng.standard_normal((21, d)).astype(dtype)
    panels = allocate_panels(21, d, dtype)
    out = allocate_responses(m, panels)
    pack_rows(W, panels)
    filter_responses(X, panels, out)
    np.testing.assert_allclose(out[:, :21], X @ W.T, atol=1e-4 if dtype == np.float32 else 1e-12)
