"""Sums over the magnitudes of a vector that exceed an offset, and soft thresholding.

All of it is computed in double precision, whatever the precision of the vector.
"""

import numpy as np

from .jit import kernel

# Entries per page. Sums of page sums accumulate less rounding than one long sum, and a page of
# doubles (32 KiB) fits into the first-level cache when it is written in place.
PAGE = 1 << 12


@kernel(inline=True)
def magnitude(entry):
    """Return the absolute value in double precision."""
    return abs(np.float64(entry))


@kernel(inline=True, in_order=True)
def excess_over_offset(entry, ref, shift):
    """Return (|entry| - ref) - shift; the first difference is exact for entries near `ref`."""
    return (magnitude(entry) - ref) - shift


@kernel(inline=True, in_order=True)
def shrink_entry(entry, ref, shift, scale):
    """Return scale · sign(entry) · max((|entry| - ref) - shift, 0), never a negative zero."""
    kept = max((magnitude(entry) - ref) - shift, 0.0)
    return np.copysign(scale * kept, np.float64(entry)) + 0.0


@kernel(inline=True, alone=True)
def shrink(x, out, ref, shift, scale):
    """Write scale · sign(x) · max((|x| - ref) - shift, 0) to `out`, which may be x."""
    if x.ctypes.data == out.ctypes.data:  # a separate loop, or neither of them would vectorise
        _shrink_in_place(out, ref, shift, scale)
    else:
        for i in range(x.size):
            out[i] = shrink_entry(x[i], ref, shift, scale)


@kernel
def _shrink_in_place(x, ref, shift, scale):
    """Shrink page by page from the end, which was read last and may still be in the cache."""
    for stop in range(x.size, 0, -PAGE):
        page = x[max(stop - PAGE, 0) : stop]
        for i in range(page.size):
            page[i] = shrink_entry(page[i], ref, shift, scale)


@kernel(inline=True)
def shifted_sums(x, shift):
    """Return sum, sum of squares and number of the positive |x| - shift; NaN propagates."""
    if x.size <= PAGE:
        return _page_sums(x, shift)
    s1 = 0.0
    s2 = 0.0
    d = 0.0
    for start in range(0, x.size, PAGE):
        page1, page2, page_d = _page_sums(x[start : start + PAGE], shift)
        s1 += page1
        s2 += page2
        d += page_d
    return s1, s2, d


@kernel(inline=True)
def _page_sums(x, shift):
    """Return `shifted_sums` of a single page."""
    s1 = 0.0
    s2 = 0.0
    d = 0
    for i in range(x.size):
        t = magnitude(x[i]) - shift
        kept = 0.0 if t < 0.0 else t  # max(t, 0) would turn NaN into zero
        s1 += kept
        s2 += kept * kept
        d += t > 0.0
    return s1, s2, float(d)


@kernel
def sum_of_squares_about(x, centre):
    """Return the sum of the squares of |x| - centre."""
    total = 0.0
    for i in range(x.size):
        difference = magnitude(x[i]) - centre
        total += difference * difference
    return total


@kernel(inline=True)
def bits_of(value):
    """Return the bits of a nonnegative number: integers of the same order that vectorise better."""
    return np.float64(value).view(np.int64)


@kernel(inline=True)
def value_of(bits):
    """Invert `bits_of`."""
    return np.int64(bits).view(np.float64)


@kernel
def largest_entry(x):
    """Return the largest magnitude and the number of entries that have it."""
    bits = bits_of(0.0)
    for i in range(x.size):
        bits = max(bits, bits_of(magnitude(x[i])))
    largest = value_of(bits)
    tied = 0
    for i in range(x.size):
        tied += magnitude(x[i]) == largest
    return largest, float(tied)
