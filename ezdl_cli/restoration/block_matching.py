"""Block matching: the patches in a window that are most similar to a reference patch.

Patches whose quarters have different sums cannot be similar: with h² pixels per quarter, the
squared distance is at least 1/h² of that between the four sums. This excludes most rows of a window
with few operations.
"""

from typing import NamedTuple

import numpy as np

from ..core.jit import kernel

N_BINS = 256  # of the histogram of distances that selects the nearest patches
BISECTIONS = 24  # float32 has a precision of 24 bits
ROWS_BETWEEN_CHECKS = 2  # rows of a patch between two checks whether all distances are too large


class Guide(NamedTuple):
    """The image whose patches are compared."""

    image: np.ndarray
    quarter_sums: np.ndarray
    """sums over the squares of half the side of a patch, by their upper left pixels"""
    rounding: float
    """bound of the rounding error of the distance between the sums of two patches"""

    @classmethod
    def of(cls, image, side):
        """Return an image (float32) and what is computed from it for patches of a side."""
        h = side // 2
        height, width = image.shape[0] - h + 1, image.shape[1] - h + 1
        rows = sum((image[i : i + height] for i in range(h)), np.zeros((height, image.shape[1])))
        sums = sum((rows[:, i : i + width] for i in range(h)), np.zeros((height, width)))
        # Each of the four sums of both patches is rounded to half a unit in the last place.
        rounding = 4.0 * np.abs(sums).max() * np.finfo(np.float32).eps
        return cls(image, sums.astype(np.float32), float(rounding))


class MatchingWorkspace(NamedTuple):
    """Rows, columns and distances of the patches that were found, and arrays to work in."""

    rows: np.ndarray
    columns: np.ndarray
    distances: np.ndarray
    line: np.ndarray
    bins: np.ndarray

    @classmethod
    def of(cls, radius):
        """Allocate the workspace for windows of a radius."""
        width = 2 * radius + 1
        area = width * width
        return cls(
            np.empty(area, np.int64),
            np.empty(area, np.int64),
            np.empty(area, np.float32),
            np.empty(width, np.float32),
            np.empty(N_BINS, np.int64),
        )


@kernel(inline=True)
def find_similar(guide, y, x, rules, workspace):
    """Find the patches whose squared distance from that at (y, x) is at most `max_distance`.

    Returns their number, at most `max_size`: then the nearest ones. The patch at (y, x) itself is
    the first. `rules` are GroupingRules or WienerRules.
    """
    side, radius = rules.side, rules.radius
    max_distance, max_size = rules.max_distance, rules.max_size
    rows, columns, distances = workspace.rows, workspace.columns, workspace.distances
    image = guide.image
    height, width = image.shape[0] - side + 1, image.shape[1] - side + 1
    first, stop = max(0, x - radius), min(width, x + radius + 1)
    line = workspace.line[: stop - first]
    rows[0], columns[0], distances[0] = y, x, 0
    found = np.int64(1)  # see `choose_atoms`
    if max_size == 1:
        return found
    for v in range(max(0, y - radius), min(height, y + radius + 1)):
        if not _may_be_similar(guide, y, x, v, first, side, max_distance, line):
            continue
        if _line_distances(image, y, x, v, first, side, max_distance, line) <= max_distance:
            for i in range(line.size):
                if line[i] <= max_distance and (v != y or first + i != x):
                    rows[found], columns[found], distances[found] = v, first + i, line[i]
                    found += 1
    return _select_nearest(found, max_distance, max_size, workspace) if found > max_size else found


@kernel(inline=True)
def find_nearest(guide, y, x, rules, workspace):
    """Find the `min_size` patches nearest to that at (y, x), itself the first; return how many."""
    side, radius, size = rules.side, rules.radius, rules.min_size
    distances = workspace.distances
    image = guide.image
    height, width = image.shape[0] - side + 1, image.shape[1] - side + 1
    first, stop = max(0, x - radius), min(width, x + radius + 1)
    line = workspace.line[: stop - first]
    workspace.rows[0], workspace.columns[0], distances[0] = y, x, 0
    found = np.int64(1)
    # From the centre outwards: near patches tend to be similar, and lower the limit early.
    for step in range(2 * radius + 1):
        v = y + (step + 1) // 2 * (1 if step % 2 == 0 else -1)
        limit = distances[found - 1] if found == size else np.float32(np.inf)
        if not 0 <= v < height or not _may_be_similar(guide, y, x, v, first, side, limit, line):
            continue
        if not _line_distances(image, y, x, v, first, side, limit, line) <= limit:
            continue
        for i in range(line.size):
            itself = v == y and first + i == x
            if not itself and (found < size or line[i] < distances[found - 1]):
                found = _insert(v, first + i, line[i], found, size, workspace)
    return found


