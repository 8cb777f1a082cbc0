"""What every search for the offset needs of a vector: sums over entries, steps, and writing.

All of it is computed in double precision, whatever the precision of the vector.
"""

import numpy as np

from .jit import kernel

PAGE = 1 << 12  # entries that are summed or written in one go
BOLDNESS = 0.96  # share of the way that a leap takes


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
    return (64.0 if x.itemsize == 8 else 16.0) * np.finfo(x.dtype).eps


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


@kernel
def squares_about(x, centre):
    """Sum of the squares of |x| - centre."""
    total = 0.0
    for i in range(x.size):
        away = magnitude(x[i]) - centre
        total += away * away
    return total


@kernel(inline=True)
def excess(d, n, k2, gap):
    """d - k²: positive if d survivors can be enough; `gap` is n - k² without cancellation."""
    return gap if d == n else d - k2


@kernel(inline=True)
def step_to_root(s1, s2, d, n, k2, gap):
    """Way to the root for a fixed support of d entries, from the sums at the current offset."""
    spread = max(d * s2 - s1 * s1, 0.0)
    return s1 / d - np.sqrt(k2 * spread / (excess(d, n, k2, gap) * d * d))


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
