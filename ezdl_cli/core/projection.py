r"""Sparseness-enforcing projection: the nearest point with a given sparseness.

.. math:: \Pi_\sigma(x) = \arg\min_{s \in S} \|x - s\|_2, \quad S = \{s : \sigma(s) = \sigma\}

(paper, sect. 2). The offset is found by `offset_search` (the default) or by `root_finding` (the
paper's four solvers); this module turns offsets into points and handles the special cases.
"""

import math

import numpy as np

from . import root_finding
from .closed_form import excess, rounding_tolerance
from .input_validation import as_float_vectors, as_rows, reject_rows
from .jit import kernel
from .long_rows import LONG_ROW, SCRATCH_SIZE
from .offset_search import find_offset
from .short_rows import (
    DONE,
    LARGEST_ORDINARY,
    PENDING,
    SHORT_ROW,
    SMALLEST_ORDINARY,
    project_short_rows,
)
from .soft_thresholding import largest_entry, magnitude, shrink
from .support_iteration import EXHAUSTED, OUT_OF_RANGE, TIED
from .target_sparseness import TargetSparseness

AUTO = -1
SOLVERS = {
    "auto": AUTO,
    "bisection": root_finding.BISECTION,
    "newton": root_finding.NEWTON,
    "newton_sqr": root_finding.NEWTON_SQR,
    "halley": root_finding.HALLEY,
}

# Outcomes of a row that has no projection, and the error messages for them.
NOT_FINITE, ZERO, TOO_LARGE = range(PENDING + 1, PENDING + 4)
REASONS = {
    NOT_FINITE: "has an entry that is not finite",
    ZERO: "is zero, which has no nearest point of this sparseness; pass a norm",
    TOO_LARGE: "is too large: its projection exceeds the largest number of its type",
}


