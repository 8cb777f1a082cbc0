"""C, the inverse of the second moments of the codes, for RLS-DLA.

C is symmetric: only its lower triangle is stored, in double precision. Rank-one updates are
collected and applied several at a time, since a pass over C takes longer than everything else;
until then the true C is factor · stored C - Σ weight · u uᵀ over the pending updates.
"""

import numpy as np

from ..core.jit import kernel

MAX_PENDING = 8  # `apply_updates` is unrolled for this number
# The entries of C for an unused atom grow without bound by forgetting: limited here, well above
# those of atoms in use and far from overflow.
MAX_GAIN = 1e12


@kernel(inline=True)
def multiply_inverse(C, factor, updates, weights, n_pending, support, values, count):
    """Compute u = C w as the next pending update, for the true C; return 1 / (1 + wᵀu)."""
    n = updates.shape[1]
    updates[n_pending] = 0.0
    # The stored C times w, from the lower triangle.
    for i in range(count):
        k, value = support[i], factor * values[i]
        for j in range(k + 1):
            updates[n_pending, j] += value * C[k, j]
        for j in range(k + 1, n):
            updates[n_pending, j] += value * C[j, k]
    # Less the pending updates times w.
    for g in range(n_pending):
        product = 0.0
        for i in range(count):
            product += values[i] * updates[g, support[i]]
        product *= weights[g]
        for j in range(n):
            updates[n_pending, j] -= product * updates[g, j]
    total = 1.0
    for i in range(count):
        total += values[i] * updates[n_pending, support[i]]
    return 1.0 / total


@kernel(inline=True)
def apply_updates(C, factor, u, weights):
    """Compute C = factor C - Σ weight u uᵀ over all pending updates, in the lower triangle."""
    for i in range(len(C)):
        a, b = weights[0] * u[0, i], weights[1] * u[1, i]
        c, d = weights[2] * u[2, i], weights[3] * u[3, i]
        e, f = weights[4] * u[4, i], weights[5] * u[5, i]
        g, h = weights[6] * u[6, i], weights[7] * u[7, i]
        for j in range(i + 1):
            C[i, j] = factor * C[i, j] - (
                a * u[0, j]
                + b * u[1, j]
                + c * u[2, j]
                + d * u[3, j]
                + e * u[4, j]
                + f * u[5, j]
                + g * u[6, j]
                + h * u[7, j]
            )


@kernel(inline=True)
def limit_gain(C):
    """Scale rows and columns of C so that no diagonal entry exceeds MAX_GAIN."""
    for i in range(len(C)):
        if C[i, i] > MAX_GAIN:
            factor = np.sqrt(MAX_GAIN / C[i, i])
            for j in range(i + 1):
                C[i, j] *= factor
            for j in range(i, len(C)):
                C[j, i] *= factor
