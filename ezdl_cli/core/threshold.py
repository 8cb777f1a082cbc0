r"""The offset :math:`\alpha^*` of the projection, by the fastest exact method known here.

With :math:`v = |x|`, the projection is :math:`\beta\max(v - \alpha^* e, 0)` up to signs, where
:math:`\alpha^*` is the root of

.. math:: \Psi(\alpha) = \ell_1(\alpha)/\ell_2(\alpha) - k,

:math:`\ell_1, \ell_2` are the norms of :math:`\max(v - \alpha e, 0)`, and
:math:`k = \sqrt n - \sigma(\sqrt n - 1)` is the ratio of the target norms (paper, sect. 2.2).

*Climbing*: the closed form of the representation theorem gives the root for the support
:math:`\{v > \alpha\}`. Taken again and again from the left it rises monotonically, and once the
support stays the same it is the exact root. A pass is one branch-free sum, shifted by the current
:math:`\alpha` so that no digits cancel.

*Sampling*: long vectors are too large for many passes. A sparse sample of blocks yields the root
and its standard error, a denser sample the same more closely, until one pass over all entries
only has to sum what lies above the bracket and to gather the few entries inside it; climbing on
these settles the support exactly. A bracket that misses costs time, never exactness.
"""

import numpy as np

from .jit import kernel
from .prefetch import prefetch

# How a search ended. TIED: the k² or more largest entries are equal, the answer is not unique.
FOUND, TIED, OUT_OF_RANGE, EXHAUSTED, MISSED = range(5)

MAX_CLIMBS = 100  # far more than were ever seen; the caller then bisects
MAX_DESCENTS = 3
CLOSE = 2.0**-10  # last step over mean survivor: from farther off, digits may have cancelled
FAR = 2.0  # s1² / (k² s2) from which a leap is taken
BOLDNESS = 0.96
NEARLY_TIED = 2.0**-20  # mean survivor over offset below which the offset's rounding matters
SMALLEST_SQUARES, LARGEST_SQUARES = 1e-200, 1e200  # sums of squares that keep all their digits

PAGE = 1 << 12  # entries that are summed or written in one go
SAMPLE_FROM = 1 << 18  # entries from which sampling pays
DENSER = 16  # each sample has so many times the entries of the one before
FIRST_SAMPLE = 4096  # entries at least
SCRATCH = 96 * 1024  # entries that a bracket may hold: 768 KiB
FEW_SURVIVORS = 64  # with fewer in a sample, its root only bounds the true one
ERRORS_WIDE = 4.0  # half the width of a bracket, in standard errors
MAX_MISSES = 4
BLOCK = 128  # entries that are sampled together
GROUP = 32  # entries that are searched together for some inside the bracket
AHEAD = 4  # blocks from the one that is summed to the one that is fetched


@kernel(inline=True)
def magnitude(entry):
    """Absolute value in double precision, whatever the precision of the vector."""
    return abs(np.float64(entry))


@kernel(inline=True, in_order=True)
def survivor(entry, ref, shift):
    """(|entry| - ref) - shift, where the first difference is exact for entries near `ref`."""
    return (magnitude(entry) - ref) - shift


@kernel(inline=True, in_order=True)
def _shrunk(entry, ref, shift, scale):
    """scale · sign(entry) · max((|entry| - ref) - shift, 0), and never a negative zero."""
    kept = max((magnitude(entry) - ref) - shift, 0.0)
    return np.copysign(scale * kept, np.float64(entry)) + 0.0


@kernel(inline=True)
def shrink(x, out, ref, shift, scale):
    """Write scale · sign(x) · max((|x| - ref) - shift, 0)."""
    if x.ctypes.data == out.ctypes.data:  # a loop of its own, or it would not vectorise
        _shrink_in_place(out, ref, shift, scale)
    else:
        for i in range(x.size):
            out[i] = _shrunk(x[i], ref, shift, scale)


@kernel
def _shrink_in_place(x, ref, shift, scale):
    """The same page by page from the end, which was read last and may still be in the cache."""
    for stop in range(x.size, 0, -PAGE):
        page = x[max(stop - PAGE, 0) : stop]
        for i in range(page.size):
            page[i] = _shrunk(page[i], ref, shift, scale)


@kernel(inline=True)
def rounding_tolerance(x):
    """Relative difference of s1² and k² s2 that is put down to the rounding of the entries."""
    return 16.0 * np.finfo(x.dtype).eps


@kernel(inline=True)
def shifted_sums(x, shift):
    """Sum, sum of squares and number of the positive |x| - shift; NaN if there is one."""
    if x.size <= PAGE:
        return _page_sums(x, shift)
    s1 = 0.0
    s2 = 0.0
    d = 0.0
    for start in range(0, x.size, PAGE):  # sums of sums: less rounding
        page1, page2, page_d = _page_sums(x[start : start + PAGE], shift)
        s1 += page1
        s2 += page2
        d += page_d
    return s1, s2, d


