"""Projection of Thom and Palm (2013, "Sparse activity and sparse connectivity in supervised
learning").

Alternating projections onto the sphere within the hyperplane of the target L1 norm, and onto the
simplex. The entries are sorted once; both projections then only need the sums over the d largest
ones, and each projection onto the simplex decreases d.
"""

import numpy as np

from ..jit import kernel
from .sorting import shrink_to_support, sorted_magnitudes


def project_thom_palm(rows, out, target, norm):
    """Project rows (m, n) to the target sparseness and an L2 norm; `out` may be `rows`."""
    _project_rows(rows, sorted_magnitudes(rows), out, target.k, norm)


@kernel
def _project_rows(rows, ascending, out, k, norm):
    """Alternate between sphere and simplex in each row; each round drops an entry or ends."""
    n = rows.shape[1]
    for i in range(len(rows)):
        v = ascending[i]
        s1 = 0.0
        s2 = 0.0
        for j in range(n):
            s1 += v[j]
            s2 += v[j] * v[j]
        d = n
        for _ in range(n):
            # Onto the sphere: beta · (v - alpha), with L1 norm k for L2 norm 1.
            beta = np.sqrt((d - k * k) / max(d * s2 - s1 * s1, 1e-300))
            alpha = (s1 - k / beta) / d
            if v[n - d] >= alpha:
                break
            # Onto the simplex: drop the smallest while they stay below the simplex's offset.
            kept = d
            total = k
            smallest = beta * (v[n - kept] - alpha)
            while kept > 1 and kept * smallest <= total - k:
                total -= smallest
                s1 -= v[n - kept]
                s2 -= v[n - kept] * v[n - kept]
                kept -= 1
                smallest = beta * (v[n - kept] - alpha)
            d = kept
        shrink_to_support(rows[i], out[i], s1, s2, float(d), k, norm)
