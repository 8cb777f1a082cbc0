"""Kernels for long rows: brackets of the offset from subsamples, and the root in a bracket."""

import numpy as np

from .jit import kernel
from .simd import CACHE_LINE, MASK_BITS, large_entry_mask, lowest_bit, prefetch
from .soft_thresholding import magnitude, shifted_sums, shrink
from .support_iteration import (
    FOUND,
    NEARLY_TIED,
    SMALL_EXCESS,
    SMALL_STEP,
    add_sums_above,
    iterate_support,
)

VERY_LONG_ROW = 1 << 28  # entries from which a bracket from every 16th block exceeds the scratch
DENSITY_FACTOR = 16  # growth of the subsample from one pass to the next
MIN_SUBSAMPLE = 4096  # entries of the first subsample: a few percent of error, next to no time
MIN_SURVIVORS = 64  # with fewer of them in a subsample, its root is only a lower bound
STANDARD_ERRORS = 4.0  # half width of a bracket: misses one time in 16000 if errors are normal
MAX_PASSES = 8  # over subsamples; two or three are usual
SAMPLED_BLOCK = 256  # consecutive entries of a subsample: whole cache lines
BLOCK = 1024  # entries of a complete row that are summed together, from the first-level cache
PREFETCHED_BLOCKS = 2  # distance of the prefetch, which hides the latency of memory
SEGMENTS = 64  # parts of a row whose sums are taken separately
COUNT_INSIDE = 3  # column of the number of entries inside the bracket, in the sums of segments

# Sums of squares within these bounds come from entries whose squares neither overflow nor become
# subnormal, and survivors of this scale can be multiplied by any ordinary norm.
SMALLEST_SQUARES, LARGEST_SQUARES = 1e-60, 1e60