@kernel(inline=True)
def _page_sums(x, shift):
    """The same for a page."""
    s1 = 0.0
    s2 = 0.0
    d = 0
    for i in range(x.size):
        t = magnitude(x[i]) - shift
        kept = 0.0 if t <= 0.0 else t  # this way round NaN is kept
        s1 += kept
        s2 += kept * kept
        d += t > 0.0
    return s1, s2, float(d)


@kernel(inline=True)
def step_to_root(s1, s2, d, n, gap):
    """Way to the root for a fixed support of d entries, from the sums at the current offset.

    `gap` is n - k²; d - k² = (d - n) + gap does not cancel at d = n.
    """
    spread = max(d * s2 - s1 * s1, 0.0)
    return s1 / d - np.sqrt((n - gap) * spread / (((d - n) + gap) * d * d))


@kernel(inline=True)
def leap_towards_root(s1, s2, d, k2):
    """A bold step for a start that is far on the left: the root if the tail were a Pareto tail.

    A generalised Pareto law with shape xi (-1 uniform, 0 exponential, positive heavy) has
    s1² / (d s2) = (1 - 2 xi) / (2 - 2 xi) above any offset, and the root is
    scale · (r^xi - 1) / xi ahead, with r = s1² / (k² s2) and scale = (1 - xi) s1 / d.
    The logarithm and the power are replaced by simple quotients: near enough.
    """
    y = np.sqrt(s1 / np.sqrt(s2 * k2))
    logarithm = 8.0 * (y - 1.0) / (y + 1.0)
    q = s1 * s1 / (d * s2)
    xi = (0.5 - q) / (1.0 - q)
    z = xi * logarithm
    return BOLDNESS * (1.0 - xi) * s1 * logarithm / (d * (1.0 - z * (0.5 - z / 12.0)))


@kernel(inline=True)
def _climb(x, shift, s1, s2, d, n, gap, above, above1, above2, above_d):
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
            s1, s2, d = _with_above(s1, s2, d, above - shift, above1, above2, above_d)
    return EXHAUSTED, shift, step, s1, s2, d


@kernel(inline=True)
def _with_above(s1, s2, d, up, above1, above2, above_d):
    """Add entries whose sums were taken about an offset that is higher by `up`."""
    s1 += above1 + above_d * up
    s2 += above2 + up * (2.0 * above1 + above_d * up)
    return s1, s2, d + above_d


@kernel
def _gather(x, stride, lo, hi, scratch):
    """Gather what lies in (lo, hi], and sum about `hi` what lies above, in every stride-th block.

    Returns the sums, the number above, the number gathered (-1 if they do not fit into
    `scratch`), and the number of entries looked at.
    """
    above1 = 0.0
    above2 = 0.0
    above_d = 0
    gathered = 0
    looked_at = 0
    for start in range(0, x.size, BLOCK * stride):
        stop = min(start + BLOCK, x.size)
        ahead = start + AHEAD * BLOCK * stride
        for line in range(0, BLOCK, 8):
            prefetch(x, ahead + line)
        s1 = 0.0
        s2 = 0.0
        d = 0
        d_lo = 0
        for i in range(start, stop):
            v = magnitude(x[i])
            t = v - hi
            kept = 0.0 if t <= 0.0 else t
            s1 += kept
            s2 += kept * kept
            d += t > 0.0
            d_lo += v > lo
        above1 += s1
        above2 += s2
        above_d += d
        looked_at += stop - start
        if d_lo == d:
            continue
        if gathered > scratch.size - BLOCK:
            return above1, above2, float(above_d), -1, float(looked_at)
        for group in range(start, stop - GROUP + 1, GROUP):
            inside = 0
            for j in range(GROUP):
                v = magnitude(x[group + j])
                inside |= np.int64((v > lo) & (v <= hi))
            if inside:
                for j in range(GROUP):
                    v = magnitude(x[group + j])
                    scratch[gathered] = v
                    gathered += (v > lo) & (v <= hi)
        for i in range(stop - (stop - start) % GROUP, stop):
            v = magnitude(x[i])
            scratch[gathered] = v
            gathered += (v > lo) & (v <= hi)
    return above1, above2, float(above_d), gathered, float(looked_at)


