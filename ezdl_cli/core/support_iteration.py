r"""Climbing to the root of the auxiliary function, the core of the fast search.

The closed form of the representation theorem gives the root for the support
:math:`\{v > \alpha\}`. Taken again and again from the left it rises monotonically, and once the
support stays the same it is the exact root. A pass is one branch-free sum, shifted by the current
:math:`\alpha` so that no digits cancel. Far from the root, leaps shorten the way.
"""

import numpy as np

from .closed_form import excess, extrapolate_to_root, step_to_root
from .jit import kernel
from .soft_thresholding import PAGE, excess_over_offset, largest_entry, shifted_sums

# How a search ended. TIED: the k² or more largest entries are equal, the answer is not unique.
FOUND, TIED, OUT_OF_RANGE, EXHAUSTED, NOT_FOUND = range(5)

MAX_ITERATIONS = 100  # far more than were ever seen; the caller then bisects
MAX_DESCENTS = 3
MAX_CAREFUL = 300
SMALL_STEP = 2.0**-30  # last step over mean survivor: from farther off it might pass an entry
FAR = 2.0  # s1² / (k² s2) from which a leap is taken
SMALL_EXCESS = 2.0**-20  # d - k² over d, below which the closed form loses too many digits
NEARLY_TIED = 2.0**-20  # mean survivor over offset below which the offset's rounding matters


@kernel(inline=True)
def iterate_support(x, shift, s1, s2, d, n, k2, gap, above, above1, above2, above_d):
    """Climb to the root from an offset on its left and the sums there.

    Entries larger than `above` are not among `x` but in their sums about it. Returns how it
    ended, the last offset, the step from it to the root, and the sums at the last offset.

    A leap can pass the root. The closed form leads back from there, never too far: it drops the
    smallest survivors, and the root for fewer of them is on the left of the true one.
    """
    previous = -1.0
    leapt = False
    descents = 0
    fallback = step = 0.0
    for _ in range(MAX_ITERATIONS):
        if excess(d, n, k2, gap) <= 0.0:
            if not leapt:
                return TIED, shift, 0.0, s1, s2, d
            shift = fallback + 0.25 * (shift - fallback)
        else:
            step = step_to_root(s1, s2, d, n, k2, gap)
            descents += step < 0.0 and not leapt  # rounding can overshoot, but must not swing
            settled = d == previous and abs(step) * d <= SMALL_STEP * s1
            if settled or descents == MAX_DESCENTS or not np.isfinite(s2):
                return FOUND, shift, step, s1, s2, d
            root = max(shift + step, fallback) if leapt else shift + step
            fallback = root
            previous = d
            leapt = False
            if s1 * s1 > FAR * k2 * s2:
                leap = shift + extrapolate_to_root(s1, s2, d, k2)
                if leap > root:
                    root = leap
                    leapt = True
                    previous = -1.0
            shift = root
        s1, s2, d = shifted_sums(x, shift)
        if above_d > 0.0:
            s1, s2, d = add_sums_above(s1, s2, d, above - shift, above1, above2, above_d)
    return EXHAUSTED, shift, step, s1, s2, d


@kernel(inline=True)
def add_sums_above(s1, s2, d, up, above1, above2, above_d):
    """Add entries whose sums were taken about an offset that is higher by `up`."""
    s1 += above1 + above_d * up
    s2 += above2 + up * (2.0 * above1 + above_d * up)
    return s1, s2, d + above_d


@kernel
def search_near_ties(x, n, k2, gap):
    """The slow and careful search, for entries that differ by little more than rounding.

    Offsets are measured from the largest entry, where differences are exact, and the root is kept
    between bounds: the closed form is taken where it falls between them. Returns as
    `find_threshold` does.
    """
    largest, tied = largest_entry(x)
    if tied >= k2:
        return TIED, largest, 0.0, 0.0, 0.0, tied
    lo = -largest
    hi = 0.0
    shift = lo
    previous = -1.0
    s1 = s2 = d = step = 0.0
    for _ in range(MAX_CAREFUL):
        s1, s2, d = _sums_from(x, largest, shift)
        if s1 * s1 >= k2 * s2:
            lo = shift
        else:
            hi = shift
        room = excess(d, n, k2, gap)
        enough = room > 0.0
        step = 0.0
        if enough:  # the closed form, with the spread from a pass of its own
            spread = _spread_from(x, largest, shift, s1 / d)
            step = s1 / d - np.sqrt(k2 * spread / (room * d))
        if d == previous and enough and abs(step) * d <= SMALL_STEP * s1:
            break
        previous = d
        following = shift + step
        if not (enough and lo < following < hi):
            following = -np.sqrt(lo * hi) if hi < 0.0 else lo / 1024.0
        if not lo < following < hi:  # nothing lies between the bounds
            break
        shift = following
    if not lo <= shift + step <= hi:
        step = 0.0
    if d == 0.0:  # rounding led beyond the largest entry
        shift = lo
        step = 0.0
        s1, s2, d = _sums_from(x, largest, shift)
    s2 -= step * (2.0 * s1 - d * step)
    s1 -= d * step
    return FOUND, largest, shift + step, s2 + (largest + (shift + step)) * s1, s2, d


@kernel(in_order=True)
def _sums_from(x, ref, shift):
    """Sum, sum of squares and number of the positive (|x| - ref) - shift."""
    s1 = 0.0
    s2 = 0.0
    d = 0.0
    for start in range(0, x.size, PAGE):
        page1 = 0.0
        page2 = 0.0
        for i in range(start, min(start + PAGE, x.size)):
            t = excess_over_offset(x[i], ref, shift)
            if t > 0.0:
                page1 += t
                page2 += t * t
                d += 1.0
        s1 += page1
        s2 += page2
    return s1, s2, d


@kernel(in_order=True)
def _spread_from(x, ref, shift, mean):
    """Sum of the squared deviations of the positive (|x| - ref) - shift from their mean."""
    total = 0.0
    for start in range(0, x.size, PAGE):
        page = 0.0
        for i in range(start, min(start + PAGE, x.size)):
            t = excess_over_offset(x[i], ref, shift)
            if t > 0.0:
                page += (t - mean) * (t - mean)
        total += page
    return total


@kernel(inline=True)
def finish_search(x, status, shift, step, s1, s2, d, n, k2, gap):
    """Turn the end of a search into an offset, or search with more care where it is needed.

    Returns as `find_threshold` does.
    """
    tied = status == TIED or s1 < NEARLY_TIED * shift * d
    scant = excess(d, n, k2, gap) < SMALL_EXCESS * d
    if tied or scant or abs(step) * d > SMALL_STEP * s1:
        return search_near_ties(x, n, k2, gap)
    s2 -= step * (2.0 * s1 - d * step)
    s1 -= d * step
    return status, shift, step, s2 + (shift + step) * s1, s2, d
