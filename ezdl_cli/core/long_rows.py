"""The search in long vectors: they are too large for many passes.

A sparse sample of blocks yields the root and its standard error, a denser sample the same more
closely, until one pass over all entries only has to sum what lies above the bracket and to gather
the few entries inside it; climbing on these settles the support exactly. A bracket that misses
costs time, never exactness.
"""

import numpy as np

from .jit import kernel
from .simd import prefetch
from .soft_thresholding import magnitude, shifted_sums
from .support_iteration import FOUND, NOT_FOUND, add_sums_above, iterate_support

LONG_ROW = 1 << 18  # entries from which sampling pays
VERY_LONG = 1 << 28
DENSER = 16  # each sample has so many times the entries of the one before
FIRST_SAMPLE = 4096  # entries at least
SCRATCH_SIZE = 96 * 1024  # entries that a bracket may hold: 768 KiB
FEW_SURVIVORS = 64  # with fewer in a sample, its root only bounds the true one
ERRORS_WIDE = 4.0  # half the width of a bracket, in standard errors
MAX_MISSES = 4
BLOCK = 128  # entries that are sampled together
GROUP = 32  # entries that are searched together for some inside the bracket
AHEAD = 4  # blocks from the one that is summed to the one that is fetched


@kernel
def find_offset_by_subsampling(x, full_k2, gap, scratch):
    """Root of a long vector from ever denser samples; MISSED if that did not work."""
    n = float(x.size)
    nothing = (NOT_FOUND, 0.0, 0.0, 0.0, 0.0, 0.0)
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
        k2 = full_k2 * m / n
        few = stride > 1 and k2 < FEW_SURVIVORS
        if few:
            k2 = float(FEW_SURVIVORS)  # its root is on the left of the wanted one
        inside = scratch[:gathered]
        s1, s2, d = shifted_sums(inside, lo)
        if above_d > 0.0:
            s1, s2, d = add_sums_above(s1, s2, d, hi - lo, above1, above2, above_d)
        sample_gap = m - k2 if stride > 1 else gap
        status, shift, step, s1, s2, d = iterate_support(
            inside, lo, s1, s2, d, m, k2, sample_gap, hi, above1, above2, above_d
        )
        if status != FOUND or not s1 > 0.0:
            return nothing
        alpha = shift + step
        if not lo <= alpha <= hi:
            misses += 1
            outside = 2.0 * max(lo - alpha, alpha - hi)
            lo, hi = max(alpha - outside, 0.0), alpha + outside
            continue
        if stride == 1:
            return FOUND, shift, step, s1, s2, d
        # A bracket from every sixteenth block of a very long vector would not fit.
        stride = 4 if stride == DENSER and x.size > VERY_LONG else max(stride // DENSER, 1)
        if few:
            lo, hi = alpha, np.inf
        else:
            error = ERRORS_WIDE * s2 / s1 * np.sqrt(k2) / (2.0 * (d - k2))
            lo, hi = max(alpha - error, 0.0), alpha + error
    return nothing


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
