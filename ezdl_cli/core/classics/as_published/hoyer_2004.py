"""Projection of Hoyer (2004, "Non-negative matrix factorization with sparseness constraints",
sect. 3.4), step by step; the letters in comments are those of the paper.
"""

import numpy as np

from ...jit import kernel
from ...simd import forbid_simd


def project_hoyer_2004(rows, target, norm):
    """Project nonnegative rows (m, n) to the target sparseness and an L2 norm, in place."""
    centre = np.empty(rows.shape[1])
    removed = np.empty(rows.shape[1], np.bool_)
    _project_rows(rows, target.k * norm, norm, centre, removed)


@kernel(in_order=True)
def _project_rows(rows, l1, l2, centre, removed):
    """Project one row after the other."""
    forbid_simd()
    for i in range(len(rows)):
        _project_vector(rows[i], l1, l2, centre, removed)


@kernel(in_order=True)
def _project_vector(s, l1, l2, centre, removed):
    """Alternate between the norms until no entry is negative, at most n times."""
    forbid_simd()
    n = s.size
    n_removed = 0
    for i in range(n):
        removed[i] = False
    _shift_to_sum(s, l1, removed, n)
    for _ in range(n):
        # (a) The point of the hyperplane at which all remaining entries are equal.
        for i in range(n):
            centre[i] = 0.0 if removed[i] else l1 / (n - n_removed)
        # (b) Along the ray from there through s to the L2 norm.
        stretch = _stretch(s, centre, l2)
        for i in range(n):
            s[i] = centre[i] + stretch * (s[i] - centre[i])
        # (c) Finished if no entry is negative.
        n_negative = 0
        for i in range(n):
            if s[i] < 0.0:
                n_negative += 1
        if n_negative == 0:
            break
        # (d, e) Remove negative entries.
        for i in range(n):
            if s[i] < 0.0:
                removed[i] = True
                s[i] = 0.0
        n_removed += n_negative
        # (f, g) Back to the L1 norm.
        _shift_to_sum(s, l1, removed, n - n_removed)


@kernel(in_order=True)
def _shift_to_sum(s, l1, removed, n_remaining):
    """Add the same number to all remaining entries such that the sum is l1."""
    forbid_simd()
    total = 0.0
    for i in range(s.size):
        total += s[i]
    shift = (l1 - total) / n_remaining
    for i in range(s.size):
        if not removed[i]:
            s[i] += shift


@kernel(in_order=True)
def _stretch(s, centre, l2):
    """Return the larger root of the quadratic equation |centre + stretch (s - centre)| = l2."""
    forbid_simd()
    a = 0.0
    b = 0.0
    c = -l2 * l2
    for i in range(s.size):
        difference = s[i] - centre[i]
        a += difference * difference
        b += difference * centre[i]
        c += centre[i] * centre[i]
    return (-b + np.sqrt(max(b * b - a * c, 0.0))) / a
