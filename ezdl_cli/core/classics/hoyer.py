"""Alternating projection of Hoyer (2004, "Non-negative matrix factorization with sparseness
constraints", sect. 3.4).

The point moves along a ray in the hyperplane of the target L1 norm until it has the target L2
norm. Entries that have become negative are fixed at zero, their sum is subtracted from the others,
and this is repeated until no entry is negative. Within the hyperplane the ray starts at the mean,
so that the quadratic equation for the L2 norm has no linear term.
"""

import numpy as np

from ..jit import kernel

REMOVED = -1.0e300  # marks an entry that is set to zero; no other entry is this small


def project_hoyer(rows, out, target, norm):
    """Project rows (m, n) to the target sparseness and an L2 norm; `out` may be `rows`."""
    _project_rows(rows, out, target.k * norm, norm)


@kernel
def _project_rows(rows, out, l1, l2):
    """Project each row."""
    state = np.empty(rows.shape[1])
    for i in range(len(rows)):
        _project_vector(rows[i], out[i], l1, l2, state)


@kernel(inline=True)
def _project_vector(x, out, l1, l2, state):
    """Alternate between the norms until no entry is negative, at most n times."""
    n = x.size
    total = 0.0
    for i in range(n):
        state[i] = abs(np.float64(x[i]))
        total += state[i]
    active = n
    for _ in range(n):
        # Onto the hyperplane of the L1 norm: differences from the mean are those from its centre.
        mean = total / active
        centre = l1 / active
        squares = 0.0
        for i in range(n):
            s = state[i]
            difference = s - mean if s > REMOVED else 0.0
            state[i] = difference if s > REMOVED else REMOVED
            squares += difference * difference
        # Along the ray to the L2 norm; remove what becomes negative.
        stretch = np.sqrt((l2 * l2 - l1 * centre) / squares)
        total = 0.0
        n_negative = 0
        for i in range(n):
            s = centre + stretch * state[i]
            negative = s < 0.0
            present = state[i] > REMOVED
            n_negative += negative & present
            state[i] = REMOVED if negative else s
            total += 0.0 if negative else s
        active -= n_negative
        if n_negative == 0:
            break
    for i in range(n):
        out[i] = np.copysign(max(state[i], 0.0), np.float64(x[i]))
