"""Constraints on atoms: unit norm and low rank."""

import numpy as np

from ..core.jit import kernel
from ..core.low_rank import keep_rank
from ..core.patch_shape import patch_side
from ..core.scaling import scale_down, scaling_exponents


def normalise_atoms(W):
    """Scale the atoms to unit norm in place; atoms of zeros remain unchanged."""
    W[:] = scale_down(W, scaling_exponents(W, axis=1))
    norms = np.sqrt(np.einsum("jk,jk->j", W, W, dtype=np.float64))
    W /= np.where(norms > 0.0, norms, 1.0).astype(W.dtype)[:, np.newaxis]


def truncate_rank(W, rank):
    """Replace atoms, as square patches, by the nearest ones of a given rank; in place."""
    side = patch_side(W.shape[1])
    _truncate_rank(W.reshape(-1, side, side), rank)


@kernel(inline=True)
def _truncate_rank(atoms, rank):
    """Replace each atom (height, width) by the nearest matrix of a given rank."""
    r, c = atoms.shape[1:]
    residual, gram, square = np.empty(r * c), np.empty(c * c), np.empty(c * c)
    right, columns = np.empty(c), np.empty(c, np.int64)
    for j in range(len(atoms)):
        keep_rank(atoms[j], rank, residual, gram, square, right, columns)
