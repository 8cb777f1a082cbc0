"""Product of the Jacobian of the projection with a vector."""

import numpy as np
import pytest
from helpers.projection_references import norm_ratio

import ezdl_cli as ez

CASES = [(n, s) for n in (3, 10, 60, 100, 1000) for s in (0.2, 0.6, 0.9)]


def finite_difference(x, sparseness, y, norm):
    step = 1e-6
    after, before = (ez.project(x + sign * step * y, sparseness, norm=norm) for sign in (1, -1))
    return (after - before) / (2 * step)


@pytest.mark.parametrize(("n", "sparseness"), CASES)
@pytest.mark.parametrize("norm", [1.0, 2.5, None])
def test_product_agrees_with_finite_differences(n, sparseness, norm):
    random = np.random.default_rng(n)
    x, y = random.standard_normal((2, n))
    product = ez.projection_gradient(x, sparseness, y, norm=norm)
    np.testing.assert_allclose(product, finite_difference(x, sparseness, y, norm), atol=1e-6)


@pytest.mark.parametrize(("n", "sparseness"), CASES[:9])
def test_product_agrees_with_the_matrix_of_the_theorem(n, sparseness):
    random = np.random.default_rng(n)
    x, y = random.standard_normal((2, n))
    norm = 1.7
    p = ez.project(x, sparseness, norm=norm)
    survivors = np.flatnonzero(p)
    signs, v, p = np.sign(x[survivors]), np.abs(x[survivors]), np.abs(p[survivors])
    l1, l2, d = float(norm_ratio(n, sparseness)) * norm, norm, survivors.size
    a, b = d * v @ v - v.sum() ** 2, d * l2**2 - l1**2
    e = np.ones(d)
    cross = np.outer(e, p) + np.outer(p, e)
    matrix = np.sqrt(b / a) * np.eye(d) - (
        l2**2 * np.outer(e, e) + d * np.outer(p, p) - l1 * cross
    ) / np.sqrt(a * b)
    expected = np.zeros(n)
    expected[survivors] = signs * (matrix @ (signs * y[survivors]))
    product = ez.projection_gradient(x, sparseness, y, norm=norm)
    np.testing.assert_allclose(product, expected, atol=1e-11)


def test_jacobian_is_symmetric_and_maps_x_to_zero():
    random = np.random.default_rng(0)
    x = random.standard_normal(12)
    matrix = ez.projection_gradient(np.tile(x, (12, 1)), 0.6, np.eye(12))
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-14)
    np.testing.assert_allclose(matrix @ x, 0.0, atol=1e-13)  # scaling x changes nothing


def test_batches_of_float32_are_processed_row_by_row():
    random = np.random.default_rng(1)
    x, y = random.standard_normal((2, 5, 20)).astype(np.float32)
    batch = ez.projection_gradient(x, 0.7, y)
    assert batch.dtype == np.float32 and batch.shape == (5, 20)
    alone = np.array([ez.projection_gradient(u, 0.7, w) for u, w in zip(x, y, strict=True)])
    np.testing.assert_array_equal(batch, alone)
    assert ez.projection_gradient(np.empty((0, 4)), 0.5, np.empty((0, 4))).shape == (0, 4)


def test_points_without_a_gradient_are_refused():
    y = np.ones(4)
    for x in (np.ones(4), np.zeros(4), np.array([1.0, np.nan, 0.0, 2.0])):
        with pytest.raises(ValueError, match="no gradient"):
            ez.projection_gradient(x, 0.5, y)
    with pytest.raises(ValueError, match="same shape"):
        ez.projection_gradient(np.ones(3), 0.5, y)
