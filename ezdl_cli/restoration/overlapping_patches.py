"""Kernels that copy patches out of an image and accumulate their estimates."""

from ..core.jit import kernel


@kernel(inline=True)
def take_patch(image, y, x, side, out):
    """Copy the patch at (y, x), subtract its mean, and return the mean."""
    total = out.dtype.type(0)
    for r in range(side):
        row, part = image[y + r, x : x + side], out[r * side : (r + 1) * side]
        for c in range(side):
            part[c] = row[c]
    for k in range(out.size):
        total += out[k]
    mean = total / out.dtype.type(out.size)
    for k in range(out.size):
        out[k] -= mean
    return mean


@kernel(inline=True)
def add_patch(patch, mean, y, x, side, sums, counts):
    """Add an estimate of the patch at (y, x) to the sums, plus its mean, and one to the counts."""
    one = counts.dtype.type(1)
    for r in range(side):
        part = patch[r * side : (r + 1) * side]
        row, number = sums[y + r, x : x + side], counts[y + r, x : x + side]
        for c in range(side):
            row[c] += part[c] + mean
        for c in range(side):
            number[c] += one
