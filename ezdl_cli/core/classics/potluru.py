"""Projection of Potluru et al. (2013, "Block coordinate descent for sparse NMF").

The entries are sorted, and the supports of the ⌈k²⌉, ⌈k²⌉ + 1, ... largest ones are tried until the
next entry is not above the offset of the support. The permutation need not be stored: once the
offset is known, the result is computed from the unsorted entries.
"""

from ..jit import kernel
from .sorting import shrink_to_support, sorted_magnitudes


def project_potluru(rows, out, target, norm):
    """Project rows (m, n) to the target sparseness and an L2 norm; `out` may be `rows`."""
    _project_rows(rows, sorted_magnitudes(rows), out, target.k, norm)


@kernel
def _project_rows(rows, ascending, out, k, norm):
    """Extend the support of each row until it is the right one."""
    n = rows.shape[1]
    for i in range(len(rows)):
        v = ascending[i]
        s1 = 0.0
        s2 = 0.0
        d = 0.0
        for j in range(n - 1, -1, -1):
            s1 += v[j]
            s2 += v[j] * v[j]
            d += 1.0
            if d <= k * k:  # too few entries for the L1 norm
                continue
            # Ψ >= 0 at the next smaller entry: the root is above it.
            following = v[j - 1] if j > 0 else 0.0
            l1 = s1 - d * following
            if l1 * l1 >= k * k * (s2 - following * (2.0 * s1 - d * following)):
                break
        shrink_to_support(rows[i], out[i], s1, s2, d, k, norm)
