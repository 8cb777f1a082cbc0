"""A dictionary learned anew on noisy patches, from a given one.

The update is that of Online Dictionary Learning (`learn.odl`); the codes are those of the pilot,
which end where the noise begins. So the atoms take on the structure of the picture, and the noise
of many patches averages out. The stronger the noise, the more they are held by what they were: as
if each had been used for itself, with the energy σ²/5 in the mean over the patches.
"""

import numpy as np

from ..coding.ormp import OrmpWorkspace, ormp_code
from ..core.jit import kernel
from ..core.linear_algebra import (
    allocate_panels,
    allocate_responses,
    filter_responses,
    gram_matrix,
    squared_norm,
)
from ..learn.odl import ODLWorkspace, discount, update_atoms
from .passes import Atoms

BATCH = 512
N_BATCHES = 400
HOLD = 0.2


def adapt(atoms, batches, bound, sigma):
    """Atoms that code patches better.

    Parameters
    ----------
    atoms : Atoms
    batches : iterable of arrays (BATCH, m) of float32
        Noisy patches without their means.
    bound : float
        What codes may leave of a patch.
    sigma : float
        Standard deviation of the noise.

    Returns
    -------
    Atoms
    """
    W = atoms.W.copy()
    n_atoms, m = W.shape
    A, B = np.zeros((n_atoms, n_atoms), W.dtype), np.zeros((n_atoms, m), W.dtype)
    learning, room = ODLWorkspace.of(n_atoms, m, W.dtype), OrmpWorkspace.of(n_atoms, m, m, W.dtype)
    panels = allocate_panels(n_atoms, m, W.dtype)
    responses = allocate_responses(BATCH, panels)
    hold = W.dtype.type(HOLD * sigma**2)
    diagonal = hold * np.eye(n_atoms, dtype=W.dtype)
    for number, X in enumerate(batches, 1):
        keep = W.dtype.type(discount(number, BATCH))
        A *= keep
        B *= keep
        gram = gram_matrix(W, panels)
        squares = np.diagonal(gram).copy()
        filter_responses(X, panels, responses)
        _remember(X, responses, gram, squares, bound, room, A, B)
        update_atoms(W, A + diagonal, B + hold * atoms.W, learning.columns, learning.products)
    return Atoms.of(W)


@kernel(inline=True)
def _remember(X, responses, gram, squares, bound, room, A, B):
    """Code a batch, and add the means of h hᵀ and h xᵀ to A and B."""
    places, values = room.support, room.values
    weight = 1.0 / len(X)
    for s in range(len(X)):
        b = responses[s][: len(gram)]
        count = ormp_code(b, gram, X[:0], squares, squared_norm(X[s]), bound, room)
        for i in range(count):
            k, part = places[i], A.dtype.type(weight * values[i])
            for j in range(count):
                A[k, places[j]] += part * A.dtype.type(values[j])
            for t in range(B.shape[1]):
                B[k, t] += part * X[s, t]
