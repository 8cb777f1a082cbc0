"""Block matching: the patches of a window that are most similar to one of them."""

from typing import NamedTuple

import numpy as np

from ..core.jit import kernel

BINS = 256
ROWS_BETWEEN_LOOKS = 2


class MatchRoom(NamedTuple):
    """Scratch of the search, and what it has found: rows, columns and distances."""

    rows: np.ndarray
    columns: np.ndarray
    distances: np.ndarray
    line: np.ndarray
    bins: np.ndarray

    @classmethod
    def of(cls, radius):
        """Room for windows that reach so many pixels to each side."""
        width = 2 * radius + 1
        most = width * width
        return cls(
            np.empty(most, np.int64),
            np.empty(most, np.int64),
            np.empty(most, np.float32),
            np.empty(width, np.float32),
            np.empty(BINS, np.int64),
        )


@kernel(inline=True)
def find_group(image, y, x, side, radius, limit, size, room):
    """Find the patches whose squared distance from that at (y, x) is not above a limit.

    Their number is returned. There are at most `size`, the nearest ones; that at (y, x) itself is
    the first.
    """
    rows, columns, distances, line = room.rows, room.columns, room.distances, room.line
    height, width = image.shape[0] - side + 1, image.shape[1] - side + 1
    first, stop = max(0, x - radius), min(width, x + radius + 1)
    m = stop - first
    rows[0], columns[0], distances[0] = y, x, 0
    found = 1
    for v in range(max(0, y - radius), min(height, y + radius + 1)):
        if _distances(image, y, x, v, first, side, limit, line[:m]) <= limit:
            for i in range(m):
                if line[i] <= limit and (v != y or first + i != x):
                    rows[found], columns[found], distances[found] = v, first + i, line[i]
                    found += 1
    return _keep_nearest(found, limit, size, room) if found > size else found


@kernel(inline=True)
def find_nearest(image, y, x, side, radius, size, room):
    """Find the patches nearest to that at (y, x), itself the first; `size`, or all there are."""
    distances, line = room.distances, room.line
    height, width = image.shape[0] - side + 1, image.shape[1] - side + 1
    first, stop = max(0, x - radius), min(width, x + radius + 1)
    m = stop - first
    room.rows[0], room.columns[0], distances[0] = y, x, 0
    found = 1
    for v in range(max(0, y - radius), min(height, y + radius + 1)):
        limit = distances[found - 1] if found == size else np.float32(np.inf)
        if not _distances(image, y, x, v, first, side, limit, line[:m]) <= limit:
            continue
        for i in range(m):
            itself = v == y and first + i == x
            if not itself and (found < size or line[i] < distances[found - 1]):
                found = _insert(v, first + i, line[i], found, size, room)
    return found


@kernel(inline=True)
def _insert(row, column, distance, found, size, room):
    """Put a patch behind all that are not farther; the number of those that are kept."""
    rows, columns, distances = room.rows, room.columns, room.distances
    place = min(found, size - 1)
    while place > 1 and distances[place - 1] > distance:
        rows[place], columns[place] = rows[place - 1], columns[place - 1]
        distances[place] = distances[place - 1]
        place -= 1
    if place > 0:
        rows[place], columns[place], distances[place] = row, column, distance
    return min(found + 1, size)


@kernel(inline=True)
def _distances(image, y, x, v, first, side, limit, out):
    """Distances of the patches of row v from that at (y, x); the least of them.

    Ends early when all are above the limit.
    """
    for i in range(out.size):
        out[i] = 0
    least = out.dtype.type(0)
    fours = side - side % 4
    for r in range(side):
        row, own = image[v + r], image[y + r]
        for c in range(0, fours, 4):
            p, q, s, t = own[x + c], own[x + c + 1], own[x + c + 2], own[x + c + 3]
            part = row[first + c : first + c + out.size + 3]
            for i in range(out.size):
                e, f, g, h = part[i] - p, part[i + 1] - q, part[i + 2] - s, part[i + 3] - t
                out[i] += e * e + f * f + g * g + h * h
        for c in range(fours, side):
            p = own[x + c]
            part = row[first + c : first + c + out.size]
            for i in range(out.size):
                e = part[i] - p
                out[i] += e * e
        if r % ROWS_BETWEEN_LOOKS == 1 or r == side - 1:
            least = _least(out)
            if least > limit:
                break
    return least


@kernel(inline=True, finite=True)
def _least(x):
    least = x[0]
    for i in range(x.size):
        least = min(least, x[i])
    return least


@kernel(inline=True)
def _keep_nearest(found, limit, size, room):
    """Keep the nearest, up to a small share of the limit; of equal ones the first. `size`."""
    rows, columns, distances, bins = room.rows, room.columns, room.distances, room.bins
    scale = (BINS - 1) / limit if limit > 0 else 0.0
    for b in range(BINS):
        bins[b] = 0
    for i in range(found):
        bins[int(distances[i] * scale)] += 1
    last, nearer = 0, 0
    while nearer + bins[last] < size:
        nearer += bins[last]
        last += 1
    left = size - nearer  # so many of the last bin
    kept = 0
    for i in range(found):
        b = int(distances[i] * scale)
        if b < last or (b == last and left > 0):
            if b == last:
                left -= 1
            rows[kept], columns[kept] = rows[i], columns[i]
            kept += 1
    return kept
