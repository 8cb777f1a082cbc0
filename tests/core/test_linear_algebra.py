"""Products of matrices and vectors, compared with NumPy."""

import numpy as np
import pytest

from ezdl_cli.core.linear_algebra import (
    allocate_panels,
    allocate_responses,
    combine_rows,
    correlation_sums,
    dot_rows,
    filter_responses,
    pack_rows,
)

TOLERANCES = {np.float32: 1e-4, np.float64: 1e-12}


@pytest.mark.parametrize("m", [1, 7, 8, 63, 64])
@pytest.mark.parametrize("d", [1, 5, 8, 64, 81])
@pytest.mark.parametrize("dtype", TOLERANCES)
def test_filter_responses_agree_with_numpy(m, d, dtype):
    rng = np.random.default_rng(0)
    X, W = rng.standard_normal((m, d)).astype(dtype), rng.standard_normal((21, d)).astype(dtype)
    panels = allocate_panels(21, d, dtype)
    out = allocate_responses(m, panels)
    pack_rows(W, panels)
    filter_responses(X, panels, out)
    np.testing.assert_allclose(out[:, :21], X @ W.T, atol=TOLERANCES[dtype])
    assert not out[:, 21:].any()


@pytest.mark.parametrize("shape", [(1, 9), (4, 16), (21, 10)])
def test_products_with_a_vector_agree_with_numpy(shape):
    rng = np.random.default_rng(0)
    rows, x, weights = rng.standard_normal(shape), rng.random(shape[1]), rng.random(shape[0])
    products, combined = np.empty(shape[0]), np.empty(shape[1])
    dot_rows(x, rows, products)
    combine_rows(weights, rows, combined)
    np.testing.assert_allclose(products, rows @ x, atol=1e-12)
    np.testing.assert_allclose(combined, weights @ rows, atol=1e-12)


def test_correlation_sums_agree_with_numpy():
    x, y = np.random.default_rng(0).random((2, 33))
    expected = (x.sum(), y.sum(), x @ x, y @ y, x @ y)
    np.testing.assert_allclose(correlation_sums(x, y), expected, rtol=1e-13)
