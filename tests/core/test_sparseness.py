"""Hoyer's sparseness measure."""

import tracemalloc

import numpy as np
import pytest
from helpers.projection_references import sigma

import ezdl_cli as ez


def test_extreme_values_are_one_and_zero():
    assert ez.sparseness([0.0, -7.0, 0.0]) == 1.0
    assert ez.sparseness(np.full(9, -2.0)) == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("scale", [1e-310, 1e-200, 1.0, 1e200, 1e307])
def test_sparseness_agrees_with_the_formula_at_every_scale(scale):
    x = np.random.default_rng(0).integers(1, 9, 40) * scale
    assert ez.sparseness(x) == pytest.approx(sigma(x), abs=1e-14)


def test_axis_selects_the_vectors():
    x = np.random.default_rng(1).standard_normal((3, 4, 5))
    result = ez.sparseness(x, axis=1)
    assert result.shape == (3, 5)
    assert result[2, 3] == pytest.approx(sigma(x[2, :, 3]))


@pytest.mark.parametrize("n", [1 << 16, (1 << 16) + 1, (1 << 20) + 13])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_long_vectors_are_chunked_with_the_same_bits_and_little_memory(n, dtype):
    x = np.random.default_rng(2).standard_normal(n).astype(dtype)
    v = np.abs(x).astype(float)
    expected = (np.sqrt(n) - v.sum() / np.sqrt(np.square(v).sum())) / (np.sqrt(n) - 1.0)
    tracemalloc.start()
    assert ez.sparseness(x) == expected
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 21


@pytest.mark.parametrize(
    ("x", "reason"),
    [
        ([[1.0, 2.0], [0.0, 0.0]], "row 1 is zero"),
        ([[1.0, np.nan], [1.0, 0.0]], "row 0 has an entry that is not finite"),
        ([3.0], "n = 1"),
        (3.0, "axis"),
        (["a", "b"], "real numbers"),
    ],
)
def test_vectors_without_defined_sparseness_are_rejected(x, reason):
    with pytest.raises(ValueError, match=reason):
        ez.sparseness(x)