@kernel(inline=True)
def find_group(guide, y, x, rules, workspace):
    """Find the `size` patches nearest to that at (y, x), itself the first; return how many.

    The others are in no particular order, which makes it faster than `find_nearest`. `rules` are
    ConditionalMeanRules or SimilarPatchesRules.
    """
    side, radius = rules.side, rules.radius
    image, distances = guide.image, workspace.distances
    height, width = image.shape[0] - side + 1, image.shape[1] - side + 1
    first, stop = max(0, x - radius), min(width, x + radius + 1)
    top, bottom = max(0, y - radius), min(height, y + radius + 1)
    n_columns, number = stop - first, (stop - first) * (bottom - top)
    for v in range(top, bottom):
        line = distances[(v - top) * n_columns : (v - top + 1) * n_columns]
        _line_distances(image, y, x, v, first, side, np.float32(np.inf), line)
    low, high = _bounds(distances[:number], rules.size)
    workspace.rows[0], workspace.columns[0] = y, x
    found, itself = np.int64(1), (y - top) * n_columns + x - first
    # Those at most at the lower bound, then as many of the others as are needed.
    for step in range(2):
        for i in range(number):
            is_next = distances[i] <= low if step == 0 else low < distances[i] <= high
            if is_next and found < rules.size and i != itself:
                workspace.rows[found] = top + i // n_columns
                workspace.columns[found] = first + i % n_columns
                found += 1
    return found


@kernel(inline=True)
def _bounds(x, size):
    """Return bounds close to the largest of the `size` smallest entries, by bisection.

    Fewer than `size` entries are at most the lower bound, unless it is zero; as many are at most
    the upper one.
    """
    low, high = x.dtype.type(0), x.dtype.type(0)
    for i in range(x.size):
        high = max(high, x[i])
    for _ in range(BISECTIONS):
        middle = x.dtype.type(0.5) * (low + high)
        count = 0
        for i in range(x.size):
            count += x[i] <= middle
        if count >= size:
            high = middle
            if count == size:
                break
        else:
            low = middle
    return low, high


@kernel(inline=True)
def _insert(row, column, distance, found, size, workspace):
    """Insert a patch after all that are not farther; return the number of patches."""
    rows, columns, distances = workspace.rows, workspace.columns, workspace.distances
    i = min(found, size - 1)
    while i > 1 and distances[i - 1] > distance:
        rows[i], columns[i] = rows[i - 1], columns[i - 1]
        distances[i] = distances[i - 1]
        i -= 1
    if i > 0:
        rows[i], columns[i], distances[i] = row, column, distance
    return min(found + 1, size)


@kernel(inline=True)
def _may_be_similar(guide, y, x, v, first, side, limit, out):
    """Return whether a patch in row v can be within the limit, by the sums of its quarters."""
    h = side // 2
    upper, lower = guide.quarter_sums[v], guide.quarter_sums[v + h]
    p, q = guide.quarter_sums[y, x], guide.quarter_sums[y, x + h]
    s, t = guide.quarter_sums[y + h, x], guide.quarter_sums[y + h, x + h]
    left, right = slice(first, first + out.size), slice(first + h, first + h + out.size)
    a, b, c, d = upper[left], upper[right], lower[left], lower[right]
    for i in range(out.size):
        e, f, g, k = a[i] - p, b[i] - q, c[i] - s, d[i] - t
        out[i] = e * e + f * f + g * g + k * k
    # Distances are rounded as well, by a few units in the sixth place.
    reach = (1.0 + 1e-5) * h * np.sqrt(np.float64(limit)) + guide.rounding
    return _minimum(out) <= reach * reach


@kernel(inline=True)
def _line_distances(image, y, x, v, first, side, limit, out):
    """Compute the distances of the patches in row v from that at (y, x); return their minimum.

    Stops early when all are above the limit.
    """
    out[:] = 0
    minimum = out.dtype.type(0)
    n_unrolled = side - side % 4
    for r in range(side):
        row, reference = image[v + r], image[y + r]
        # Four columns of the patches at a time, for all patches of the row.
        for c in range(0, n_unrolled, 4):
            p, q = reference[x + c], reference[x + c + 1]
            s, t = reference[x + c + 2], reference[x + c + 3]
            part = row[first + c : first + c + out.size + 3]
            for i in range(out.size):
                e, f, g, h = part[i] - p, part[i + 1] - q, part[i + 2] - s, part[i + 3] - t
                out[i] += e * e + f * f + g * g + h * h
        for c in range(n_unrolled, side):
            p = reference[x + c]
            part = row[first + c : first + c + out.size]
            for i in range(out.size):
                e = part[i] - p
                out[i] += e * e
        if r % ROWS_BETWEEN_CHECKS == 1 or r == side - 1:
            minimum = _minimum(out)
            if minimum > limit:
                break
    return minimum


@kernel(inline=True, finite=True)
def _minimum(x):
    """Return the smallest entry."""
    minimum = x[0]
    for i in range(x.size):
        minimum = min(minimum, x[i])
    return minimum


@kernel(inline=True)
def _select_nearest(found, max_distance, size, workspace):
    """Select the `size` nearest patches by a histogram of distances; of equal ones the first."""
    rows, columns = workspace.rows, workspace.columns
    distances, bins = workspace.distances, workspace.bins
    scale = (N_BINS - 1) / max_distance if max_distance > 0 else 0.0
    bins[:] = 0
    for i in range(found):
        bins[int(distances[i] * scale)] += 1
    # The bin with the last patches to select, and the number of patches before it.
    last, nearer = 0, 0
    while nearer + bins[last] < size:
        nearer += bins[last]
        last += 1
    # All patches of nearer bins, and the first ones of that bin.
    n_from_last = size - nearer
    selected = 0
    for i in range(found):
        b = int(distances[i] * scale)
        if b < last or (b == last and n_from_last > 0):
            if b == last:
                n_from_last -= 1
            rows[selected], columns[selected] = rows[i], columns[i]
            selected += 1
    return selected
