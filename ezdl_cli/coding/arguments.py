"""How samples and a dictionary come into the functions that code many samples."""

import numpy as np

from ..core.arrays import floating, refuse_rows

ORDINARY = 20
LARGEST = 1000


def samples_and_atoms(X, W):
    """Samples (m, d) and atoms (n_atoms, d) as rows in memory, of the same type.

    Raises
    ------
    ValueError
        If they are not rows of as many finite real numbers.
    """
    X, W = floating(X, "X"), floating(W, "W")
    for array, name in ((X, "X"), (W, "W")):
        if array.ndim != 2:
            raise ValueError(f"{name} must have two axes, not the shape {array.shape}")
        refuse_rows(~np.isfinite(array).all(axis=1), f"of {name} holds NaN or infinity")
    if W.size == 0 or X.shape[1] != W.shape[1]:
        raise ValueError(f"samples {X.shape} and atoms {W.shape} must be rows of the same length")
    dtype = np.result_type(X, W)
    return np.ascontiguousarray(X, dtype), np.ascontiguousarray(W, dtype)


def exponents(x, axis=None):
    """Exponents e for which x / 2^e can be squared without overflow or loss, along an axis or all.

    They are zero for ordinary numbers. Scaling by powers of two rounds nothing.
    """
    _, exponent = np.frexp(np.abs(x).max(axis=axis, keepdims=True, initial=0.0))
    return np.where(np.abs(exponent) > ORDINARY, np.clip(exponent, -LARGEST, LARGEST), 0)


def scaled_down(x, exponent):
    """x / 2^exponent."""
    return np.ldexp(x, -exponent) if exponent.any() else x


def scaled_up(codes, exponent, dtype):
    """codes · 2^exponent, row by row, of a type.

    Raises
    ------
    ValueError
        If that is too large for the type.
    """
    with np.errstate(over="ignore", under="ignore"):
        codes = np.ldexp(codes, exponent).astype(dtype, copy=False)
    refuse_rows(~np.isfinite(codes).all(axis=1), f"of X has a code too large for {codes.dtype}")
    return codes


def check_whole(name, value):
    """Raise ValueError if a number is no whole one from 1 on."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise ValueError(f"{name} must be a whole number from 1 on, not {value!r}")
