"""Sparseness, projections and gradients of finite vectors are finite, or the vector is rejected."""

import numpy as np
import pytest
from helpers.hard_numbers import SEEDS, TYPES, assert_finite, matrices, refused_or
from hypothesis import given
from hypothesis import strategies as st

import ezdl_cli as ez
from ezdl_cli.core.classics import CLASSICS
from ezdl_cli.core.projection import SOLVERS
from ezdl_cli.core.target_sparseness import TargetSparseness

SPARSENESS_VALUES = st.sampled_from([1e-12, 0.01, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0 - 1e-12])
NORMS = st.sampled_from([None, 1.0, 1e-30, 1e30])
LENGTHS = st.sampled_from([(2, 5), (60, 70), (300, 300)])


def vectors(data):
    return data.draw(matrices(data.draw(TYPES), columns=data.draw(LENGTHS)))


@given(st.data())
def test_sparseness_is_between_zero_and_one(data):
    for row in vectors(data):
        found = refused_or(lambda row=row: ez.sparseness(row))
        assert (found is None) == (not row.any())
        assert found is None or 0.0 <= found <= 1.0


@pytest.mark.parametrize("solver", SOLVERS)
@given(st.data(), SPARSENESS_VALUES, NORMS)
def test_projections_are_finite_and_only_zero_and_overflow_are_rejected(
    solver, data, sparseness, norm
):
    for x in vectors(data):
        p = refused_or(lambda x=x: ez.project(x, sparseness, norm=norm, solver=solver))
        largest = np.abs(x).max()
        if p is None:
            assert norm is None and (largest == 0.0 or largest > np.finfo(x.dtype).max / x.size)
            continue
        assert_finite(p)
        assert p.any() or largest < 1e3 * np.finfo(x.dtype).smallest_subnormal
        assert (p * np.sign(x) >= 0.0).all()


@given(st.data(), SPARSENESS_VALUES, NORMS)
def test_gradients_are_finite(data, sparseness, norm):
    dtype = data.draw(TYPES)
    x = data.draw(matrices(dtype, columns=data.draw(LENGTHS)))
    y = data.draw(matrices(dtype, rows=2 * (len(x),), columns=2 * (x.shape[1],)))
    for u, v in zip(x, y, strict=True):
        assert_finite(refused_or(lambda u=u, v=v: ez.projection_gradient(u, sparseness, v, norm)))


@pytest.mark.parametrize("name", CLASSICS)
@given(st.integers(3, 80), st.sampled_from([0.8, 0.9, 0.99]), SEEDS, st.integers(-60, 60), TYPES)
def test_earlier_projections_of_ordinary_vectors_are_finite(
    name, n, sparseness, seed, exponent, kind
):
    """Ordinary: no ties for the largest entry, and less sparse than the target."""
    random = np.random.default_rng(seed)
    x = np.round(8.0 * random.random((3, n)))  # ties among the others
    x[:, 0] = 9.0
    x = x[ez.sparseness(x) < 0.99 * sparseness]
    out = np.empty(x.shape, kind)
    CLASSICS[name](np.ldexp(x, exponent).astype(kind), out, TargetSparseness.of(n, sparseness), 1.0)
    assert_finite(out)
