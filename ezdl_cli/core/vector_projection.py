"""Projection of single vectors: offsets become points, and the special cases are handled.

The offset is found by `offset_search` (the default) or by `root_finding` (the paper's solvers).
"""

import math

import numpy as np

from . import root_finding
from .closed_form import excess, rounding_tolerance
from .jit import kernel
from .offset_search import find_offset
from .short_rows import (
    DONE,
    LARGEST_ORDINARY,
    PENDING,
    SMALLEST_ORDINARY,
    is_ordinary_norm,
)
from .soft_thresholding import largest_entry, magnitude, shrink
from .support_iteration import EXHAUSTED, OUT_OF_RANGE, TIED

AUTO = -1  # the default search; the paper's solvers are numbered from 0
# Candidates of a vector that are searched separately: a sixteenth of its entries within these
# bounds. (At a sparseness of 0.9, a fiftieth are candidates.) The largest number takes 128 KiB, so
# that several threads stay below the promised 1 MiB.
MIN_SCRATCH, MAX_SCRATCH, SCRATCH_SHARE = 1 << 12, 1 << 14, 16

# Outcomes of a row that has no projection.
NOT_FINITE, ZERO, TOO_LARGE = range(PENDING + 1, PENDING + 4)


@kernel
def project_pending_rows(rows, out, target, norm, solver, outcome):
    """Project each pending row, and write its outcome: DONE, NOT_FINITE, ZERO or TOO_LARGE."""
    size = min(max(MIN_SCRATCH, rows.shape[1] // SCRATCH_SHARE), MAX_SCRATCH)
    scratch = np.empty(size, rows.dtype)
    for i in range(len(rows)):
        if outcome[i] == PENDING:
            outcome[i] = project_vector(rows[i], out[i], target, norm, solver, scratch)


@kernel
def project_vector(x, out, target, norm, solver, scratch):
    """Project one vector, in place if x is `out`; norm 0 is for the nearest point of any norm."""
    status, ref, shift, inner, squares, _ = find_offset_by_solver(x, target, solver, scratch)
    ordinary = SMALLEST_ORDINARY < squares < LARGEST_ORDINARY
    if status != OUT_OF_RANGE and ordinary and is_ordinary_norm(norm):
        scale = norm / np.sqrt(squares) if norm > 0.0 else inner / squares
        shrink(x, out, ref, shift, scale)
        return DONE
    return _project_rescaled(x, out, target, norm, solver, scratch)


@kernel
def find_offset_by_solver(x, target, solver, scratch):
    """Find the offset by the chosen solver; returns the same as `find_offset`.

    `scratch` is workspace of the type of x.
    """
    tolerance = rounding_tolerance(x)
    if solver == AUTO:
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
