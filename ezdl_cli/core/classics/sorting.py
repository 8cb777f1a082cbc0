"""Sorted magnitudes of rows, by whichever method is faster for their length."""

import numpy as np

from ..jit import kernel
from ..soft_thresholding import shrink

INSERTION_UP_TO = 6  # entries


def sorted_magnitudes(rows):
    """Magnitudes of each row (m, n) in ascending order, float64."""
    v = np.abs(rows.astype(np.float64, copy=False))
    if v.shape[1] <= INSERTION_UP_TO:
        _insertion_sort(v)
    else:
        v.sort(axis=1)
    return v


@kernel
def _insertion_sort(rows):
    """Sort each row in place."""
    for i in range(len(rows)):
        v = rows[i]
        for j in range(1, v.size):
            entry = v[j]
            place = j
            while place > 0 and v[place - 1] > entry:
                v[place] = v[place - 1]
                place -= 1
            v[place] = entry


@kernel(inline=True)
def shrink_to_support(x, out, s1, s2, d, k, norm):
    """Write the projection for a support of d entries with these sums (about zero)."""
    alpha = (s1 - k * np.sqrt(max(d * s2 - s1 * s1, 0.0) / (d - k * k))) / d
    scale = norm / np.sqrt(s2 - alpha * (2.0 * s1 - d * alpha))
    shrink(x, out, alpha, 0.0, scale)
