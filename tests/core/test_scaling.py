"""Scaling by powers of two."""

import numpy as np
import pytest

from ezdl_cli.core.scaling import scale_down, scale_up, scaling_exponents


def test_numbers_of_ordinary_magnitude_are_not_scaled():
    x = np.array([[1.0, -3e5], [1e-5, 0.0]])
    assert not scaling_exponents(x).any()
    assert scale_down(x, scaling_exponents(x)) is x


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_squares_of_scaled_rows_are_finite_and_nonzero(dtype):
    limits = np.finfo(dtype)
    x = np.array([[limits.max, 1.0], [limits.smallest_subnormal, 0.0], [1.0, 2.0]], dtype)
    exponents = scaling_exponents(x, axis=1)
    squares = np.square(scale_down(x, exponents)).max(axis=1)
    assert np.isfinite(squares).all() and (squares > 0.0).all()
    np.testing.assert_array_equal(scale_up(scale_down(x, exponents), exponents, dtype)[0], x[0])


def test_overflow_after_scaling_is_rejected():
    with pytest.raises(ValueError, match="row 1 of X has a code too large for float32"):
        scale_up(np.ones((2, 3)), np.array([[0], [200]]), np.float32)
