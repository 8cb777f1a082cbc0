"""What is asked of atoms after an epoch: unit norm, and a sparseness or a rank if wanted."""

import numpy as np

from ..coding.arguments import exponents, scaled_down
from ..coding.low_rank import keep_rank
from ..core.jit import kernel
from ..core.projection import project


def constrain(W, sparseness=None, rank=None):
    """Give the atoms unit norm, and the sparseness or the rank that is wanted; in place."""
    normalise_atoms(W)
    if sparseness is not None:
        project(W, sparseness, norm=1.0, out=W)
    if rank is not None:
        side = patch_side(W.shape[1])
        _keep_rank_of_atoms(W.reshape(-1, side, side), rank)
        normalise_atoms(W)


def normalise_atoms(W):
    """Give the atoms unit norm, in place; an atom without length stays as it is."""
    W[:] = scaled_down(W, exponents(W, axis=1))
    lengths = np.sqrt(np.einsum("jk,jk->j", W, W, dtype=np.float64))
    W /= np.where(lengths > 0.0, lengths, 1.0).astype(W.dtype)[:, np.newaxis]


@kernel(inline=True)
def _keep_rank_of_atoms(atoms, rank):
    """Replace each atom by the nearest one of a rank."""
    r, c = atoms.shape[1:]
    rest, gram, square = np.empty(r * c), np.empty(c * c), np.empty(c * c)
    right, columns = np.empty(c), np.empty(c, np.int64)
    for j in range(len(atoms)):
        keep_rank(atoms[j], rank, rest, gram, square, right, columns)


def patch_side(n_features):
    """Height and width of square patches of so many pixels; ValueError if there are none."""
    side = round(n_features**0.5)
    if side * side != n_features:
        raise ValueError(f"samples of {n_features} entries are no square patches")
    return side
