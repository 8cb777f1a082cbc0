"""Projection of Potluru et al. (2013, "Block coordinate descent for sparse NMF"), Sparse-opt.

The entries are sorted, supports of the largest ones are tried, beginning with ⌈k²⌉ entries, until
the last of them is below the offset, and the permutation is undone.
"""

import numpy as np

from ...jit import kernel
from ...simd import forbid_simd
from .index_sort import sort_indices


def project_potluru_2013(rows, target, norm):
    """Project nonnegative rows (m, n) to the target sparseness and an L2 norm, in place."""
    order = np.empty(rows.shape[1], np.int64)
    descending = np.empty(rows.shape[1])
    _project_rows(rows, target.k, norm, order, descending)


@kernel(in_order=True)
def _project_rows(rows, k, norm, order, descending):
    """Project one row after the other."""
    forbid_simd()
    for i in range(len(rows)):
        _project_vector(rows[i], k, norm, order, descending)


@kernel(in_order=True)
def _project_vector(x, k, norm, order, a):
    """Sort, find the support, and write the entries back to their positions."""
    forbid_simd()
    n = x.size
    sort_indices(x, order)
    for i in range(n):
        a[i] = x[order[i]]
    support, alpha, length = _find_support(a, k)
    for i in range(support):
        a[i] = norm * (a[i] - alpha) / length
    for i in range(support, n):
        a[i] = 0.0
    for i in range(n):
        x[order[i]] = a[i]


@kernel(in_order=True)
def _find_support(a, k):
    """Return the size of the support, its offset, and the L2 norm of what exceeds the offset."""
    forbid_simd()
    s1 = 0.0
    s2 = 0.0
    support = 0
    alpha = 0.0
    length = 1.0
    for p in range(1, a.size + 1):
        s1 += a[p - 1]
        s2 += a[p - 1] * a[p - 1]
        if p <= k * k:  # too few entries for the L1 norm
            continue
        next_length = np.sqrt(max(p * s2 - s1 * s1, 0.0) / (p - k * k))
        next_alpha = (s1 - k * next_length) / p
        if a[p - 1] < next_alpha:
            break
        support = p
        alpha = next_alpha
        length = next_length
    return support, alpha, length
