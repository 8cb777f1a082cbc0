"""Rectangles of pixels or of patch positions, and averages over overlapping patches.

The position of a patch is that of its upper left pixel. Blocks lie on one grid for the entire
image: so the results of a block do not depend on the tile for which they are computed.
"""

from typing import NamedTuple

import numpy as np

from ..core.jit import kernel

BLOCK_SIZE = 64  # positions; a unit of work for a thread


class Region(NamedTuple):
    """Rows from `top` to before `bottom`, columns from `left` to before `right`."""

    top: int
    bottom: int
    left: int
    right: int

    def expanded(self, before, after, bounds):
        """Return the region with margins at its upper left and lower right, within bounds."""
        return Region(
            max(self.top - before, bounds.top),
            min(self.bottom + after, bounds.bottom),
            max(self.left - before, bounds.left),
            min(self.right + after, bounds.right),
        )

    def aligned(self, bounds):
        """Return the smallest region of complete blocks around this one, within bounds."""
        return Region(
            self.top - self.top % BLOCK_SIZE,
            min(self.bottom + -self.bottom % BLOCK_SIZE, bounds.bottom),
            self.left - self.left % BLOCK_SIZE,
            min(self.right + -self.right % BLOCK_SIZE, bounds.right),
        )

    def split(self, size=BLOCK_SIZE):
        """Return squares that tile the region, row by row; the last ones may be smaller."""
        return [
            Region(top, min(top + size, self.bottom), left, min(left + size, self.right))
            for top in range(self.top, self.bottom, size)
            for left in range(self.left, self.right, size)
        ]

    def relative_to(self, other):
        """Return the region in coordinates that start at the upper left of another one."""
        return Region(
            self.top - other.top,
            self.bottom - other.top,
            self.left - other.left,
            self.right - other.left,
        )

    @property
    def shape(self):
        """Height and width."""
        return self.bottom - self.top, self.right - self.left

    @property
    def slices(self):
        """Index of the region in an array."""
        return slice(self.top, self.bottom), slice(self.left, self.right)


class OverlapAverage:
    """Mean of overlapping estimates of the pixels of a region, of one or several channels."""

    def __init__(self, region, channels=()):
        self._region = region
        self._sums, self._counts = np.zeros((*channels, *region.shape)), np.zeros(region.shape)

    def add(self, part, sums, counts):
        """Add the sums and counts of another region, as far as it overlaps."""
        common = part.expanded(0, 0, self._region)
        if common.top >= common.bottom or common.left >= common.right:
            return
        target, source = common.relative_to(self._region).slices, common.relative_to(part).slices
        self._sums[..., *target] += sums[..., *source]
        self._counts[target] += counts[source]

    def mean(self):
        """Return the mean estimate of each pixel."""
        return self._sums / self._counts


@kernel(inline=True)
def is_on_grid(y, x, block, stride, shift):
    """Return whether a patch of a block is on its grid, which `shift` moves down and right.

    The first and last rows and columns always are, so that patches cover all pixels.
    """
    row = (y - block.top) % stride == shift or y == block.top or y == block.bottom - 1
    column = (x - block.left) % stride == shift or x == block.left or x == block.right - 1
    return row and column
