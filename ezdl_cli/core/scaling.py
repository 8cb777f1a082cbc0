"""Scaling by powers of two, which is exact: keeps squares within the range of the type."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .input_validation import reject_rows

# Magnitudes within 2^±20 are not scaled: the products of two of them, summed over thousands of
# entries, are far from the limits of float32 (2^±126).
UNSCALED_EXPONENT = 20
# Exponents are limited so that the factor 2^e is itself a normal float64 (2^-1022 to 2^1023).
LARGEST_EXPONENT = 1000


def scaling_exponents(x, axis=None):
    """Return exponents e such that x / 2^e can be squared without overflow or underflow.

    Parameters
    ----------
    x : ndarray
    axis : int, optional
        One exponent for each slice along this axis. The default is one for the entire array.

    Returns
    -------
    ndarray of int
        With the dimensions of x, reduced ones of length one; zero where no scaling is needed.
    """
    _, exponent = np.frexp(np.abs(x).max(axis=axis, keepdims=True, initial=0.0))
    needed = np.abs(exponent) > UNSCALED_EXPONENT
    return np.where(needed, np.clip(exponent, -LARGEST_EXPONENT, LARGEST_EXPONENT), 0)


def scale_down(x: NDArray[Any], exponent: NDArray[np.integer]) -> NDArray[Any]:
    """Return x / 2^exponent; x itself if all exponents are zero."""
    return np.ldexp(x, -exponent) if exponent.any() else x


def scale_up(codes, exponent, dtype):
    """Return codes · 2^exponent, row by row, converted to a type.

    Raises
    ------
    ValueError
        If a code overflows in this type.
    """
    with np.errstate(over="ignore", under="ignore"):
        codes = np.ldexp(codes, exponent).astype(dtype, copy=False)
    reject_rows(~np.isfinite(codes).all(axis=1), f"of X has a code too large for {codes.dtype}")
    return codes
