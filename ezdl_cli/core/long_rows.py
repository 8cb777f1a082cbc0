"""Projection of long rows, which do not fit into the cache, with few passes over them.

A subsample of blocks yields the root and its standard error, a larger subsample the same more
precisely, until one pass over all entries only has to sum what lies above a narrow bracket and to
collect the few entries inside it. `iterate_support` on these settles the support exactly. A bracket
that misses the root costs time, never exactness.

The two passes over all entries, one that collects and one that writes, are shared among threads.
Sums are taken over `SEGMENTS` parts of the row, whatever the number of threads, and added in order.
"""

import numpy as np

from ..parallel import for_each
from .brackets import (
    BLOCK,
    COUNT_INSIDE,
    SEGMENTS,
    collect_segments,
    estimate_bracket,
    root_in_bracket,
    scale_for_norm,
    shrink_part,
)
from .short_rows import DONE, PENDING

LONG_ROW = 1 << 18  # entries from which subsampling is faster: 2 MiB exceed a level-2 cache
SCRATCH_SIZE = 96 * 1024  # entries that a bracket may hold: 768 KiB, below the promised 1 MiB
MAX_THREADS = 8  # more do not help, since memory is the limit, and each needs a part of the scratch
MAX_MISSES = 4  # then the row has a structure that blocks do not represent: search it as a whole


def project_long_row(x, out, target, norm, n_threads):
    """Project a vector by `n_threads` threads; `out` may be x.

    Returns DONE, or PENDING if the vector needs another search.
    """
    n_threads = min(n_threads, MAX_THREADS)
    scratch = np.empty(SCRATCH_SIZE)
    lo, hi = estimate_bracket(x, target.k2, scratch)
    for _ in range(MAX_MISSES):
        lo, hi = (float(x.dtype.type(end)) for end in (lo, hi))
        if not lo < hi:
            break
        inside, sums = _collect(x, lo, hi, scratch, n_threads)
        if inside is None:
            break
        found, lo, hi, step, inner, squares = root_in_bracket(
            inside, sums, lo, hi, float(x.size), target.k2, target.gap
        )
        if found:
            scale = scale_for_norm(inner, squares, norm)
            _write(x, out, lo, step, scale, n_threads)
            return DONE
    return PENDING


def _collect(x, lo, hi, scratch, n_threads):
    """Return the entries in (lo, hi], and the sums of those above in each segment.

    None instead of entries if there are too many of them.
    """
    sums = np.empty((SEGMENTS, 4))
    size = len(scratch) // n_threads

    def collect(thread):
        first, last = (SEGMENTS * i // n_threads for i in (thread, thread + 1))
        collect_segments(x, first, last, lo, hi, sums, scratch[thread * size :][:size])

    for_each(collect, range(n_threads))
    counts = sums[:, COUNT_INSIDE].astype(np.int64)
    if counts.sum() > len(scratch) - BLOCK:
        return None, sums
    bounds = [SEGMENTS * i // n_threads for i in range(n_threads)]
    per_thread = np.add.reduceat(counts, bounds)
    if n_threads > 1 and per_thread.max() > size - BLOCK:  # too many for one of the threads only
        return _collect(x, lo, hi, scratch, 1)
    n_inside = per_thread[0]
    for thread in range(1, n_threads):
        count = per_thread[thread]
        scratch[n_inside : n_inside + count] = scratch[thread * size :][:count]
        n_inside += count
    return scratch[:n_inside], sums


def _write(x, out, alpha, step, scale, n_threads):
    """Write the projection, each thread a part of it."""
    bounds = [x.size * i // n_threads for i in range(n_threads + 1)]

    def write(thread):
        part = slice(bounds[thread], bounds[thread + 1])
        shrink_part(x[part], out[part], alpha, step, scale)

    for_each(write, range(n_threads))
