"""How similar the atoms of one dictionary are to those of another."""

import numpy as np

from ..core.scaling import scale_down, scaling_exponents


def best_cosines(W, reference):
    """Return the largest absolute cosine of each atom with an atom of another dictionary.

    Parameters
    ----------
    W, reference : arrays (n_atoms, d) and (n_others, d)

    Returns
    -------
    array (n_atoms,) of float64; 0 for an atom of zeros
    """
    return np.abs(_unit(W) @ _unit(reference).T).max(axis=1)


def shuffled(W, seed=0):
    """Permute the entries of each atom at random."""
    return np.random.default_rng(seed).permuted(W, axis=1)


def _unit(W):
    W = np.asarray(W, np.float64)
    W = scale_down(W, scaling_exponents(W, axis=1))
    lengths = np.linalg.norm(W, axis=1, keepdims=True)
    return W / np.where(lengths > 0.0, lengths, 1.0)
