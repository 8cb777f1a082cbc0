r"""Sparseness-enforcing projection: the nearest point with a given sparseness.

.. math:: \Pi_\sigma(x) = \arg\min_{s \in S} \|x - s\|_2, \quad S = \{s : \sigma(s) = \sigma\}

(paper, sect. 2). The offset is found by `offset_search` (the default) or by `root_finding` (the
paper's four solvers); `vector_projection` turns offsets into points. Many rows are projected by
`short_rows`, long ones by `long_rows`. This module validates the input and shares the work among
threads.
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..parallel import cores, for_each
from . import root_finding
from .input_validation import as_float_vectors, as_rows, reject_rows
from .long_rows import LONG_ROW, project_long_row
from .parameter_validation import as_number
from .short_rows import PENDING, has_few_candidates, is_ordinary_norm, project_short_rows
from .target_sparseness import TargetSparseness
from .vector_projection import (
    AUTO,
    NOT_FINITE,
    TOO_LARGE,
    ZERO,
    project_pending_rows,
)
from .vector_projection import spread_over_ties as spread_over_ties  # also used by `coding`

SOLVERS = {
    "auto": AUTO,
    "bisection": root_finding.BISECTION,
    "newton": root_finding.NEWTON,
    "newton_sqr": root_finding.NEWTON_SQR,
    "halley": root_finding.HALLEY,
}
# Error messages for rows that have no projection.
REASONS = {
    NOT_FINITE: "has an entry that is not finite",
    ZERO: "is zero, which has no nearest point of this sparseness; pass a norm",
    TOO_LARGE: "is too large: its projection exceeds the largest number of its type",
}
# Entries from which threads pay: 0.2 ms of work, several times as long as it takes to wake them.
PARALLEL_ENTRIES = 1 << 18
# The same for a single vector, whose threads have to wait for each other after each pass.
PARALLEL_VECTOR = 1 << 20
CHUNKS_PER_THREAD = 4  # so that a thread that is interrupted does not delay the others


def project(
    x: ArrayLike,
    sparseness: float,
    norm: float | None = None,
    solver: Literal["auto", "bisection", "newton", "newton_sqr", "halley"] = "auto",
    out: NDArray[np.floating] | None = None,
) -> NDArray[np.floating]:
    r"""Compute the nearest points with a given sparseness.

    The projection is :math:`\beta\,\mathrm{sign}(x)\max(|x| - \alpha, 0)` with an offset
    :math:`\alpha` and a factor :math:`\beta` that are the same for all entries of a vector.

    Parameters
    ----------
    x : array_like of shape (..., n)
        Vectors with n >= 2 entries of any sign and scale.
    sparseness : float
        Target sparseness, strictly between 0 and 1.
    norm : float, default=None
        L2 norm of the result, which is then the nearest of the points with this norm. If None,
        the nearest of all points with the target sparseness.
    solver : {"auto", "bisection", "newton", "newton_sqr", "halley"}, default="auto"
        Method to find the offset. "auto" is the fastest, the others are those of the paper. All
        of them are exact.
    out : ndarray of shape (..., n), default=None
        Array for the result, of its type. May be x itself: nothing is copied then, and
        the additional memory is below 1 MiB for any n.

    Returns
    -------
    p : ndarray of shape (..., n)
        `out` if given, else a new array; float32 if x is float16 or float32, float64 otherwise.

    Raises
    ------
    TypeError
        If x is sparse.
    ValueError
        If an argument is invalid, or if a row has no projection (the message gives its index): an
        entry is NaN or infinite, all entries are zero and `norm` is None, or the result would
        overflow. All other rows of `out` have been projected then; the contents of the rejected
        ones are undefined.

    See Also
    --------
    sparseness : Measure the sparseness of vectors.
    projection_gradient : Multiply the Jacobian of the projection with a vector.

    Notes
    -----
    If the sparseness has to be *decreased*, all entries survive, and zeros become nonzero with
    the sign of the zero. A vector that already has the target sparseness, up to rounding, is only
    rescaled.

    The projection is not unique if k² or more entries tie for the largest magnitude, where
    k = sqrt(n) - sparseness * (sqrt(n) - 1): in particular, if all entries have the same
    magnitude. All nearest points are then nonzero on tied entries only; the one returned has one
    large value at the first of them and the same smaller value at all others.

    References
    ----------
    Thom, M., Rapp, M., & Palm, G. (2015). Efficient dictionary learning with sparseness-enforcing
    projections. International Journal of Computer Vision, 114(2-3), 168-194.

    Examples
    --------
    >>> import ezdl_cli as ez
    >>> p = ez.project([4.0, -3.0, 2.0, 1.0], sparseness=0.9, norm=1.0)
    >>> p.round(3)
    array([ 0.994, -0.106,  0.   ,  0.   ])
    >>> float(ez.sparseness(p).round(6))
    0.9
    """
    x = as_float_vectors(x)
    if not isinstance(solver, str) or solver not in SOLVERS:
        raise ValueError(f"solver must be one of {', '.join(SOLVERS)}, not {solver!r}")
    target = TargetSparseness.of(x.shape[-1], sparseness)
    norm = check_norm(norm, x.dtype)
    if out is None:
        out = np.empty(x.shape, x.dtype)
    _check_out(out, x)
    if x.size == 0:
        return out
    rows = as_rows(x)
    # Kernels write to `out` directly, unless it is strided or overlaps the rows.
    direct = out.flags.c_contiguous and (not np.may_share_memory(rows, out) or _same(rows, out))
    result = out.reshape(rows.shape) if direct else np.empty_like(rows)
    if not rows.flags.writeable:
        # Numba would compile all kernels again for read-only arrays: project a copy in place.
        np.copyto(result, rows)
        rows = result
    n_threads = cores() if rows.size >= PARALLEL_ENTRIES else 1
    outcome = project_rows(rows, result, target, norm, SOLVERS[solver], n_threads)
    if not direct:
        out[...] = result.reshape(out.shape)
    if outcome.any():  # not all DONE, which is zero
        for code, reason in REASONS.items():
            reject_rows(outcome == code, reason)
    return out


def check_norm(norm, dtype):
    """Return the target norm as a float; 0 if it is None.

    Raises
    ------
    ValueError
        If it is not a positive number within the range of the type.
    """
    if norm is None:
        return 0.0
    norm = as_number("norm", norm)
    if not float(np.finfo(dtype).tiny) <= norm <= float(np.finfo(dtype).max):
        raise ValueError(f"norm must be positive and within the range of {dtype}, not {norm}")
    return norm


def _check_out(out, x):
    """Raise ValueError unless `out` can hold the projection of x."""
    if not isinstance(out, np.ndarray) or out.shape != x.shape or out.dtype != x.dtype:
        raise ValueError(f"out must be an array of shape {x.shape} and type {x.dtype}")
    if not out.flags.writeable:
        raise ValueError("out is read-only")


def _same(rows, out):
    """Return whether two contiguous arrays are the same memory."""
    return rows.ctypes.data == out.ctypes.data and rows.size == out.size


def project_rows(rows, out, target, norm, solver, n_threads=1):
    """Project each row with a solver of SOLVERS; the bits do not depend on the number of threads.

    Returns the outcome of each row: DONE, NOT_FINITE, ZERO or TOO_LARGE.
    """
    outcome = np.full(len(rows), PENDING, np.uint8)
    n = rows.shape[1]
    ordinary = solver == AUTO and is_ordinary_norm(norm)
    if ordinary and n >= LONG_ROW:
        shared_by = n_threads if n >= PARALLEL_VECTOR else 1
        for i in range(len(rows)):  # one after the other, each by all threads
            outcome[i] = project_long_row(rows[i], out[i], target, norm, shared_by)
    in_tiles = ordinary and has_few_candidates(n, target.k2)

    def project_chunk(chunk):
        if in_tiles:
            project_short_rows(rows[chunk], out[chunk], target.k2, target.gap, norm, outcome[chunk])
        if outcome[chunk].any():
            project_pending_rows(rows[chunk], out[chunk], target, norm, solver, outcome[chunk])

    size = -(-len(rows) // (CHUNKS_PER_THREAD * n_threads if n_threads > 1 else 1))
    for_each(project_chunk, [slice(i, i + size) for i in range(0, len(rows), size)])
    return outcome
