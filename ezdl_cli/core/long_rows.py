"""Search for the offset in long rows, which do not fit into the cache, with few passes over them.

A subsample of blocks yields the root and its standard error, a larger subsample the same more
precisely, until one pass over all entries only has to sum what lies above a narrow bracket and to
collect the few entries inside it. `iterate_support` on these settles the support exactly. A bracket
that misses the root costs time, never exactness.
"""

import numpy as np

from .jit import kernel
from .simd import prefetch
from .soft_thresholding import magnitude, shifted_sums
from .support_iteration import FOUND, NOT_FOUND, add_sums_above, iterate_support

LONG_ROW = 1 << 18  # entries from which subsampling is faster: 2 MiB exceed a level-2 cache
VERY_LONG_ROW = 1 << 28  # entries from which a bracket from every 16th block exceeds the scratch
DENSITY_FACTOR = 16  # growth of the subsample from one pass to the next
MIN_SUBSAMPLE = 4096  # entries of the first subsample: a few percent of error, next to no time
SCRATCH_SIZE = 96 * 1024  # entries that a bracket may hold: 768 KiB, below the promised 1 MiB
MIN_SURVIVORS = 64  # with fewer of them in a subsample, its root is only a lower bound
STANDARD_ERRORS = 4.0  # half width of a bracket: misses one time in 16000 if errors are normal
MAX_MISSES = 4  # then the row has a structure that blocks do not represent: search it as a whole
BLOCK = 128  # consecutive entries of a subsample: whole cache lines, so that no memory is wasted
GROUP = 32  # entries that are tested together for any inside the bracket, without branches
PREFETCHED_BLOCKS = 4  # distance of the prefetch, which hides the latency of memory


@kernel
def find_offset_by_subsampling(x, full_k2, gap, scratch):
    """Find the root of a long vector from subsamples of increasing density.

    Returns the same as `iterate_support`, or the status NOT_FOUND.
    """
    n = float(x.size)
    nothing = (NOT_FOUND, 0.0, 0.0, 0.0, 0.0, 0.0)
    # The sparsest subsample that still has enough entries.
    stride = 1
    while x.size // (stride * DENSITY_FACTOR) >= MIN_SUBSAMPLE:
        stride *= DENSITY_FACTOR
    lo = 0.0
    hi = np.inf
    misses = 0
    while misses < MAX_MISSES:
        top1, top2, top_d, n_inside, m = _collect_bracket(x, stride, lo, hi, scratch)
        if n_inside < 0 or not np.isfinite(top2):
            return nothing
        # k² is proportional to the number of entries: the root is that of the complete vector.
        k2 = full_k2 * m / n
        few = stride > 1 and k2 < MIN_SURVIVORS
        if few:
            k2 = float(MIN_SURVIVORS)  # a smaller root, on the left of the wanted one
        # Sums at the lower end of the bracket, then the root of the subsample.
        inside = scratch[:n_inside]
        s1, s2, d = shifted_sums(inside, lo)
        if top_d > 0.0:
            s1, s2, d = add_sums_above(s1, s2, d, hi - lo, top1, top2, top_d)
        subsample_gap = m - k2 if stride > 1 else gap
        status, alpha, step, s1, s2, d = iterate_support(
            inside, lo, s1, s2, d, m, k2, subsample_gap, hi, top1, top2, top_d
        )
        if status != FOUND or not s1 > 0.0:
            return nothing
        root = alpha + step
        # Outside of the bracket the sums are not those of all survivors: widen it and try again.
        if not lo <= root <= hi:
            misses += 1
            outside = 2.0 * max(lo - root, root - hi)
            lo, hi = max(root - outside, 0.0), root + outside
            continue
        if stride == 1:
            return FOUND, alpha, step, s1, s2, d
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
    return nothing


@kernel
def _collect_bracket(x, stride, lo, hi, scratch):
    """Collect the magnitudes in (lo, hi] of every stride-th block, and sum those above `hi`.

    Returns
    -------
    top1, top2, top_d : float
        Sum, sum of squares (about `hi`) and number of the entries above `hi`.
    n_inside : int
        Number of entries written to `scratch`; -1 if they do not fit.
    m : float
        Number of entries of the subsample.
    """
    top1 = 0.0
    top2 = 0.0
    top_d = 0
    n_inside = 0
    m = 0
    for start in range(0, x.size, BLOCK * stride):
        stop = min(start + BLOCK, x.size)
        # The hardware does not foresee large strides.
        ahead = start + PREFETCHED_BLOCKS * BLOCK * stride
        for line in range(0, BLOCK, 8):
            prefetch(x, ahead + line)
        # Sums above the bracket, and the number of entries above its lower end.
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
        top1 += s1
        top2 += s2
        top_d += d
        m += stop - start
        if d_lo == d:  # nothing of this block is inside the bracket
            continue
        if n_inside > scratch.size - BLOCK:
            return top1, top2, float(top_d), -1, float(m)
        # Copy the entries inside. Most groups have none, which is found without branches.
        for group in range(start, stop - GROUP + 1, GROUP):
            inside = 0
            for j in range(GROUP):
                v = magnitude(x[group + j])
                inside |= np.int64((v > lo) & (v <= hi))
            if inside:
                for j in range(GROUP):
                    v = magnitude(x[group + j])
                    scratch[n_inside] = v
                    n_inside += (v > lo) & (v <= hi)
        for i in range(stop - (stop - start) % GROUP, stop):
            v = magnitude(x[i])
            scratch[n_inside] = v
            n_inside += (v > lo) & (v <= hi)
    return top1, top2, float(top_d), n_inside, float(m)
