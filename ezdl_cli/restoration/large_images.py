"""Restoration of large images in tiles, which bounds the memory.

The tiles overlap, and in the overlap the results are blended: weights rise linearly from the border
of a tile.
"""

import math
from itertools import pairwise

import numpy as np

from .regions import Region

TILE_SIZE = 1024  # pixels of the result, without the overlap
OVERLAP = 48  # pixels of the result; more than the effect of a border reaches in practice


def restore_in_tiles(restore, shape, n_channels, advance, *, scale=1, overlap=OVERLAP):
    """Return the restored image (channels, scale · height, scale · width).

    Parameters
    ----------
    restore : callable of a Region of the input and of `advance`, which returns its result
    shape : (height, width) of the input
    n_channels : int
    advance : callable of the share of the work that is done
    scale : int
        Size of the result relative to that of the input.
    overlap : int
        Width in pixels of the result by which tiles extend beyond their share.
    """
    image = Region(0, shape[0], 0, shape[1])
    rows, columns = (_parts(size, max(1, TILE_SIZE // scale)) for size in shape)
    tiles = [Region(*vertical, *horizontal) for vertical in rows for horizontal in columns]
    if len(tiles) == 1:
        return restore(image, advance)
    margin = -(-overlap // scale)
    sums = np.zeros((n_channels, scale * shape[0], scale * shape[1]))
    weights = np.zeros(sums.shape[1:])
    for done, tile in enumerate(tiles):
        region = tile.expanded(margin, margin, image)
        result = restore(region, lambda share, done=done: advance((done + share) / len(tiles)))
        target = Region(*(scale * edge for edge in region))
        weight = _ramps(target, Region(*(scale * edge for edge in image)), 2 * scale * margin)
        sums[:, *target.slices] += weight * result
        weights[target.slices] += weight
    return sums / weights


def _parts(size, maximum):
    """Return first and last position of parts of nearly equal length."""
    count = math.ceil(size / maximum)
    edges = [round(size * i / count) for i in range(count + 1)]
    return list(pairwise(edges))


def _ramps(region, image, width):
    """Return weights that rise from the edges of a region which are not those of the image."""
    return np.outer(
        _ramp(region.top, region.bottom, image.bottom, width),
        _ramp(region.left, region.right, image.right, width),
    )


def _ramp(first, stop, size, width):
    distance = np.full(stop - first, np.inf)
    if first > 0:
        distance = np.minimum(distance, np.arange(stop - first) + 0.5)
    if stop < size:
        distance = np.minimum(distance, np.arange(stop - first)[::-1] + 0.5)
    return np.minimum(distance / width, 1.0)
