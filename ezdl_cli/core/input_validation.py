"""Validation and conversion of the arrays that callers pass to public functions.

All of them pass through this module, so that the same rules hold everywhere:

- Arrays, nested lists, and data frames of pandas (one row per vector) are accepted; results are
  arrays.
- Computations are in float32 or float64, and so are results. float32 stays what it is, float16
  becomes float32, and all other types become float64. With two inputs, such as samples and atoms,
  the result is float32 only if both of them are.
- Sparse matrices and masked entries are rejected: nothing is made dense or filled silently.
"""

import sys
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

SCALARS = (float, int, np.generic)


def as_real_array(x: ArrayLike, name: str = "x") -> NDArray[Any]:
    """Return an array of real numbers of any type.

    Raises
    ------
    TypeError
        If it is sparse: a matrix or array of SciPy, or entries or a data frame of pandas.
    ValueError
        If the entries are not real numbers, or if some of them are masked.
    """
    if type(x) is np.ndarray:  # checks would take a tenth of the time of a small projection
        array: NDArray[Any] = x
    else:
        refuse_sparse_or_masked(x, name)
        array = _frame_as_array(x, name) if is_frame(x) else as_array(x, name)
    if array.dtype.kind not in "fiub":
        raise _not_real_numbers(name, array.dtype)
    return array


def as_float_array(x: ArrayLike, name: str = "x") -> NDArray[Any]:
    """Return an array of float32 or float64 in native byte order, by the rules of this module.

    Raises TypeError or ValueError if `as_real_array` rejects it.
    """
    x = as_real_array(x, name)
    is_single = x.dtype.kind == "f" and x.dtype.itemsize <= 4
    return x.astype(np.float32 if is_single else np.float64, copy=False)


def refuse_sparse_or_masked(x, name="x"):
    """Raise TypeError for sparse matrices and data frames, and ValueError for masked entries.

    Lists are searched as well, nested ones included.
    """
    if isinstance(x, list | tuple):
        for entry in x:
            if type(entry) is not np.ndarray and not isinstance(entry, SCALARS):
                refuse_sparse_or_masked(entry, name)
    elif _is_sparse(x):
        dense = "toarray() of SciPy, sparse.to_dense() of pandas"
        raise TypeError(f"{name} is sparse; convert it to a dense array ({dense})")
    elif isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x):
        raise ValueError(f"{name} has masked entries; fill them first")


def refuse_text(x, name="x"):
    """Raise ValueError for text and dates in an array or a data frame.

    For scikit-learn, which would convert them to numbers. It also accepts arrays of Python objects;
    these are rejected here if one of them is text.
    """
    if is_frame(x):
        _check_columns(x, name)
        return
    kind = getattr(getattr(x, "dtype", None), "kind", "f")
    if kind == "O":
        is_refused = any(isinstance(entry, str | bytes) for entry in np.asarray(x).flat)
    else:
        is_refused = kind not in "fiubc"  # scikit-learn rejects complex numbers itself
    if is_refused:
        raise _not_real_numbers(name, x.dtype)


def _is_sparse(x):
    """Return whether x is sparse: a matrix or array of SciPy, or entries or a frame of pandas."""
    sparse = sys.modules.get("scipy.sparse")  # if it was not imported, nothing is sparse
    if sparse is not None and sparse.issparse(x):
        return True
    dtypes = x.dtypes if is_frame(x) else [getattr(x, "dtype", None)]
    return any(str(dtype).startswith("Sparse[") for dtype in dtypes)


def is_frame(x):
    """Return whether x is a data frame of pandas."""
    return hasattr(x, "columns") and hasattr(x, "dtypes") and hasattr(x, "to_numpy")


def as_array(x, name):
    """Return an array; name what cannot be converted, such as rows of different lengths."""
    try:
        return np.asarray(x)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} cannot be converted to an array: {error}") from None


def _frame_as_array(frame, name):
    """Return the entries of a data frame; missing ones become NaN."""
    _check_columns(frame, name)
    array = np.asarray(frame)
    if array.dtype.kind == "O":
        # pandas has no common type for booleans and numbers, nor for types of its own.
        array = frame.to_numpy(float_type_of_frame(frame), na_value=np.nan)
    return np.ascontiguousarray(array)  # sums over rows have the same bits as those of an array


def float_type_of_frame(frame):
    """Return float32 if all columns of a data frame are float32 or float16, otherwise float64."""
    is_single = all(getattr(t, "kind", "") == "f" and t.itemsize <= 4 for t in frame.dtypes)
    return np.float32 if is_single else np.float64


def _check_columns(frame, name):
    """Raise ValueError for the first column of a data frame that does not hold real numbers."""
    for column, dtype in zip(frame.columns, frame.dtypes, strict=True):
        if getattr(dtype, "kind", "f") not in "fiub":
            raise _not_real_numbers(f"column {column!r} of {name}", dtype)


def _not_real_numbers(name, dtype):
    return ValueError(f"{name} must hold real numbers, not {dtype}")


def as_float_vectors(x: ArrayLike, name: str = "x") -> NDArray[Any]:
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


def check_samples_and_atoms(X: ArrayLike, W: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
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
