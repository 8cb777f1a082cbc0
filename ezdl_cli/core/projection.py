r"""Sparseness-enforcing projection: the nearest point with a given sparseness.

.. math:: \Pi_\sigma(x) = \arg\min_{s \in S} \|x - s\|_2, \quad S = \{s : \sigma(s) = \sigma\}

(paper, sect. 2). The search for the offset is in `threshold` (the default) and in `root_finding`
(the paper's four solvers); this file turns offsets into points and looks after the hard cases.
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

# What can become of a row, and how it is said.
NOT_FINITE, ZERO, TOO_LARGE = range(PENDING + 1, PENDING + 4)
REASONS = {
    NOT_FINITE: "has an entry that is not finite",
    ZERO: "is zero: points of the level set come arbitrarily near, none is nearest; give a norm",
    TOO_LARGE: "is too large: its projection exceeds the largest number of its type",
}


def project(x, sparseness, norm=None, solver="auto", out=None):
    r"""Nearest point(s) with a given sparseness.

    The projection is :math:`\beta\,\mathrm{sign}(x)\max(|x| - \alpha, 0)` with an offset
    :math:`\alpha` and a factor :math:`\beta` that are the same for all entries of a vector.

    Parameters
    ----------
    x : array_like, shape (..., n)
        Vectors with n >= 2 entries of any sign and scale. Other real types than float32 and
        float64 are converted to float64 (float16 to float32).
    sparseness : float
        Wanted degree, strictly between 0 and 1.
    norm : float, optional
        L2 norm of the result: the nearest among the points with this norm. Without it, the
        nearest among all points of the wanted sparseness.
    solver : {"auto", "bisection", "newton", "newton_sqr", "halley"}
        "auto" is the fastest; the others are the paper's. All are exact.
    out : ndarray, shape (..., n), optional
        Where to put the result, of the same type as x; may be x itself: then nothing is copied,
        and the extra memory is below 1 MiB for any n.

    Returns
    -------
    ndarray, shape (..., n)
        `out` if given, else a new array; float32 for float32, float64 for all else.

    Raises
    ------
    ValueError
        If an argument is wrong, or where a row has no answer (the message names it): an entry is
        NaN or infinite, or it is zero and no norm is given, or the result would overflow. The
        other rows of `out` are then projected already, and the refused ones hold anything.

    Notes
    -----
    Where the sparseness is to be *decreased*, all entries survive and the zeros become nonzero,
    with the sign of the zero. A vector that is as sparse as wanted already, to rounding, is only
    rescaled.

    The answer is not unique where k² or more entries tie for the largest, with
    k = sqrt(n) - sparseness * (sqrt(n) - 1): above all if all entries have the same magnitude,
    and for zero with a norm. Then all nearest points live on the tied entries; the one that is
    returned has one large value at the first of them and the same smaller one at the others.
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
    direct = out.flags.c_contiguous and (not np.may_share_memory(rows, out) or _same(rows, out))
    result = out.reshape(rows.shape) if direct else np.empty_like(rows)
    if not rows.flags.writeable:
        # Numba would compile all kernels once more for them; in place it need not.
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
    """The norm as a float, 0 for none."""
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
    """Raise ValueError unless the result of projecting x can go there."""
    if not isinstance(out, np.ndarray) or out.shape != x.shape or out.dtype != x.dtype:
        raise ValueError(f"out must be an array of shape {x.shape} and type {x.dtype}")
    if not out.flags.writeable:
        raise ValueError("out is read-only")


def _same(rows, out):
    """Whether two arrays are the same memory, entry for entry."""
    return rows.ctypes.data == out.ctypes.data and rows.size == out.size


@kernel
def project_rows(rows, out, target, norm, solver, scratch, outcome):
    """Project each row; `outcome` says what became of it."""
    outcome[:] = PENDING
    if solver == AUTO and rows.shape[1] <= SHORT_ROW and is_ordinary_norm(norm):
        project_short_rows(rows, out, target.k2, target.gap, norm, outcome)
    for i in range(len(rows)):
        if outcome[i] == PENDING:
            outcome[i] = project_vector(rows[i], out[i], target, norm, solver, scratch)


@kernel(inline=True)
def is_ordinary_norm(norm):
    """Whether nothing overflows or is lost when plain vectors are brought to a norm, or to none."""
    return norm == 0.0 or SMALLEST_ORDINARY < norm < LARGEST_ORDINARY


@kernel
def project_vector(x, out, target, norm, solver, scratch):
    """Project one vector, in place if x is out; norm 0: nearest of all norms."""
    status, ref, shift, inner, squares, _ = find_offset_by_solver(x, target, solver, scratch)
    plain = SMALLEST_ORDINARY < squares < LARGEST_ORDINARY and is_ordinary_norm(norm)
    if status != OUT_OF_RANGE and plain:
        scale = norm / np.sqrt(squares) if norm > 0.0 else inner / squares
        shrink(x, out, ref, shift, scale)
        return DONE
    return _project_rescaled(x, out, target, norm, solver, scratch)


@kernel
def find_offset_by_solver(x, target, solver, scratch):
    """Offset by the chosen solver, see `find_threshold`."""
    tolerance = rounding_tolerance(x)
    if solver == AUTO:
        if x.itemsize < 8 and x.size <= scratch.size and x.size < LONG_ROW:
            wide = scratch[: x.size]  # converted once instead of in every pass
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
    """Write a unit vector of the level set on the tied entries: one large value, the rest equal."""
    k = target.k
    spare = max(excess(tied, float(x.size), target.k2, target.gap), 0.0)
    value = (k + np.sqrt((tied - 1.0) * spare)) / tied
    smaller = 0.0
    if tied > 1.0:
        root = np.sqrt(spare / (tied - 1.0))
        smaller = target.k_minus_one * (k + 1.0) / ((tied - 1.0) * (k + root))
    for i in range(x.size):
        if magnitude(x[i]) == largest:
            out[i] = np.copysign(value, np.float64(x[i]))
            value = smaller
        else:
            out[i] = 0.0


@kernel
def _project_rescaled(x, out, target, norm, solver, scratch):
    """Project a vector with ties or at the ends of the range, or say why it has no answer.

    The largest entry is brought near one, a unit vector is found, and its length is given last.
    """
    for i in range(x.size):
        if not np.isfinite(x[i]):
            return NOT_FINITE
    largest, tied = largest_entry(x)
    if largest == 0.0 and norm == 0.0:
        return ZERO
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
        if norm == 0.0:
            length = product
        else:
            exponent = 0
    for i in range(x.size):
        out[i] = math.ldexp(length * np.float64(out[i]), exponent)
        if not np.isfinite(out[i]):
            return TOO_LARGE
    return DONE
