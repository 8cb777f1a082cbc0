"""Validation and conversion of arrays and numbers that callers pass to public functions."""

import numpy as np


def as_float_array(x, name="x"):
    """Return an array of float32 or float64 in native byte order.

    float16 becomes float32; integers, booleans and long doubles become float64.

    Raises
    ------
    ValueError
        If the entries are not real numbers, or if some of them are masked.
    """
    if np.ma.is_masked(x):
        raise ValueError(f"{name} has masked entries; fill them first")
    x = np.asarray(x)
    if x.dtype.kind not in "fiub":
        raise ValueError(f"{name} must hold real numbers, not {x.dtype}")
    is_single = x.dtype.kind == "f" and x.dtype.itemsize <= 4
    return x.astype(np.float32 if is_single else np.float64, copy=False)


def as_float_vectors(x, name="x"):
    """Return `as_float_array(x)`, whose last axis holds the entries of the vectors.

    Raises
    ------
    ValueError
        If x is a scalar, or `as_float_array` rejects it.
    """
    x = as_float_array(x, name)
    if x.ndim == 0:
        raise ValueError(f"{name} must have at least one axis")
    return x


def as_rows(x):
    """Return a view or a copy with C-contiguous rows, shape (m, n)."""
    return np.ascontiguousarray(x).reshape(-1, x.shape[-1]) if x.size else np.empty((0, 2), x.dtype)


def check_samples_and_atoms(X, W):
    """Return samples (m, d) and atoms (n_atoms, d) as C-contiguous arrays of a common type.

    Raises
    ------
    ValueError
        If they are not matrices of finite real numbers with the same number of columns.
    """
    X, W = as_float_array(X, "X"), as_float_array(W, "W")
    for array, name in ((X, "X"), (W, "W")):
        if array.ndim != 2:
            raise ValueError(f"{name} must have two axes, not the shape {array.shape}")
        reject_rows(~np.isfinite(array).all(axis=1), f"of {name} holds NaN or infinity")
    if W.size == 0 or X.shape[1] != W.shape[1]:
        raise ValueError(f"samples {X.shape} and atoms {W.shape} must be rows of the same length")
    dtype = np.result_type(X, W)
    return np.ascontiguousarray(X, dtype), np.ascontiguousarray(W, dtype)


def check_positive_integer(name, value):
    """Raise ValueError unless a value is an integer >= 1; booleans are rejected as well."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise ValueError(f"{name} must be a positive integer, not {value!r}")


class RowError(ValueError):
    """A row of the input for which there is no result.

    Attributes
    ----------
    row : int
        Index of the first such row.
    more : int
        Number of further rows with the same problem.
    reason : str
        What is wrong, as a phrase that follows the name of the row.
    """

    def __init__(self, row, more, reason, single=False):
        others = f" (and {more} more)" if more else ""
        super().__init__(f"the vector {reason}" if single else f"row {row}{others} {reason}")
        self.row, self.more, self.reason = row, more, reason


def reject_rows(is_bad, reason):
    """Raise RowError for the first row that is flagged in the mask `is_bad`, if there is one."""
    bad = np.flatnonzero(is_bad)
    if bad.size:
        raise RowError(int(bad[0]), bad.size - 1, reason, single=np.size(is_bad) == 1)
