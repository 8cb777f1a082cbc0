"""Candidates for the support of a row: the few entries above a lower bound of its offset.

The closed form never exceeds the root, whatever the support. Applied to the sums above a good guess
of the offset, it yields a lower bound that excludes nearly all entries of a row with few survivors.
The sums are in the precision of the row, so that float32 rows take half the time. That is safe: a
bound that is too large by rounding leads to a search that does not settle, and the caller notices.
"""

import numpy as np

from .closed_form import excess, extrapolate_to_root, step_to_root
from .jit import kernel
from .simd import MASK_BITS, large_entry_mask, lowest_bit

LANES = 32  # rows side by side: four vectors of eight doubles hide the latency of divisions
MAX_CANDIDATES = 128  # of a row; 32 rows with so many take 32 KiB, a first-level cache
# About 1.4 k² entries of a random row survive. With more than this, most rows are refused.
LARGEST_K2 = 64.0
# Sums of squares up to this, and down to its reciprocal, lose nothing to overflow or underflow in
# float32 and in float64.
LARGEST_SINGLE, LARGEST_DOUBLE = 1e30, 1e60
# Relative error allowed for sums in float32: a thousand times their usual rounding error.
ROUNDING = 2.0**-10
BITS = 2 * MASK_BITS  # entries that are compared together
BUFFER = MAX_CANDIDATES + BITS  # positions that `_find_above` may write


@kernel(inline=True)
def guess_offsets(rows, k2, gap, lanes, ordinary):
    """Initialise the offsets of rows by extrapolation from their sums, and their lower bounds.

    Rows are not ordinary if their squares might leave the range of the type, if an entry is not
    finite, or if their sparseness is close to the target or exceeds it.
    """
    n = float(rows.shape[1])
    largest = LARGEST_DOUBLE if rows.itemsize == 8 else LARGEST_SINGLE
    for lane in range(len(rows)):
        zero = rows.dtype.type(0)
        lanes.s1[lane], lanes.s2[lane], lanes.d[lane] = _sums_above(rows[lane], zero)
    for lane in range(LANES):  # idle ones included: always the same instructions
        s1, s2, d = lanes.s1[lane], lanes.s2[lane], lanes.d[lane]
        in_range = 1.0 / largest < s2 < largest
        ordinary[lane] = in_range and s1 * s1 - k2 * s2 > ROUNDING * s1 * s1
        bound = (1.0 - ROUNDING) * step_to_root(s1, s2, n, n, k2, gap)
        guess = extrapolate_to_root(s1, s2, d, k2)  # from the positive entries
        lanes.lower_bound[lane] = bound
        lanes.alpha[lane] = guess if guess > bound else bound


@kernel(inline=True)
def improve_lower_bounds(rows, k2, gap, lanes):
    """Set the offsets to the best lower bounds that the sums above them yield."""
    n = float(rows.shape[1])
    single = rows.dtype.type
    for lane in range(len(rows)):
        guess = single(lanes.alpha[lane])
        lanes.alpha[lane] = guess
        lanes.s1[lane], lanes.s2[lane], lanes.d[lane] = _sums_above(rows[lane], guess)
    for lane in range(LANES):
        s1, s2, d = lanes.s1[lane], lanes.s2[lane], lanes.d[lane]
        step = step_to_root(s1, s2, d, n, k2, gap) - ROUNDING * s1 / d
        bound = max(lanes.lower_bound[lane], lanes.alpha[lane] + step)
        # If extrapolation went much too far, there is no root for so few survivors.
        bound = bound if excess(d, n, k2, gap) > 0.0 else lanes.lower_bound[lane]
        lanes.lower_bound[lane] = lanes.alpha[lane] = single(bound)


@kernel(inline=True)
def collect_candidates(rows, lanes, ordinary, positions, n_candidates, tile):
    """Write the magnitudes above the offset of each row to its column of `tile`.

    `positions` receives their indices. Rows with too many candidates become not ordinary. Returns
    the largest number of candidates; columns with fewer are filled up with zeros.
    """
    height = 0
    for lane in range(LANES):
        found = 0
        if lane < len(rows) and ordinary[lane]:
            found = _find_above(rows[lane], rows.dtype.type(lanes.alpha[lane]), positions[lane])
            if found > MAX_CANDIDATES:
                ordinary[lane] = False
                found = 0
            for i in range(found):
                tile[i, lane] = abs(np.float64(rows[lane, positions[lane, i]]))
        n_candidates[lane] = found
        height = max(height, found)
    for lane in range(LANES):
        tile[n_candidates[lane] : height, lane] = 0.0
    return height


@kernel(inline=True)
def _find_above(row, floor, positions):
    """Write the indices of the magnitudes above `floor`, and return their number.

    Stops when there are more than MAX_CANDIDATES.
    """
    found = 0
    n_masked = row.size - row.size % BITS
    for first in range(0, n_masked, BITS):
        low = large_entry_mask(row, first, floor)
        high = large_entry_mask(row, first + MASK_BITS, floor)
        bits = (np.uint64(high) << np.uint64(MASK_BITS)) | np.uint64(low)
        while bits != 0:
            positions[found] = first + lowest_bit(bits)
            found += 1
            bits &= bits - np.uint64(1)
        if found > MAX_CANDIDATES:
            return found
    for i in range(n_masked, row.size):  # without branches
        positions[found] = i
        found += abs(row[i]) > floor
    return found


@kernel(inline=True)
def copy_above(x, floor, target):
    """Copy the magnitudes above `floor`, and return their number; -1 if `target` is too small."""
    found = 0
    n_masked = x.size - x.size % BITS
    for first in range(0, n_masked, BITS):
        if found > target.size - BITS:
            return -1
        low = large_entry_mask(x, first, floor)
        high = large_entry_mask(x, first + MASK_BITS, floor)
        bits = (np.uint64(high) << np.uint64(MASK_BITS)) | np.uint64(low)
        while bits != 0:
            target[found] = abs(x[first + lowest_bit(bits)])
            found += 1
            bits &= bits - np.uint64(1)
    if found > target.size - BITS:
        return -1
    for i in range(n_masked, x.size):  # without branches
        target[found] = abs(x[i])
        found += abs(x[i]) > floor
    return found


@kernel(inline=True)
def _sums_above(row, alpha):
    """Return sum, sum of squares and number of the positive |row| - alpha, in the type of the row.

    The number is a float as well: integers are wider, and would halve the number of SIMD lanes.
    """
    zero, one = row.dtype.type(0), row.dtype.type(1)
    s1 = zero
    s2 = zero
    d = zero
    for i in range(row.size):
        t = abs(row[i]) - alpha
        kept = max(t, zero)
        s1 += kept
        s2 += kept * kept
        d += one if t > zero else zero
    return np.float64(s1), np.float64(s2), np.float64(d)
