"""The projection of filter responses to a sparseness, as a list of the few survivors.

Learning needs the survivors alone, thousands of times a second, and the vectors are alike: the
offset is about the same share of the largest entry each time. So the entries above a guess are
gathered, and the offset is searched among them; if it is not below the guess, the answer is that
of the whole vector. If it is, more entries are gathered, then all. This leaves out the care that
`project` takes of entries that differ by rounding alone, and compiles in a fraction of its time.
"""

import numpy as np

from ..core.closed_form import excess, step_to_root
from ..core.jit import kernel
from ..core.projection import spread_over_ties
from ..core.simd import MASK_BITS, large_entry_mask, lowest_bit
from ..core.soft_thresholding import bits_of, largest_entry, magnitude, value_of
from ..core.support_iteration import NEARLY_TIED

FIRST_GUESS = 0.3  # offset over the largest entry
BOLDER, SHYER = 1.002, 0.95  # what becomes of the guess if it was right or wrong: 4 % are wrong
LARGEST_GUESS = 0.95
SECOND_GUESS = 0.5  # share of the first
MAX_CLIMBS = 50


@kernel(inline=True)
def project_to_sparse_code(u, target, guess, where, values, dense):
    """Survivors of the projection of u, with unit norm.

    Their number is returned, their places are in `where` and their values in `values`, which have
    room for all entries and one more. `guess`, of one entry, is used and improved.
    """
    largest = _largest(u)
    if not 0.0 < largest < np.inf:
        return 0
    if u.size == 1:
        where[0] = 0
        values[0] = np.copysign(1.0, u[0])
        return 1
    for share in (1.0, SECOND_GUESS):
        floor = u.dtype.type(share * guess[0] * largest)
        found = _gather(u, floor, where, values)
        alpha = _climb(values[:found], floor, float(u.size), target.k2, target.gap)
        if not np.isnan(alpha):
            guess[0] = min(guess[0] * (BOLDER if share == 1.0 else SHYER), LARGEST_GUESS)
            return _shrink(u, alpha, found, where, values)
    guess[0] *= SHYER
    found = _gather(u, u.dtype.type(-1), where, values)
    alpha = _offset_of_all(values[:found], target.k2, target.gap)
    if not np.isnan(alpha):
        return _shrink(u, alpha, found, where, values)
    _spread_over_near_ties(u, largest, target, dense)
    return nonzeros(dense, where, values)


@kernel(inline=True)
def nonzeros(dense, where, values):
    """Places and values of the entries that are not zero; their number."""
    found = 0
    for i in range(dense.size):
        where[found] = i
        values[found] = dense[i]
        found += dense[i] != 0.0
    return found


@kernel(inline=True)
def _largest(u):
    """Largest magnitude; NaN counts as infinite."""
    bits = bits_of(0.0)
    for i in range(u.size):
        bits = max(bits, bits_of(magnitude(u[i])))
    return value_of(bits)


@kernel(inline=True)
def _gather(u, floor, where, values):
    """Places and magnitudes of the entries above `floor`; their number."""
    found = 0
    whole = u.size - u.size % MASK_BITS
    for first in range(0, whole, MASK_BITS):
        bits = large_entry_mask(u, first, floor)
        while bits != 0:
            i = first + lowest_bit(bits)
            where[found] = i
            values[found] = abs(u[i])
            found += 1
            bits &= bits - np.uint32(1)
    for i in range(whole, u.size):  # without branches
        v = abs(u[i])
        where[found] = i
        values[found] = v
        found += v > floor
    return found


@kernel(inline=True)
def _climb(values, floor, n, k2, gap):
    """Offset for a vector of n entries of which those above `floor` are given.

    NaN if it is below `floor`, or if the largest entries are equal, or nearly so.
    """
    shift = np.float64(floor)
    previous = -1.0
    for _ in range(MAX_CLIMBS):
        s1, s2, d = _sums(values, shift)
        if excess(d, n, k2, gap) <= 0.0:
            break
        if d == previous:
            return shift if s1 > NEARLY_TIED * shift * d else np.nan
        step = step_to_root(s1, s2, d, n, k2, gap)
        if step < 0.0:
            return np.nan if previous < 0.0 else shift
        previous = d
        shift += step
    return np.nan


@kernel(inline=True)
def _offset_of_all(values, k2, gap):
    """Offset for all magnitudes of a vector; negative if it is sparser than wanted."""
    n = float(values.size)
    s1, s2, _ = _sums(values, 0.0)
    if s1 * s1 < k2 * s2:
        return step_to_root(s1, s2, n, n, k2, gap)
    return _climb(values, 0.0, n, k2, gap)


@kernel(inline=True)
def _spread_over_near_ties(u, largest, target, out):
    """A unit vector of the level set on the entries that are nearly the largest."""
    for i in range(u.size):
        near = magnitude(u[i]) > largest * (1.0 - 4.0 * NEARLY_TIED)
        out[i] = np.copysign(largest, u[i]) if near else 0.0
    _, tied = largest_entry(out)
    spread_over_ties(out, out, magnitude(out.dtype.type(largest)), tied, target)


@kernel(inline=True)
def _sums(values, shift):
    """Sum, sum of squares and number of the positive differences from an offset."""
    s1 = 0.0
    s2 = 0.0
    d = 0.0
    for i in range(values.size):
        kept = max(values[i] - shift, 0.0)
        s1 += kept
        s2 += kept * kept
        d += 1.0 if kept > 0.0 else 0.0
    return s1, s2, d


@kernel(inline=True)
def _shrink(u, alpha, found, where, values):
    """Turn gathered magnitudes into survivors with the signs of u and unit norm."""
    count = 0
    squares = 0.0
    for i in range(found):  # without branches: which entries survive cannot be foretold
        kept = values[i] - alpha
        place = where[i]
        where[count] = place
        values[count] = np.copysign(kept, u[place])
        squares += max(kept, 0.0) * kept
        count += kept > 0.0
    scale = 1.0 / np.sqrt(squares) if squares > 0.0 else 0.0
    for i in range(count):
        values[i] *= scale
    return count
