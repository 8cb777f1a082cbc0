"""Sorted magnitudes of rows, and the projection for a support of the largest ones."""

import numpy as np

from ..jit import kernel
from ..soft_thresholding import shrink

INSERTION_SORT_ENTRIES = 6  # up to this length, insertion sort is faster than NumPy's sort


def sorted_magnitudes(rows):
    """Return the magnitudes of each row (m, n) in ascending order, float64."""
    v = np.abs(rows.astype(np.float64, copy=False))
    if v.shape[1] <= INSERTION_SORT_ENTRIES:
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
            hole = j
            while hole > 0 and v[hole - 1] > entry:
                v[hole] = v[hole - 1]
                hole -= 1
            v[hole] = entry


@kernel(inline=True)
def shrink_to_support(x, out, s1, s2, d, k, norm):
    """Write the projection for a support of d entries with the sums s1 and s2 (about zero)."""
    alpha = (s1 - k * np.sqrt(max(d * s2 - s1 * s1, 0.0) / (d - k * k))) / d
    scale = norm / np.sqrt(s2 - alpha * (2.0 * s1 - d * alpha))
    shrink(x, out, alpha, 0.0, scale)
