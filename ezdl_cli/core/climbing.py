r"""Climbing to the root of the auxiliary function, the core of the fast search.

The closed form of the representation theorem gives the root for the support
:math:`\{v > \alpha\}`. Taken again and again from the left it rises monotonically, and once the
support stays the same it is the exact root. A pass is one branch-free sum, shifted by the current
:math:`\alpha` so that no digits cancel. Far from the root, leaps shorten the way.
"""

import numpy as np

from .entries import largest_entry, leap_towards_root, magnitude, shifted_sums, step_to_root
from .jit import kernel

# How a search ended. TIED: the k² or more largest entries are equal, the answer is not unique.
FOUND, TIED, OUT_OF_RANGE, EXHAUSTED, MISSED = range(5)

MAX_CLIMBS = 100  # far more than were ever seen; the caller then bisects
MAX_DESCENTS = 3
CLOSE = 2.0**-10  # last step over mean survivor: from farther off, digits may have cancelled
FAR = 2.0  # s1² / (k² s2) from which a leap is taken
NEARLY_TIED = 2.0**-20  # mean survivor over offset below which the offset's rounding matters


@kernel(inline=True)
def climb(x, shift, s1, s2, d, n, gap, above, above1, above2, above_d):
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
    for _ in range(MAX_CLIMBS):
        if (d - n) + gap <= 0.0:
            if not leapt:
                return TIED, shift, 0.0, s1, s2, d
            shift = fallback + 0.25 * (shift - fallback)
        else:
            step = step_to_root(s1, s2, d, n, gap)
            descents += step < 0.0 and not leapt  # rounding can overshoot, but must not swing
            settled = d == previous and abs(step) * d <= CLOSE * s1
            if settled or descents == MAX_DESCENTS or not np.isfinite(s2):
                return FOUND, shift, step, s1, s2, d
            root = max(shift + step, fallback) if leapt else shift + step
            fallback = root
            previous = d
            leapt = False
            if s1 * s1 > FAR * (n - gap) * s2:
                leap = shift + leap_towards_root(s1, s2, d, n - gap)
                if leap > root:
                    root = leap
                    leapt = True
                    previous = -1.0
            shift = root
        s1, s2, d = shifted_sums(x, shift)
        if above_d > 0.0:
            s1, s2, d = with_above(s1, s2, d, above - shift, above1, above2, above_d)
    return EXHAUSTED, shift, step, s1, s2, d


@kernel(inline=True)
def with_above(s1, s2, d, up, above1, above2, above_d):
    """Add entries whose sums were taken about an offset that is higher by `up`."""
    s1 += above1 + above_d * up
    s2 += above2 + up * (2.0 * above1 + above_d * up)
    return s1, s2, d + above_d


@kernel
def climb_among_near_ties(x, n, gap):
    """The search for entries that differ by little more than rounding; as `find_threshold`.

    All is measured from the largest entry, where differences are exact.
    """
    largest, tied = largest_entry(x)
    not_unique = (TIED, largest, 0.0, 0.0, 0.0, tied)
    if (tied - n) + gap >= 0.0:
        return not_unique
    shift = -np.inf
    previous = n + 1.0
    for _ in range(MAX_CLIMBS):
        s1 = 0.0
        s2 = 0.0
        d = 0.0
        for i in range(x.size):
            u = magnitude(x[i]) - largest
            if u > shift:
                s1 += u
                s2 += u * u
                d += 1.0
        if (d - n) + gap <= 0.0:
            return not_unique
        shift = step_to_root(s1, s2, d, n, gap)
        if d == previous:
            break
        previous = d
    s2 -= shift * (2.0 * s1 - d * shift)
    s1 -= d * shift
    return FOUND, largest, shift, s2 + (largest + shift) * s1, s2, d


@kernel(inline=True)
def settle(x, status, shift, step, s1, s2, d, n, gap):
    """Turn the end of a search into an offset, exact even among nearly tied entries.

    Returns as `find_threshold` does.
    """
    if status == TIED or (status == FOUND and s1 < NEARLY_TIED * shift * d):
        return climb_among_near_ties(x, n, gap)
    s2 -= step * (2.0 * s1 - d * step)
    s1 -= d * step
    return status, shift, step, s2 + (shift + step) * s1, s2, d
