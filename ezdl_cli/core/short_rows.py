"""The projection of many short vectors, side by side.

Short vectors are over before the processor's vector units have started: the time goes into square
roots and quotients, one after the other. So `LANES` rows are projected together, each step for
all of them at once. The search is that of `climbing`, without the hard cases: rows that are none
of the plain ones are left alone for the caller.

A row's result does not depend on its neighbours: once settled, it stays.
"""

import numpy as np

from .closed_form import excess, extrapolate_to_root, rounding_tolerance, step_to_root
from .jit import kernel
from .soft_thresholding import magnitude, shrink
from .support_iteration import MAX_ITERATIONS, NEARLY_TIED, SMALL_EXCESS, SMALL_STEP

LANES = 32
SHORT_ROW = 64  # entries up to which it pays
SMALLEST_ORDINARY, LARGEST_ORDINARY = 1e-60, 1e60  # sums of squares for which nothing can overflow

DONE, PENDING = range(2)


@kernel
def project_short_rows(rows, out, k2, gap, norm, outcome):
    """Project the plain rows to a norm (0: the nearest of all norms) and mark them as DONE."""
    m, n = rows.shape
    tile = np.empty((n, LANES))
    plain = np.empty(LANES, np.bool_)
    # One array each, so that the compiler sees that they do not overlap.
    shift, step = np.empty(LANES), np.empty(LANES)
    s1, s2, d = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    previous, lower = np.empty(LANES), np.empty(LANES)
    tolerance = rounding_tolerance(rows)
    for first in range(0, m, LANES):
        count = min(LANES, m - first)
        for lane in range(LANES):
            row = rows[first + min(lane, count - 1)]  # the last tile is filled up
            for j in range(n):
                tile[j, lane] = magnitude(row[j])
        _start(tile, k2, gap, tolerance, shift, s1, s2, lower, plain)
        _climb_together(tile, k2, gap, shift, step, s1, s2, d, previous, lower)
        for lane in range(count):
            settled = (
                d[lane] == previous[lane] and excess(d[lane], n, k2, gap) > SMALL_EXCESS * d[lane]
            )
            close = abs(step[lane]) * d[lane] <= SMALL_STEP * s1[lane]
            tied = s1[lane] < NEARLY_TIED * shift[lane] * d[lane]
            if plain[lane] and settled and close and not tied:
                sums = (s1[lane], s2[lane], d[lane])
                _write(rows[first + lane], out[first + lane], shift[lane], step[lane], sums, norm)
                outcome[first + lane] = DONE


@kernel(inline=True)
def _start(tile, k2, gap, tolerance, shift, s1, s2, lower, plain):
    """Lower bounds of the offsets, leaps from them, and which lanes are plain."""
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
        plain[lane] = in_range and surplus > tolerance * s1[lane] * s1[lane]
        lower[lane] = step_to_root(s1[lane], s2[lane], n, n, k2, gap)
        leap = extrapolate_to_root(s1[lane], s2[lane], n, k2)
        shift[lane] = leap if leap > lower[lane] else lower[lane]


@kernel(inline=True)
def _climb_together(tile, k2, gap, shift, step, s1, s2, d, previous, lower):
    """Climb in all lanes until none of them moves; without branches, so that it vectorises."""
    n = len(tile)
    previous[:] = -1.0
    for _ in range(MAX_ITERATIONS):
        s1[:] = 0.0
        s2[:] = 0.0
        d[:] = 0.0
        for j in range(n):
            for lane in range(LANES):
                t = tile[j, lane] - shift[lane]
                kept = max(t, 0.0)
                s1[lane] += kept
                s2[lane] += kept * kept
                d[lane] += 1.0 if t > 0.0 else 0.0
        moving = 0.0
        for lane in range(LANES):
            step[lane] = step_to_root(s1[lane], s2[lane], d[lane], n, k2, gap)
            settled = d[lane] == previous[lane]
            moving += 0.0 if settled else 1.0
            root = max(lower[lane], shift[lane] + step[lane])
            # If a leap went much too far, there is no root for so few survivors.
            root = root if excess(d[lane], n, k2, gap) > 0.0 else lower[lane]
            lower[lane] = root
            previous[lane] = d[lane]
            shift[lane] = shift[lane] if settled else root
        if moving == 0.0:
            break


@kernel(inline=True)
def _write(row, out, shift, step, sums, norm):
    """Write the projection from the sums at `shift` and the step from there."""
    s1, s2, d = sums
    s2 -= step * (2.0 * s1 - d * step)
    s1 -= d * step
    scale = norm / np.sqrt(s2) if norm > 0.0 else 1.0 + (shift + step) * s1 / s2
    shrink(row, out, shift, step, scale)