@kernel
def _sample(x, gap, scratch):
    """Root of a long vector from ever denser samples; MISSED if that did not work."""
    n = float(x.size)
    nothing = (MISSED, 0.0, 0.0, 0.0, 0.0, 0.0)
    stride = 1
    while x.size // (stride * DENSER) >= FIRST_SAMPLE:
        stride *= DENSER
    lo = 0.0
    hi = np.inf
    misses = 0
    while misses < MAX_MISSES:
        above1, above2, above_d, gathered, m = _gather(x, stride, lo, hi, scratch)
        if gathered < 0 or not np.isfinite(above2):
            return nothing
        k2 = (1.0 - gap / n) * m
        few = stride > 1 and k2 < FEW_SURVIVORS
        if few:
            k2 = float(FEW_SURVIVORS)  # its root is on the left of the wanted one
        inside = scratch[:gathered]
        s1, s2, d = shifted_sums(inside, lo)
        if above_d > 0.0:
            s1, s2, d = _with_above(s1, s2, d, hi - lo, above1, above2, above_d)
        sample_gap = m - k2 if stride > 1 else gap
        status, shift, step, s1, s2, d = _climb(
            inside, lo, s1, s2, d, m, sample_gap, hi, above1, above2, above_d
        )
        if status != FOUND or not s1 > 0.0:
            return nothing
        alpha = shift + step
        if not lo <= alpha <= hi:
            misses += 1
            outside = 2.0 * max(lo - alpha, alpha - hi)
            lo, hi = max(alpha - outside, 0.0), alpha + outside
        elif stride == 1:
            return FOUND, shift, step, s1, s2, d
        elif few:
            stride //= DENSER
            lo, hi = alpha, np.inf
        else:
            stride //= DENSER
            error = ERRORS_WIDE * s2 / s1 * np.sqrt(k2) / (2.0 * (d - k2))
            lo, hi = max(alpha - error, 0.0), alpha + error
    return nothing


@kernel(inline=True)
def bits_of(value):
    """A number that is not negative, as the integer that orders it: integers vectorise better."""
    return np.float64(value).view(np.int64)


@kernel(inline=True)
def value_of(bits):
    """The number again."""
    return np.int64(bits).view(np.float64)


@kernel
def largest_entry(x):
    """The largest |entry|, and how often it occurs."""
    bits = bits_of(0.0)
    for i in range(x.size):
        bits = max(bits, bits_of(magnitude(x[i])))
    largest = value_of(bits)
    tied = 0
    for i in range(x.size):
        tied += magnitude(x[i]) == largest
    return largest, float(tied)


@kernel
def _climb_among_near_ties(x, n, gap):
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
        return _climb_among_near_ties(x, n, gap)
    s2 -= step * (2.0 * s1 - d * step)
    s1 -= d * step
    return status, shift, step, s2 + (shift + step) * s1, s2, d


@kernel(inline=True)
def settle_without_search(s1, s2, positive, n, gap, tolerance):
    """Cases that the sums of |x| settle: returns as `find_threshold` does, or MISSED."""
    if not SMALLEST_SQUARES < s2 < LARGEST_SQUARES:
        return OUT_OF_RANGE, 0.0, 0.0, 0.0, s2, positive
    surplus = s1 * s1 - (n - gap) * s2
    if abs(surplus) <= tolerance * s1 * s1:  # already as sparse as wanted: zeros stay zeros
        return FOUND, 0.0, 0.0, s2, s2, positive
    if surplus < 0.0:  # sparser than wanted: all entries survive
        step = max(step_to_root(s1, s2, n, n, gap), -1e20 * s1)  # beyond, entries round to equal
        return FOUND, 0.0, step, s2 - step * s1, s2 - step * (2.0 * s1 - n * step), n
    return MISSED, 0.0, 0.0, 0.0, s2, positive


@kernel
def find_threshold(x, gap, tolerance, scratch):
    """Search the offset for one vector; `gap` is n - k².

    Returns how the search ended; `ref` and `shift` such that the survivors are the positive
    ``(|x| - ref) - shift``; and their product with |x|, their sum of squares and their number.
    Where the answer is not unique (TIED), `ref` is the largest entry and the number is how often
    it occurs.
    """
    n = float(x.size)
    if x.size >= SAMPLE_FROM:
        status, shift, step, s1, s2, d = _sample(x, gap, scratch)
        if status == FOUND and SMALLEST_SQUARES < s2 < LARGEST_SQUARES:
            return settle(x, status, shift, step, s1, s2, d, n, gap)
    s1, s2, d = shifted_sums(x, 0.0)
    settled = settle_without_search(s1, s2, d, n, gap, tolerance)
    if settled[0] != MISSED:
        return settled
    status, shift, step, s1, s2, d = _climb(x, 0.0, s1, s2, d, n, gap, 0.0, 0.0, 0.0, 0.0)
    return settle(x, status, shift, step, s1, s2, d, n, gap)
