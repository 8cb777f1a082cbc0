r"""Hoyer's sparseness measure,

.. math:: \sigma(x) = \frac{\sqrt n - \|x\|_1 / \|x\|_2}{\sqrt n - 1} \in [0, 1]

(Hoyer 2004): 1 for a single nonzero entry, 0 for entries of equal magnitude, whatever the scale.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .input_validation import as_float_vectors, reject_rows
from .parameter_validation import check_integer

# Longer vectors are processed in chunks, whose copy in double precision (512 KiB) fits into a
# second-level cache.
CHUNK_ENTRIES = 1 << 16


def sparseness(x: ArrayLike, axis: int = -1) -> np.float64 | NDArray[np.float64]:
    """Compute Hoyer's sparseness of vectors.

    Parameters
    ----------
    x : array_like of shape (..., n, ...)
        Real numbers of any sign and scale.
    axis : int, default=-1
        The axis of the entries of a vector, of length n >= 2.

    Returns
    -------
    sigma : float64 or ndarray of float64
        One value in [0, 1] per vector.

    Raises
    ------
    TypeError
        If x is sparse.
    ValueError
        If n < 2, or if a vector is zero or has an entry that is not finite.

    References
    ----------
    Hoyer, P. O. (2004). Non-negative matrix factorization with sparseness constraints. Journal of
    Machine Learning Research, 5, 1457-1469.

    Examples
    --------
    >>> import ezdl_cli as ez
    >>> float(ez.sparseness([0.0, -7.0, 0.0]))
    1.0
    >>> ez.sparseness([[3.0, 4.0], [1.0, 1.0]]).round(3)
    array([0.034, 0.   ])
    """
    x = as_float_vectors(x)
    check_integer("axis", axis, -x.ndim, x.ndim - 1)
    x = np.moveaxis(x, axis, -1)
    n = x.shape[-1]
    if n < 2:
        raise ValueError(f"the sparseness of vectors with n = {n} is not defined: n must be >= 2")
    largest = np.maximum(x.max(axis=-1, keepdims=True), -x.min(axis=-1, keepdims=True))
    reject_rows(~np.isfinite(largest), "has an entry that is not finite")
    reject_rows(largest == 0.0, "is zero: its sparseness is not defined")
    # Scaling by a power of two is exact, and the squares can neither overflow nor underflow.
    l1, squares = _sums(x, -np.frexp(largest.astype(np.float64))[1])
    result = (np.sqrt(n) - l1 / np.sqrt(squares)) / (np.sqrt(n) - 1.0)
    return np.clip(result, 0.0, 1.0)[()]


def _sums(x, exponent):
    """Return the sums of magnitudes and of squares of x · 2^exponent along the last axis.

    Long vectors are split in halves as in NumPy's own pairwise sums, which gives the same bits as
    one sum, with less memory.
    """
    n = x.shape[-1]
    if n > CHUNK_ENTRIES and x.strides[-1] == x.itemsize:
        middle = n // 2 - n // 2 % 8
        halves = (_sums(x[..., :middle], exponent), _sums(x[..., middle:], exponent))
        return tuple(first + second for first, second in zip(*halves, strict=True))
    v = np.abs(x).astype(np.float64)
    np.ldexp(v, exponent, out=v)
    l1 = v.sum(axis=-1)
    return l1, np.square(v, out=v).sum(axis=-1)
