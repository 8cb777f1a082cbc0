"""Groups of nearest patches, on grids that are shifted, in plain NumPy: slow and simple."""

import numpy as np

BLOCK_SIZE = 64


def positions(n, stride, shift):
    """Return the rows or columns of n that are on the grid, which begins again in each block."""
    found = set()
    for first in range(0, n, BLOCK_SIZE):
        last = min(first + BLOCK_SIZE, n) - 1
        found |= {first, last, *range(first + shift, last + 1, stride)}
    return sorted(found)


def nearest(patches, y, x, radius, size):
    """Return positions (n, 2) of the patches nearest to that at (y, x), itself included.

    `patches` is an array (rows, columns, pixels).
    """
    near = slice(max(0, y - radius), y + radius + 1), slice(max(0, x - radius), x + radius + 1)
    distances = ((patches[near] - patches[y, x]) ** 2).sum(axis=-1)
    order = np.argsort(distances, axis=None, kind="stable")[:size]
    found = np.stack(np.unravel_index(order, distances.shape), axis=1)
    return found + np.array([near[0].start, near[1].start])
