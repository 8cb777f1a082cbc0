"""Projection of Thom and Palm (2013, "Sparse activity and sparse connectivity in supervised
learning").

Alternating projections onto the sphere within the hyperplane of the target L1 norm, and onto the
simplex. The order of the entries does not change: they are sorted once, entries that have become
zero are cut off the end, and the permutation is undone.
"""

import numpy as np

from ...jit import kernel
from ...simd import forbid_simd
from .index_sort import sort_indices


def project_thom_palm_2013(rows, target, norm):
    """Project nonnegative rows (m, n) to the target sparseness and an L2 norm, in place."""
    order = np.empty(rows.shape[1], np.int64)
    descending = np.empty(rows.shape[1])
    _project_rows(rows, target.k * norm, norm, order, descending)


@kernel(in_order=True)
def _project_rows(rows, l1, l2, order, descending):
    """Project one row after the other."""
    forbid_simd()
    for i in range(len(rows)):
        _project_vector(rows[i], l1, l2, order, descending)


@kernel(in_order=True)
def _project_vector(x, l1, l2, order, y):
    """Sort, alternate between sphere and simplex, and undo the permutation."""
    forbid_simd()
    n = x.size
    sort_indices(x, order)
    for i in range(n):
        y[i] = x[order[i]]
    d = n
    # Onto the hyperplane.
    total = 0.0
    for i in range(n):
        total += y[i]
    for i in range(n):
        y[i] += (l1 - total) / n
    _onto_sphere(y, d, l1, l2)
    for _ in range(n):  # each round drops an entry
        if y[d - 1] >= 0.0:
            break
        d = _onto_simplex(y, d, l1)
        _onto_sphere(y, d, l1, l2)
    for i in range(n):
        x[order[i]] = y[i]


@kernel(in_order=True)
def _onto_sphere(y, d, l1, l2):
    """Project the first d entries, of sum l1, onto the L2 norm l2 within their hyperplane."""
    forbid_simd()
    mean = l1 / d
    squares = 0.0
    for i in range(d):
        squares += (y[i] - mean) * (y[i] - mean)
    stretch = np.sqrt(max(l2 * l2 - l1 * mean, 0.0) / squares)
    for i in range(d):
        y[i] = mean + stretch * (y[i] - mean)


@kernel(in_order=True)
def _onto_simplex(y, d, l1):
    """Project the first d entries onto the simplex of sum l1; return how many stay positive."""
    forbid_simd()
    total = 0.0
    offset = 0.0
    kept = d
    for i in range(d):
        total += y[i]
        next_offset = (total - l1) / (i + 1)
        if y[i] <= next_offset:
            kept = i
            break
        offset = next_offset
    for i in range(kept):
        y[i] -= offset
    for i in range(kept, d):
        y[i] = 0.0
    return kept
