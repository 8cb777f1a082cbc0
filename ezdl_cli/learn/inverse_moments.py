"""C, the inverse of the codes' second moments, for RLS-DLA.

Its lower half is kept, in double precision: it is symmetric at any time. Its updates are gathered
and carried out several at once, since a pass over C takes longer than all the rest; until then C is
what is stored, times a factor, less the sum of the gathered weight · u uᵀ.
"""

import numpy as np

from ..core.jit import kernel

GATHERED = 8  # as `carry_out` is written
# An atom that is not used for long has an ever larger entry in C: no larger than this.
LARGEST_GAIN = 1e12


@kernel(inline=True)
def times_inverse(C, factor, changes, weights, gathered, places, values, count):
    """u = C w as the next of the gathered changes, for the true C; a = 1 / (1 + wᵀu)."""
    n = changes.shape[1]
    for j in range(n):
        changes[gathered, j] = 0.0
    for i in range(count):
        k, value = places[i], factor * values[i]
        for j in range(k + 1):
            changes[gathered, j] += value * C[k, j]
        for j in range(k + 1, n):
            changes[gathered, j] += value * C[j, k]
    for g in range(gathered):
        product = 0.0
        for i in range(count):
            product += values[i] * changes[g, places[i]]
        product *= weights[g]
        for j in range(n):
            changes[gathered, j] -= product * changes[g, j]
    total = 1.0
    for i in range(count):
        total += values[i] * changes[gathered, places[i]]
    return 1.0 / total


@kernel(inline=True)
def carry_out(C, factor, u, weights):
    """C = factor C - Σ weight u uᵀ over all gathered changes, in its lower half."""
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
def limit(C):
    """Keep C within bounds: not all that is known of an atom is forgotten."""
    for i in range(len(C)):
        if C[i, i] > LARGEST_GAIN:
            factor = np.sqrt(LARGEST_GAIN / C[i, i])
            for j in range(i + 1):
                C[i, j] *= factor
            for j in range(i, len(C)):
                C[j, i] *= factor
