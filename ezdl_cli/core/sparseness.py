r"""Hoyer's sparseness measure,

.. math:: \sigma(x) = \frac{\sqrt n - \|x\|_1 / \|x\|_2}{\sqrt n - 1} \in [0, 1]

(Hoyer 2004): 1 for a single nonzero entry, 0 for entries of equal magnitude, whatever the scale.
"""

import numpy as np

from .input_validation import as_float_array, reject_rows

AT_ONCE = 1 << 16  # entries of a vector


def sparseness(x, axis=-1):
    """Sparseness of the vectors along an axis.

    Parameters
    ----------
    x : array_like, shape (..., n, ...)
        Real numbers of any sign and scale; integers count as float64.
    axis : int
        The axis along which the vectors lie, with n >= 2 entries.

    Returns
    -------
    float or ndarray of float64
        One value a vector, in [0, 1].

    Raises
    ------
    ValueError
        If n < 2, or where a vector is zero or not finite: its sparseness is not defined.
    """
    x = as_float_array(x)
    if x.ndim == 0:
        raise ValueError("x must have at least one axis")
    x = np.moveaxis(x, axis, -1)
    n = x.shape[-1]
    if n < 2:
        raise ValueError(f"the sparseness of vectors with n = {n} is not defined: n must be >= 2")
    largest = np.maximum(x.max(axis=-1, keepdims=True), -x.min(axis=-1, keepdims=True))
    reject_rows(~np.isfinite(largest), "has an entry that is not finite")
    reject_rows(largest == 0.0, "is zero: its sparseness is not defined")
    # A power of two: the squares keep all their digits, whatever the scale.
    ones, squares = _sums(x, -np.frexp(largest.astype(np.float64))[1])
    result = (np.sqrt(n) - ones / np.sqrt(squares)) / (np.sqrt(n) - 1.0)
    return np.clip(result, 0.0, 1.0)[()]


def _sums(x, exponent):
    """Sums of magnitudes and of squares along the last axis, with entries times a power of two.

    Long vectors are halved as NumPy does in its own sums, so that little is copied at a time.
    """
    n = x.shape[-1]
    if n > AT_ONCE and x.strides[-1] == x.itemsize:
        middle = n // 2 - n // 2 % 8
        halves = (_sums(x[..., :middle], exponent), _sums(x[..., middle:], exponent))
        return tuple(first + second for first, second in zip(*halves, strict=True))
    v = np.abs(x).astype(np.float64)
    np.ldexp(v, exponent, out=v)
    ones = v.sum(axis=-1)
    return ones, np.square(v, out=v).sum(axis=-1)