@kernel
def estimate_bracket(x, full_k2, scratch):
    """Return a bracket of the root from subsamples of increasing density; empty on failure."""
    n = float(x.size)
    # The sparsest subsample that still has enough entries.
    stride = 1
    while x.size // (stride * DENSITY_FACTOR) >= MIN_SUBSAMPLE:
        stride *= DENSITY_FACTOR
    lo = 0.0
    hi = np.inf
    for _ in range(MAX_PASSES):
        lo, hi = _rounded(lo, hi, x)
        if stride == 1:
            return lo, hi
        top1, top2, top_d, n_inside, m = _collect_blocks(
            x, 0, x.size, SAMPLED_BLOCK, stride, lo, hi, scratch
        )
        if n_inside > scratch.size - SAMPLED_BLOCK or not np.isfinite(top2):
            break
        # k² is proportional to the number of entries: the root is that of the complete vector.
        k2 = full_k2 * m / n
        few = k2 < MIN_SURVIVORS
        if few:
            k2 = float(MIN_SURVIVORS)  # a smaller root, on the left of the wanted one
        inside = scratch[:n_inside]
        status, alpha, step, s1, s2, d = _iterate(inside, lo, hi, top1, top2, top_d, m, k2, m - k2)
        if status != FOUND or not s1 > 0.0:
            break
        root = alpha + step
        # Outside of the bracket the sums are not those of all survivors: widen it and try again.
        if not lo <= root <= hi:
            lo, hi = _widened(lo, hi, root)
            continue
        # The next subsample is denser, and its bracket is the confidence interval of this root.
        if stride == DENSITY_FACTOR and x.size > VERY_LONG_ROW:
            stride = 4
        else:
            stride = max(stride // DENSITY_FACTOR, 1)
        if few:
            lo, hi = root, np.inf
        else:
            error = STANDARD_ERRORS * s2 / s1 * np.sqrt(k2) / (2.0 * (d - k2))
            lo, hi = max(root - error, 0.0), root + error
    return 0.0, 0.0


@kernel
def collect_segments(x, first, last, lo, hi, sums, scratch):
    """Collect the entries inside a bracket, in the segments from `first` to before `last`.

    Writes for each segment sum, sum of squares and number of the entries above the bracket, and
    the number of those inside. They are complete in `scratch` if at most its size less BLOCK.
    """
    n_blocks = -(-x.size // BLOCK)
    stored = 0
    for segment in range(first, last):
        start = BLOCK * (n_blocks * segment // SEGMENTS)
        stop = min(BLOCK * (n_blocks * (segment + 1) // SEGMENTS), x.size)
        free = scratch[min(stored, scratch.size) :]
        top1, top2, top_d, n_inside, _ = _collect_blocks(x, start, stop, BLOCK, 1, lo, hi, free)
        stored += n_inside
        sums[segment, 0] = top1
        sums[segment, 1] = top2
        sums[segment, 2] = top_d
        sums[segment, 3] = n_inside


@kernel
def root_in_bracket(inside, sums, lo, hi, n, k2, gap):
    """Find the root from the entries inside a bracket and the sums of those above.

    Returns
    -------
    found : bool
        If false, `lo` and `hi` are a wider bracket to try next; empty if the search failed.
    lo, hi : float
        If found, `lo` is the offset up to `step`.
    step, inner, squares : float
        As `finish_search` returns them.
    """
    top1 = top2 = top_d = 0.0
    for segment in range(len(sums)):
        top1 += sums[segment, 0]
        top2 += sums[segment, 1]
        top_d += sums[segment, 2]
    if not np.isfinite(top2):
        return False, 0.0, 0.0, 0.0, 0.0, 0.0
    status, alpha, step, s1, s2, d = _iterate(inside, lo, hi, top1, top2, top_d, n, k2, gap)
    root = alpha + step
    # The special cases of `finish_search` are left to the general search.
    special = s1 < NEARLY_TIED * alpha * d or d - k2 < SMALL_EXCESS * d
    if status != FOUND or special or not SMALLEST_SQUARES < s2 < LARGEST_SQUARES:
        return False, 0.0, 0.0, 0.0, 0.0, 0.0
    if not lo <= root <= hi:
        lo, hi = _widened(lo, hi, root)
        return False, lo, hi, 0.0, 0.0, 0.0
    if abs(step) * d > SMALL_STEP * s1:
        return False, 0.0, 0.0, 0.0, 0.0, 0.0
    # Move the sums to the root.
    s2 -= step * (2.0 * s1 - d * step)
    s1 -= d * step
    return True, alpha, hi, step, s2 + root * s1, s2


def scale_for_norm(inner, squares, norm):
    """Return the factor β for a norm, or for the nearest point of any norm if it is 0."""
    return norm / np.sqrt(squares) if norm > 0.0 else inner / squares


@kernel
def shrink_part(x, out, ref, shift, scale):
    """Call `shrink` on a part of a row."""
    shrink(x, out, ref, shift, scale)


@kernel
def _iterate(inside, lo, hi, top1, top2, top_d, n, k2, gap):
    """Call `iterate_support` from the lower end of a bracket, on the entries inside."""
    s1, s2, d = shifted_sums(inside, lo)
    if top_d > 0.0:
        s1, s2, d = add_sums_above(s1, s2, d, hi - lo, top1, top2, top_d)
    return iterate_support(inside, lo, s1, s2, d, n, k2, gap, hi, top1, top2, top_d)


@kernel(inline=True)
def _rounded(lo, hi, x):
    """Round the ends of a bracket to the type of x."""
    return np.float64(x.dtype.type(lo)), np.float64(x.dtype.type(hi))


@kernel(inline=True)
def _widened(lo, hi, root):
    """Return a bracket about a root outside of (lo, hi], twice as far from it as the bracket."""
    outside = 2.0 * max(lo - root, root - hi)
    return max(root - outside, 0.0), root + outside


@kernel
def _collect_blocks(x, first, last, size, stride, lo, hi, scratch):
    """Collect the magnitudes in (lo, hi] of every stride-th block, and sum those above `hi`.

    Blocks have `size` entries; the first one starts at `first`, and they end before `last`.

    Returns
    -------
    top1, top2, top_d : float
        Sum, sum of squares (about `hi`) and number of the entries above `hi`.
    n_inside : int
        Number of entries inside; all are in `scratch` if at most its size less `size`.
    m : float
        Number of entries of the subsample.
    """
    top1 = 0.0
    top2 = 0.0
    top_d = 0.0
    n_inside = 0
    m = 0
    for start in range(first, last, stride * size):
        block = x[start : min(start + size, last)]
        # The hardware does not foresee large strides, and stops at the end of a page.
        ahead = start + PREFETCHED_BLOCKS * size * stride
        for line in range(0, size, CACHE_LINE // x.itemsize):
            prefetch(x, ahead + line)
        s1, s2, d, d_lo = _sums_above_bracket(block, lo, hi)
        top1 += s1
        top2 += s2
        top_d += d
        m += block.size
        if d_lo > d:
            if n_inside <= scratch.size - size:
                _copy_inside(block, lo, hi, scratch[n_inside:])
            n_inside += int(d_lo - d)
    return top1, top2, top_d, n_inside, float(m)


@kernel(inline=True)
def _sums_above_bracket(block, lo, hi):
    """Return sums and number of the entries above `hi`, and the number of those above `lo`.

    NaN propagates to the sums.
    """
    s1 = 0.0
    s2 = 0.0
    d = 0.0
    d_lo = 0.0
    for i in range(block.size):
        v = magnitude(block[i])
        t = v - hi
        kept = 0.0 if t < 0.0 else t
        s1 += kept
        s2 += kept * kept
        d += 1.0 if t > 0.0 else 0.0
        d_lo += 1.0 if v > lo else 0.0
    return s1, s2, d, d_lo


@kernel(inline=True)
def _copy_inside(block, lo, hi, target):
    """Copy the few magnitudes in (lo, hi]."""
    found = 0
    # The ends have the type of the entries, see `_rounded`: comparisons are exact.
    low, high = block.dtype.type(lo), block.dtype.type(hi)
    n_masked = block.size - block.size % MASK_BITS
    for first in range(0, n_masked, MASK_BITS):
        bits = large_entry_mask(block, first, low) & ~large_entry_mask(block, first, high)
        while bits != 0:
            target[found] = magnitude(block[first + lowest_bit(bits)])
            found += 1
            bits &= bits - np.uint32(1)
    for i in range(n_masked, block.size):  # without branches
        v = magnitude(block[i])
        target[found] = v
        found += (v > lo) & (v <= hi)
