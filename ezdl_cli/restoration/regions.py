"""Rectangles of pixels or of patches' places, and the blocks into which they are divided.

A patch's place is its upper left pixel. The blocks lie on one grid for the whole picture: so what
is computed from a block does not depend on the tile that it is computed for.
"""

from typing import NamedTuple

import numpy as np

BLOCK = 64


class Region(NamedTuple):
    """Rows from `top` to before `bottom`, columns from `left` to before `right`."""

    top: int
    bottom: int
    left: int
    right: int

    def grown(self, before, behind, within):
        """Wider by `before` above and to the left, by `behind` below and to the right."""
        return Region(
            max(self.top - before, within.top),
            min(self.bottom + behind, within.bottom),
            max(self.left - before, within.left),
            min(self.right + behind, within.right),
        )

    def whole_blocks(self, within):
        """The smallest region of whole blocks that holds it."""
        return Region(
            self.top - self.top % BLOCK,
            min(self.bottom + -self.bottom % BLOCK, within.bottom),
            self.left - self.left % BLOCK,
            min(self.right + -self.right % BLOCK, within.right),
        )

    def split(self, size=BLOCK):
        """Squares of a size that it is made of, row by row; those at the end may be smaller."""
        return [
            Region(top, min(top + size, self.bottom), left, min(left + size, self.right))
            for top in range(self.top, self.bottom, size)
            for left in range(self.left, self.right, size)
        ]

    def seen_from(self, other):
        """The same in coordinates that begin at the upper left of another one."""
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
        """To cut it out of an array."""
        return slice(self.top, self.bottom), slice(self.left, self.right)


class Overlaps:
    """Sums and counts of the estimates of a region's pixels."""

    def __init__(self, region):
        self.region = region
        self.sums, self.counts = np.zeros(region.shape), np.zeros(region.shape)

    def add(self, part, sums, counts):
        """Add those of another region, as far as they are here."""
        here = part.grown(0, 0, self.region)
        if here.top >= here.bottom or here.left >= here.right:
            return
        mine, its = here.seen_from(self.region).slices, here.seen_from(part).slices
        self.sums[mine] += sums[its]
        self.counts[mine] += counts[its]

    def means(self):
        """The mean estimate of each pixel."""
        return self.sums / self.counts
