"""Projection of many short rows, `LANES` of them side by side.

A short row does not keep the vector units of the processor busy: most time goes into square roots
and divisions, one after the other. So several rows are projected together, step by step.
The search is that of `support_iteration` without its special cases; rows that need these are left
to the caller.

The result of a row does not depend on its neighbours: once settled, it no longer changes.
"""

import numpy as np

from .closed_form import excess, extrapolate_to_root, rounding_tolerance, step_to_root
from .jit import kernel
from .soft_thresholding import magnitude, shrink
from .support_iteration import MAX_ITERATIONS, NEARLY_TIED, SMALL_EXCESS, SMALL_STEP

# Rows per tile: four vectors of eight doubles hide the latency of divisions. A tile of the longest
# short rows takes 16 KiB, half of a first-level cache.
LANES = 32
SHORT_ROW = 64  # entries up to which this is faster than one row at a time
# Sums of squares and norms within these bounds need no rescaling anywhere.
SMALLEST_ORDINARY, LARGEST_ORDINARY = 1e-60, 1e60

DONE, PENDING = range(2)


@kernel
def project_short_rows(rows, out, k2, gap, norm, outcome):
    """Project all ordinary rows and mark them as DONE in `outcome`.

    `norm` is the target norm; 0 for the nearest point of any norm.
    """
    m, n = rows.shape
    tile = np.empty((n, LANES))
    ordinary = np.empty(LANES, np.bool_)
    # Separate arrays, so that the compiler sees that they do not overlap.
    alpha, step = np.empty(LANES), np.empty(LANES)
    s1, s2, d = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    previous_d, lower_bound = np.empty(LANES), np.empty(LANES)
    tolerance = rounding_tolerance(rows)
    for first in range(0, m, LANES):
        count = min(LANES, m - first)
        # Transpose the magnitudes; the last tile is filled up with copies of the last row.
        for lane in range(LANES):
            row = rows[first + min(lane, count - 1)]
            for j in range(n):
                tile[j, lane] = magnitude(row[j])
        _start(tile, k2, gap, tolerance, alpha, s1, s2, lower_bound, ordinary)
        _iterate_lanes(tile, k2, gap, alpha, step, s1, s2, d, previous_d, lower_bound)
        # Write those that have settled without a special case, see `finish_search`.
        for lane in range(count):
            enough = excess(d[lane], n, k2, gap) > SMALL_EXCESS * d[lane]
            settled = d[lane] == previous_d[lane] and enough
            close = abs(step[lane]) * d[lane] <= SMALL_STEP * s1[lane]
            tied = s1[lane] < NEARLY_TIED * alpha[lane] * d[lane]
            if ordinary[lane] and settled and close and not tied:
                sums = (s1[lane], s2[lane], d[lane])
                _write(rows[first + lane], out[first + lane], alpha[lane], step[lane], sums, norm)
                outcome[first + lane] = DONE


@kernel(inline=True)
def _start(tile, k2, gap, tolerance, alpha, s1, s2, lower_bound, ordinary):
    """Initialise the offsets by extrapolation, and determine which lanes are ordinary."""
    n = len(tile)
    s1[:] = 0.0
    s2[:] = 0.0
    for j in range(n):
        for lane in range(LANES):
            v = tile[j, lane]
            s1[lane] += v
            s2[lane] += v * v
    for lane in range(LANES):
        in_range = SMALLEST_ORDINARY < s2[lane] < LARGEST_ORDINARY
        surplus = s1[lane] * s1[lane] - k2 * s2[lane]
        ordinary[lane] = in_range and surplus > tolerance * s1[lane] * s1[lane]
        lower_bound[lane] = step_to_root(s1[lane], s2[lane], n, n, k2, gap)
        guess = extrapolate_to_root(s1[lane], s2[lane], n, k2)
        alpha[lane] = guess if guess > lower_bound[lane] else lower_bound[lane]


@kernel(inline=True)
def _iterate_lanes(tile, k2, gap, alpha, step, s1, s2, d, previous_d, lower_bound):
    """Iterate in all lanes until none of them moves; without branches, so that it vectorises."""
    n = len(tile)
    previous_d[:] = -1.0
    for _ in range(MAX_ITERATIONS):
        s1[:] = 0.0
        s2[:] = 0.0
        d[:] = 0.0
        # Sums about the current offset of each lane.
        for j in range(n):
            for lane in range(LANES):
                t = tile[j, lane] - alpha[lane]
                kept = max(t, 0.0)
                s1[lane] += kept
                s2[lane] += kept * kept
                d[lane] += 1.0 if t > 0.0 else 0.0
        moving = 0.0
        # The closed form in each lane; settled lanes keep their offset.
        for lane in range(LANES):
            step[lane] = step_to_root(s1[lane], s2[lane], d[lane], n, k2, gap)
            settled = d[lane] == previous_d[lane]
            moving += 0.0 if settled else 1.0
            root = max(lower_bound[lane], alpha[lane] + step[lane])
            # If extrapolation went much too far, there is no root for so few survivors.
            root = root if excess(d[lane], n, k2, gap) > 0.0 else lower_bound[lane]
            lower_bound[lane] = root
            previous_d[lane] = d[lane]
            alpha[lane] = alpha[lane] if settled else root
        if moving == 0.0:
            break


@kernel(inline=True)
def _write(row, out, alpha, step, sums, norm):
    """Write the projection, given the sums at `alpha` and the step from there to the root."""
    s1, s2, d = sums
    s2 -= step * (2.0 * s1 - d * step)
    s1 -= d * step
    scale = norm / np.sqrt(s2) if norm > 0.0 else 1.0 + (alpha + step) * s1 / s2
    shrink(row, out, alpha, step, scale)
