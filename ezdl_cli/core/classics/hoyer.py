"""Hoyer's alternating projection (2004, "Non-negative matrix factorization with sparseness
constraints", sect. 3.4).

The point moves along a ray in the hyperplane of the wanted L1 norm until it has the wanted L2
norm; entries that have become negative are fixed at zero, and what they lack is taken from the
others; and so on until none is negative. On the hyperplane the ray starts at the mean, so the
quadratic equation for the L2 norm has no linear term.
"""

import numpy as np

from ..jit import kernel

GONE = -1.0e300  # stands for an entry that is fixed at zero


def project_hoyer(rows, out, target, norm):
    """Project rows (m, n) to the target's sparseness and L2 norm; `out` may be `rows`."""
    _project_rows(rows, out, target.k * norm, norm)


@kernel
def _project_rows(rows, out, l1, l2):
    """Project each row; the rounds are bounded by the number of entries."""
    state = np.empty(rows.shape[1])
    for i in range(len(rows)):
        _project_vector(rows[i], out[i], l1, l2, state)


@kernel(inline=True)
def _project_vector(x, out, l1, l2, state):
    """Alternate between the norms until no entry is negative."""
    n = x.size
    total = 0.0
    for i in range(n):
        state[i] = abs(np.float64(x[i]))
        total += state[i]
    active = n
    for _ in range(n):
        # Back onto the hyperplane: the way from its centre is that from the mean, and its square.
        mean = total / active
        centre = l1 / active
        squares = 0.0
        for i in range(n):
            s = state[i]
            away = s - mean if s > GONE else 0.0
            state[i] = away if s > GONE else GONE
            squares += away * away
        stretch = np.sqrt((l2 * l2 - l1 * centre) / squares)
        total = 0.0
        negative = 0
        for i in range(n):
            s = centre + stretch * state[i]
            removed = s < 0.0
            present = state[i] > GONE
            negative += removed & present
            state[i] = GONE if removed else s
            total += 0.0 if removed else s
        active -= negative
        if negative == 0:
            break
    for i in range(n):
        out[i] = np.copysign(max(state[i], 0.0), np.float64(x[i]))
