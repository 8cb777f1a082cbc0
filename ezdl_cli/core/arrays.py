"""How arrays come in: any real numbers, any layout; what is refused is named."""

import numpy as np


def floating(x, name="x"):
    """Array of float32 or float64 in native byte order; others become float64, float16 float32.

    Raises
    ------
    ValueError
        If the entries are not real numbers, or some are masked.
    """
    if np.ma.is_masked(x):
        raise ValueError(f"{name} has masked entries; fill them first")
    x = np.asarray(x)
    if x.dtype.kind not in "fiub":
        raise ValueError(f"{name} must hold real numbers, not {x.dtype}")
    single = x.dtype.kind == "f" and x.dtype.itemsize <= 4
    return x.astype(np.float32 if single else np.float64, copy=False)


def vectors(x, name="x"):
    """The same with at least one axis, the last of which holds the entries of a vector."""
    x = floating(x, name)
    if x.ndim == 0:
        raise ValueError(f"{name} must have at least one axis")
    return x


def as_rows(x):
    """View or copy with C-contiguous rows, shape (m, n)."""
    return np.ascontiguousarray(x).reshape(-1, x.shape[-1]) if x.size else np.empty((0, 2), x.dtype)


class RowError(ValueError):
    """A vector that has no answer; `row` is its place in the batch."""

    def __init__(self, row, more, reason, single=False):
        others = f" (and {more} more)" if more else ""
        super().__init__(f"the vector {reason}" if single else f"row {row}{others} {reason}")
        self.row, self.more, self.reason = row, more, reason


def refuse_rows(refused, reason):
    """Raise RowError for the first refused vector, if any; `refused` has one flag a vector."""
    where = np.flatnonzero(refused)
    if where.size == 0:
        return
    raise RowError(int(where[0]), where.size - 1, reason, single=np.size(refused) == 1)
