r"""Iteration of the closed form over supports, the core of the default search for the offset.

The closed form of the representation theorem gives the root of :math:`\Psi` for the support
:math:`\{v > \alpha\}`. Applied repeatedly from the left of the root, it increases :math:`\alpha`
monotonically, and as soon as the support stays the same, :math:`\alpha` is the exact root. Each
pass is one branch-free sum over the entries, about the current :math:`\alpha` so that no digits
cancel. Far from the root, extrapolation saves passes.
"""

import numpy as np

from .closed_form import excess, extrapolate_to_root, step_to_root
from .jit import kernel
from .soft_thresholding import PAGE, excess_over_offset, largest_entry, shifted_sums

# Status of a search. TIED: k² or more entries tie for the largest, the projection is not unique.
FOUND, TIED, OUT_OF_RANGE, EXHAUSTED, NOT_FOUND = range(5)

# Bounds of loops that end on floating-point conditions. Random vectors take at most 8 iterations;
# after 100, the caller falls back to bisection.
MAX_ITERATIONS = 100
MAX_DESCENTS = 3  # steps back that are due to rounding: the support can alternate between two sizes
MAX_CAREFUL_ITERATIONS = 300  # bisection over all exponents of a double takes fewer

# The last step must be small compared with the mean of the survivors, or it might pass an entry:
# half of the 52 bits of a double, with a margin.
SMALL_STEP = 2.0**-30
# Extrapolation pays if s1² / (k² s2), which is 1 at the root, is larger than this.
FAR_FROM_ROOT = 2.0
# Below these, 20 or more of 52 bits cancel in the closed form: (d - k²) / d, and the mean survivor
# as a fraction of the offset. The careful search takes over.
SMALL_EXCESS = 2.0**-20
NEARLY_TIED = 2.0**-20


@kernel(inline=True)
def iterate_support(x, alpha, s1, s2, d, n, k2, gap, top, top1, top2, top_d):
    """Iterate the closed form from an offset on the left of the root.

    Parameters
    ----------
    x : array
        The entries that can change sides. Larger ones may be left out and given as sums instead.
    alpha : float
        Start, on the left of the root.
    s1, s2, d : float
        Sums over all entries above `alpha`, taken about it.
    n, k2, gap : float
        Length of the complete vector, k² and n - k².
    top, top1, top2, top_d : float
        Sums of the entries that are not in x because they exceed `top`, taken about `top`.

    Returns
    -------
    status, alpha, step, s1, s2, d
        The last offset, the remaining step from there to the root, and the sums at the offset.
    """
    previous_d = -1.0
    extrapolated = False
    descents = 0
    lower_bound = step = 0.0
    for _ in range(MAX_ITERATIONS):
        if excess(d, n, k2, gap) <= 0.0:
            # Too few survivors for any root: a tie, unless extrapolation went too far.
            if not extrapolated:
                return TIED, alpha, 0.0, s1, s2, d
            alpha = lower_bound + 0.25 * (alpha - lower_bound)
        else:
            step = step_to_root(s1, s2, d, n, k2, gap)
            # A step back after a plain step can only come from rounding. It must not alternate.
            descents += step < 0.0 and not extrapolated
            settled = d == previous_d and abs(step) * d <= SMALL_STEP * s1
            if settled or descents == MAX_DESCENTS or not np.isfinite(s2):
                return FOUND, alpha, step, s1, s2, d
            # The closed form never exceeds the root, even from its right: it omits the
            # smallest survivors, and the root for fewer of them is smaller.
            root = max(alpha + step, lower_bound) if extrapolated else alpha + step
            lower_bound = root
            previous_d = d
            extrapolated = False
            if s1 * s1 > FAR_FROM_ROOT * k2 * s2:
                guess = alpha + extrapolate_to_root(s1, s2, d, k2)
                if guess > root:
                    root = guess
                    extrapolated = True
                    previous_d = -1.0
            alpha = root
        # Sums about the new offset.
        s1, s2, d = shifted_sums(x, alpha)
        if top_d > 0.0:
            s1, s2, d = add_sums_above(s1, s2, d, top - alpha, top1, top2, top_d)
    return EXHAUSTED, alpha, step, s1, s2, d


@kernel(inline=True)
def add_sums_above(s1, s2, d, distance, top1, top2, top_d):
    """Add sums of `top_d` entries that were taken about an offset higher by `distance`."""
    s1 += top1 + top_d * distance
    s2 += top2 + distance * (2.0 * top1 + top_d * distance)
    return s1, s2, d + top_d


@kernel
def search_near_ties(x, n, k2, gap):
    """Find the offset of a vector whose largest entries differ by little more than rounding.

    Offsets are measured from the largest entry, where differences are exact, and the root is
    bracketed: the closed form is used where it falls into the bracket, bisection elsewhere. Slow.
    Returns the same as `find_offset`.
    """
    largest, tied = largest_entry(x)
    if tied >= k2:
        return TIED, largest, 0.0, 0.0, 0.0, tied
    # The bracket of the offset minus the largest entry.
    lo = -largest
    hi = 0.0
    shift = lo
    previous_d = -1.0
    s1 = s2 = d = step = 0.0
    for _ in range(MAX_CAREFUL_ITERATIONS):
        s1, s2, d = _sums_from(x, largest, shift)
        if s1 * s1 >= k2 * s2:
            lo = shift
        else:
            hi = shift
        surplus = excess(d, n, k2, gap)
        enough = surplus > 0.0
        step = 0.0
        if enough:  # the closed form; a second pass for the spread, where d s2 - s1² would cancel
            spread = _spread_from(x, largest, shift, s1 / d)
            step = s1 / d - np.sqrt(k2 * spread / (surplus * d))
        if d == previous_d and enough and abs(step) * d <= SMALL_STEP * s1:
            break
        previous_d = d
        candidate = shift + step
        if not (enough and lo < candidate < hi):
            # Bisect on a logarithmic scale: ties can be arbitrarily close to the largest entry.
            candidate = -np.sqrt(lo * hi) if hi < 0.0 else lo / 1024.0
        if not lo < candidate < hi:  # no number is left between the bounds
            break
        shift = candidate
    if not lo <= shift + step <= hi:
        step = 0.0
    if d == 0.0:  # rounding led beyond the largest entry
        shift = lo
        step = 0.0
        s1, s2, d = _sums_from(x, largest, shift)
    # Move the sums to the root.
    s2 -= step * (2.0 * s1 - d * step)
    s1 -= d * step
    return FOUND, largest, shift + step, s2 + (largest + (shift + step)) * s1, s2, d


@kernel(in_order=True)
def _sums_from(x, ref, shift):
    """Return sum, sum of squares and number of the positive (|x| - ref) - shift."""
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
    """Return the sum of squared differences of the positive (|x| - ref) - shift from their mean."""
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
def finish_search(x, status, alpha, step, s1, s2, d, n, k2, gap):
    """Turn the end of an iteration into an offset; search near ties where digits have cancelled.

    Returns the same as `find_offset`.
    """
    tied = status == TIED or s1 < NEARLY_TIED * alpha * d
    cancelled = excess(d, n, k2, gap) < SMALL_EXCESS * d
    if tied or cancelled or abs(step) * d > SMALL_STEP * s1:
        return search_near_ties(x, n, k2, gap)
    # Move the sums to the root.
    s2 -= step * (2.0 * s1 - d * step)
    s1 -= d * step
    return status, alpha, step, s2 + (alpha + step) * s1, s2, d
