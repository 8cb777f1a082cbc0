"""Projection of many rows, `LANES` of them side by side.

A short row does not keep the vector units of the processor busy: most time goes into square roots
and divisions, one after the other. So several rows are projected together, step by step: short
ones with all of their entries, longer ones with the few candidates for their support.
The search is that of `support_iteration` without its special cases; rows that need these are left
to the caller.

The result of a row does not depend on its neighbours: once settled, it no longer changes.
"""

from typing import NamedTuple

import numpy as np

from .candidates import (
    BUFFER,
    LANES,
    LARGEST_K2,
    MAX_CANDIDATES,
    collect_candidates,
    guess_offsets,
    improve_lower_bounds,
)
from .closed_form import excess, extrapolate_to_root, rounding_tolerance, step_to_root
from .jit import kernel
from .soft_thresholding import magnitude, shrink, shrink_entry
from .support_iteration import MAX_ITERATIONS, NEARLY_TIED, SMALL_EXCESS, SMALL_STEP

SHORT_ROW = 32  # entries up to which it is faster to search all of them than to find candidates
TILE_ENTRIES = 1 << 15  # of longer rows per tile: 256 KiB, which stay in a second-level cache
# Sums of squares and norms within these bounds need no rescaling anywhere.
SMALLEST_ORDINARY, LARGEST_ORDINARY = 1e-60, 1e60

DONE, PENDING = range(2)


def has_few_candidates(n, k2):
    """Return whether rows of n entries can be projected in tiles."""
    return n <= SHORT_ROW or (n <= TILE_ENTRIES and k2 <= LARGEST_K2)


@kernel(inline=True)
def is_ordinary_norm(norm):
    """Return whether ordinary vectors can be scaled to a norm (0: none) without rescaling."""
    return norm == 0.0 or SMALLEST_ORDINARY < norm < LARGEST_ORDINARY


class Lanes(NamedTuple):
    """State of the search, one entry per row of a tile.

    Separate arrays, so that the compiler sees that they do not overlap.
    """

    alpha: np.ndarray
    step: np.ndarray
    """From `alpha` to the root for the current support."""
    s1: np.ndarray
    s2: np.ndarray
    d: np.ndarray
    previous_d: np.ndarray
    lower_bound: np.ndarray


@kernel
def project_short_rows(rows, out, k2, gap, norm, outcome):
    """Project all ordinary rows and mark them as DONE in `outcome`.

    `norm` is the target norm; 0 for the nearest point of any norm.
    """
    n = rows.shape[1]
    complete = n <= SHORT_ROW
    lanes = _idle_lanes()
    tile = np.empty((max(n, MAX_CANDIDATES), LANES))
    ordinary = np.zeros(LANES, np.bool_)
    positions = np.empty((LANES, BUFFER), np.int32)
    n_candidates = np.zeros(LANES, np.int64)
    values = np.empty(MAX_CANDIDATES)
    n_rows = LANES if complete else min(LANES, TILE_ENTRIES // n)
    for first in range(0, len(rows), n_rows):
        group = rows[first : first + n_rows]
        height = n
        if complete:
            _fill_tile(group, tile)
            _start(tile[:n], k2, gap, rounding_tolerance(rows), lanes, ordinary)
        else:
            guess_offsets(group, k2, gap, lanes, ordinary)
            improve_lower_bounds(group, k2, gap, lanes)
            height = collect_candidates(group, lanes, ordinary, positions, n_candidates, tile)
        _iterate_lanes(tile[:height], n, k2, gap, lanes)
        for lane in range(len(group)):
            if not (ordinary[lane] and _has_settled(lane, lanes, n, k2, gap)):
                continue
            row, result = group[lane], out[first + lane]
            offset = (lanes.alpha[lane], lanes.step[lane], _scale(lane, lanes, norm))
            if complete:
                shrink(row, result, *offset)
            else:
                found = positions[lane, : n_candidates[lane]]
                _write_candidates(row, result, found, offset, values)
            outcome[first + lane] = DONE


@kernel(inline=True)
def _idle_lanes():
    """Return lanes without rows; they take part in computations, which must not fail."""
    alpha, step, s1, s2 = np.ones(LANES), np.ones(LANES), np.ones(LANES), np.ones(LANES)
    d, previous_d, lower_bound = np.ones(LANES), np.ones(LANES), np.ones(LANES)
    return Lanes(alpha, step, s1, s2, d, previous_d, lower_bound)


@kernel(inline=True)
def _write_candidates(row, out, positions, offset, values):
    """Write the projection of a row that is zero except at some positions; `out` may be the row."""
    alpha, step, scale = offset
    for i in range(positions.size):
        values[i] = shrink_entry(row[positions[i]], alpha, step, scale)
    out[:] = 0.0
    for i in range(positions.size):
        out[positions[i]] = values[i]


@kernel(inline=True, alone=True)
def _fill_tile(rows, tile):
    """Transpose magnitudes; the last tile is filled up with copies of the last row."""
    for lane in range(LANES):
        row = rows[min(lane, len(rows) - 1)]
        for j in range(row.size):
            tile[j, lane] = magnitude(row[j])


@kernel(inline=True, alone=True)
def _start(tile, k2, gap, tolerance, lanes, ordinary):
    """Initialise the offsets by extrapolation, and determine which lanes are ordinary."""
    n = len(tile)
    alpha, _, s1, s2, _, _, lower_bound = lanes
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


@kernel(inline=True, alone=True)
def _iterate_lanes(tile, n, k2, gap, lanes):
    """Iterate in all lanes until none of them moves; without branches, so that it vectorises."""
    alpha, step, s1, s2, d, previous_d, lower_bound = lanes
    previous_d[:] = -1.0
    for _ in range(MAX_ITERATIONS):
        _sum_lanes(tile, alpha, s1, s2, d)
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


@kernel(inline=True, in_order=True)
def _sum_lanes(tile, alpha, s1, s2, d):
    """Compute the sums about the current offset of each lane.

    In order: the number of entries of a tile, which depends on all of its rows, must not affect
    how those of a row are added.
    """
    s1[:] = 0.0
    s2[:] = 0.0
    d[:] = 0.0
    for j in range(len(tile)):
        for lane in range(LANES):
            t = tile[j, lane] - alpha[lane]
            kept = max(t, 0.0)
            s1[lane] += kept
            s2[lane] += kept * kept
            d[lane] += 1.0 if t > 0.0 else 0.0


@kernel(inline=True)
def _has_settled(lane, lanes, n, k2, gap):
    """Return whether a lane has found its root without a special case, see `finish_search`.

    The step is large if the root is below the candidates of a row.
    """
    s1, d = lanes.s1[lane], lanes.d[lane]
    enough = excess(d, n, k2, gap) > SMALL_EXCESS * d
    close = abs(lanes.step[lane]) * d <= SMALL_STEP * s1
    tied = s1 < NEARLY_TIED * lanes.alpha[lane] * d
    return d == lanes.previous_d[lane] and enough and close and not tied


@kernel(inline=True)
def _scale(lane, lanes, norm):
    """Return the factor β of a lane, from the sums moved to the root."""
    s1, s2, d, step = lanes.s1[lane], lanes.s2[lane], lanes.d[lane], lanes.step[lane]
    s2 -= step * (2.0 * s1 - d * step)
    s1 -= d * step
    return norm / np.sqrt(s2) if norm > 0.0 else 1.0 + (lanes.alpha[lane] + step) * s1 / s2
