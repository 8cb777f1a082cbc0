"""Projection of filter responses to a target sparseness, as a list of the few nonzeros.

Learning needs only the nonzeros, thousands of times per second, and the vectors are similar: the
offset is about the same fraction of the largest entry each time. So the entries above a guess are
collected, and the offset is searched among them. If it is not below the guess, it is the offset of
the complete vector; otherwise more entries are collected, and finally all. Compared with `project`,
this omits the special treatment of entries that differ by rounding only, and compiles in a fraction
of the time.
"""

import numpy as np

from ..core.closed_form import excess, step_to_root
from ..core.jit import kernel
from ..core.projection import spread_over_ties
from ..core.simd import MASK_BITS, large_entry_mask, lowest_bit
from ..core.soft_thresholding import bits_of, largest_entry, magnitude, value_of
from ..core.support_iteration import NEARLY_TIED

FIRST_GUESS = 0.3  # offset relative to the largest entry; adapted from sample to sample
# Factors of the guess after a success and after a failure. In balance, the guess is too large for
# log(1.002) / (log(1.002) - log(0.95)) = 4 % of the vectors, which is the fastest.
GROW, SHRINK = 1.002, 0.95
LARGEST_GUESS = 0.95
SECOND_GUESS = 0.5  # relative to the first; used if that was too large
MAX_ITERATIONS = 50  # of the support; a handful is usual. Ties, which do not settle, end here


@kernel(inline=True)
def project_to_sparse_code(u, target, guess, support, values, dense):
    """Compute the nonzeros of the projection of u with unit norm, and return their number.

    `support` and `values` receive indices and values; they have space for all entries and one
    more. `guess` is an array of one entry, which is adapted. `dense` is workspace for all entries.
    """
    largest = _largest(u)
    if not 0.0 < largest < np.inf:
        return 0
    if u.size == 1:  # sparseness is not defined: the code is the sign
        support[0] = 0
        values[0] = np.copysign(1.0, u[0])
        return 1
    # Search among the entries above the guess, then above half of it.
    for fraction in (1.0, SECOND_GUESS):
        floor = u.dtype.type(fraction * guess[0] * largest)
        found = _collect(u, floor, support, values)
        alpha = _find_offset(values[:found], floor, float(u.size), target.k2, target.gap)
        if not np.isnan(alpha):
            guess[0] = min(guess[0] * (GROW if fraction == 1.0 else SHRINK), LARGEST_GUESS)
            return _shrink(u, alpha, found, support, values)
    # Search among all entries.
    guess[0] *= SHRINK
    found = _collect(u, u.dtype.type(-1), support, values)
    alpha = _find_offset_of_all(values[:found], target.k2, target.gap)
    if not np.isnan(alpha):
        return _shrink(u, alpha, found, support, values)
    # The largest entries are tied, at least nearly.
    _spread_over_near_ties(u, largest, target, dense)
    return nonzeros(dense, support, values)


@kernel(inline=True)
def nonzeros(dense, support, values):
    """Write indices and values of the nonzero entries, and return their number."""
    found = 0
    for i in range(dense.size):
        support[found] = i
        values[found] = dense[i]
        found += dense[i] != 0.0
    return found


@kernel(inline=True)
def _largest(u):
    """Return the largest magnitude; NaN counts as infinite."""
    bits = bits_of(0.0)
    for i in range(u.size):
        bits = max(bits, bits_of(magnitude(u[i])))
    return value_of(bits)


@kernel(inline=True)
def _collect(u, floor, support, values):
    """Collect indices and magnitudes of the entries above `floor`, and return their number."""
    found = 0
    n_masked = u.size - u.size % MASK_BITS
    # Compare a block of entries at a time, and visit the few bits that are set.
    for first in range(0, n_masked, MASK_BITS):
        bits = large_entry_mask(u, first, floor)
        while bits != 0:
            i = first + lowest_bit(bits)
            support[found] = i
            values[found] = abs(u[i])
            found += 1
            bits &= bits - np.uint32(1)
    for i in range(n_masked, u.size):  # without branches
        v = abs(u[i])
        support[found] = i
        values[found] = v
        found += v > floor
    return found


@kernel(inline=True)
def _find_offset(values, floor, n, k2, gap):
    """Find the offset of a vector of n entries, given those above `floor`.

    Returns NaN if the offset is below `floor`, or if the largest entries are tied or nearly so.
    """
    alpha = np.float64(floor)
    previous_d = -1.0
    for _ in range(MAX_ITERATIONS):
        s1, s2, d = _sums(values, alpha)
        if excess(d, n, k2, gap) <= 0.0:
            break
        if d == previous_d:
            return alpha if s1 > NEARLY_TIED * alpha * d else np.nan
        step = step_to_root(s1, s2, d, n, k2, gap)
        # To the left at first: the root is below `floor`. Later it is rounding: settled.
        if step < 0.0:
            return np.nan if previous_d < 0.0 else alpha
        previous_d = d
        alpha += step
    return np.nan


@kernel(inline=True)
def _find_offset_of_all(values, k2, gap):
    """Find the offset given all magnitudes; negative if the vector is sparser than the target."""
    n = float(values.size)
    s1, s2, _ = _sums(values, 0.0)
    if s1 * s1 < k2 * s2:
        return step_to_root(s1, s2, n, n, k2, gap)
    return _find_offset(values, 0.0, n, k2, gap)


@kernel(inline=True)
def _spread_over_near_ties(u, largest, target, out):
    """Write a unit vector of the target sparseness on the entries that nearly are the largest."""
    for i in range(u.size):
        near = magnitude(u[i]) > largest * (1.0 - 4.0 * NEARLY_TIED)
        out[i] = np.copysign(largest, u[i]) if near else 0.0
    _, tied = largest_entry(out)
    spread_over_ties(out, out, magnitude(out.dtype.type(largest)), tied, target)


@kernel(inline=True)
def _sums(values, alpha):
    """Return sum, sum of squares and number of the positive differences from an offset."""
    s1 = 0.0
    s2 = 0.0
    d = 0.0
    for i in range(values.size):
        kept = max(values[i] - alpha, 0.0)
        s1 += kept
        s2 += kept * kept
        d += 1.0 if kept > 0.0 else 0.0
    return s1, s2, d


@kernel(inline=True)
def _shrink(u, alpha, found, support, values):
    """Turn collected magnitudes into nonzeros with the signs of u and unit norm."""
    count = 0
    squares = 0.0
    for i in range(found):  # without branches: which entries survive cannot be predicted
        kept = values[i] - alpha
        index = support[i]
        support[count] = index
        values[count] = np.copysign(kept, u[index])
        squares += max(kept, 0.0) * kept
        count += kept > 0.0
    scale = 1.0 / np.sqrt(squares) if squares > 0.0 else 0.0
    for i in range(count):
        values[i] *= scale
    return count