def project(x, sparseness, norm=None, solver="auto", out=None):
    r"""Compute the nearest points with a given sparseness.

    The projection is :math:`\beta\,\mathrm{sign}(x)\max(|x| - \alpha, 0)` with an offset
    :math:`\alpha` and a factor :math:`\beta` that are the same for all entries of a vector.

    Parameters
    ----------
    x : array_like of shape (..., n)
        Vectors with n >= 2 entries of any sign and scale. Types other than float32 and float64
        are converted to float64 (float16 to float32).
    sparseness : float
        Target sparseness, strictly between 0 and 1.
    norm : float, default=None
        L2 norm of the result, which is then the nearest of the points with this norm. If None,
        the nearest of all points with the target sparseness.
    solver : {"auto", "bisection", "newton", "newton_sqr", "halley"}, default="auto"
        Method to find the offset. "auto" is the fastest, the others are those of the paper. All
        of them are exact.
    out : ndarray of shape (..., n), default=None
        Array for the result, of the same type as x. May be x itself: nothing is copied then, and
        the additional memory is below 1 MiB for any n.

    Returns
    -------
    p : ndarray of shape (..., n)
        `out` if given, else a new array; float32 if x is, float64 otherwise.

    Raises
    ------
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
    outcome = np.empty(len(rows), np.uint8)
    scratch = np.empty(min(SCRATCH_SIZE, rows.shape[1]))
    project_rows(rows, result, target, norm, SOLVERS[solver], scratch, outcome)
    if not direct:
        out[...] = result.reshape(out.shape)
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
    try:
        norm = float(norm)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"norm must be a number or None, not {norm!r}") from None
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


@kernel
def project_rows(rows, out, target, norm, solver, scratch, outcome):
    """Project each row, and write its outcome: DONE, NOT_FINITE, ZERO or TOO_LARGE."""
    outcome[:] = PENDING
    if solver == AUTO and rows.shape[1] <= SHORT_ROW and is_ordinary_norm(norm):
        project_short_rows(rows, out, target.k2, target.gap, norm, outcome)
    for i in range(len(rows)):
        if outcome[i] == PENDING:
            outcome[i] = project_vector(rows[i], out[i], target, norm, solver, scratch)


@kernel(inline=True)
def is_ordinary_norm(norm):
    """Return whether ordinary vectors can be scaled to a norm (0: none) without rescaling."""
    return norm == 0.0 or SMALLEST_ORDINARY < norm < LARGEST_ORDINARY


@kernel
def project_vector(x, out, target, norm, solver, scratch):
    """Project one vector, in place if x is `out`; norm 0 is for the nearest point of any norm."""
    status, ref, shift, inner, squares, _ = find_offset_by_solver(x, target, solver, scratch)
    ordinary = SMALLEST_ORDINARY < squares < LARGEST_ORDINARY and is_ordinary_norm(norm)
    if status != OUT_OF_RANGE and ordinary:
        scale = norm / np.sqrt(squares) if norm > 0.0 else inner / squares
        shrink(x, out, ref, shift, scale)
        return DONE
    return _project_rescaled(x, out, target, norm, solver, scratch)


@kernel
def find_offset_by_solver(x, target, solver, scratch):
    """Find the offset by the chosen solver; returns the same as `find_offset`."""
    tolerance = rounding_tolerance(x)
    if solver == AUTO:
        if x.itemsize < 8 and x.size <= scratch.size and x.size < LONG_ROW:
            # Convert float32 once instead of in each pass.
            wide = scratch[: x.size]
            for i in range(x.size):
                wide[i] = magnitude(x[i])
            found = find_offset(wide, target.k2, target.gap, tolerance, scratch)
        else:
            found = find_offset(x, target.k2, target.gap, tolerance, scratch)
        if found[0] != EXHAUSTED:
            return found
        solver = root_finding.BISECTION
    return root_finding.find_root(x, target.k, target.gap, tolerance, solver)[0]


@kernel
def spread_over_ties(x, out, largest, tied, target):
    """Write a unit vector with the target sparseness that is nonzero on the tied entries only.

    The first of them gets the large value, all others the same smaller one.
    """
    k = target.k
    surplus = max(excess(tied, float(x.size), target.k2, target.gap), 0.0)
    # The values a and b of an L1 norm a + (t - 1) b = k and an L2 norm of one, for t tied entries.
    value = (k + np.sqrt((tied - 1.0) * surplus)) / tied
    smaller = 0.0
    if tied > 1.0:
        root = np.sqrt(surplus / (tied - 1.0))
        smaller = target.k_minus_one * (k + 1.0) / ((tied - 1.0) * (k + root))
    for i in range(x.size):
        if magnitude(x[i]) == largest:
            out[i] = np.copysign(value, np.float64(x[i]))
            value = smaller
        else:
            out[i] = 0.0


@kernel
def _project_rescaled(x, out, target, norm, solver, scratch):
    """Project a vector with ties or of an extreme scale, or return why it has no projection.

    The largest entry is scaled close to one, the unit vector is found, and its norm is set last.
    """
    for i in range(x.size):
        if not np.isfinite(x[i]):
            return NOT_FINITE
    largest, tied = largest_entry(x)
    if largest == 0.0 and norm == 0.0:
        return ZERO
    # A power of two: exact.
    exponent = math.frexp(largest)[1]
    for i in range(x.size):
        out[i] = math.ldexp(np.float64(x[i]), -exponent)
    length = norm
    if largest == 0.0:
        spread_over_ties(out, out, 0.0, tied, target)
    else:
        status, ref, shift, inner, squares, d = find_offset_by_solver(out, target, solver, scratch)
        if status == TIED:
            spread_over_ties(out, out, ref, d, target)
            product = ref * target.k
        else:
            unit = 1.0 / np.sqrt(squares)
            shrink(out, out, ref, shift, unit)
            product = inner * unit
        # The nearest multiple of the unit vector p is ⟨x, p⟩ p, still in the scaled units.
        if norm == 0.0:
            length = product
        else:
            exponent = 0
    for i in range(x.size):
        out[i] = math.ldexp(length * np.float64(out[i]), exponent)
        if not np.isfinite(out[i]):
            return TOO_LARGE
    return DONE
