"""The course of a training, the same for all learners.

Everything that is drawn in epoch ν comes from the stream (seed, ν), and what is drawn before the
first from (seed, 0): so a run can go on from any epoch with the dictionary alone, and ends with the
same bits.
"""

import numpy as np

from .atoms import constrain
from .ezdl import learn_epoch


def initial_dictionary(samples, n_atoms, seed, parameters, dtype=np.float32):
    """Atoms chosen from the samples, within the constraints.

    Parameters
    ----------
    samples : Samples
    n_atoms : int
    seed : int
    parameters : Parameters of the learner
    dtype : float32 or float64

    Returns
    -------
    array (n_atoms, d), rows of unit norm

    Raises
    ------
    ValueError
        If the parameters do not fit.
    """
    parameters.check(n_atoms, samples.n_features)
    stream = np.random.default_rng([seed, 0])
    W = np.zeros((n_atoms, samples.n_features), dtype)
    count = min(n_atoms, len(samples))
    samples.pick_scaled(stream.choice(len(samples), count, replace=False), W[:count])
    # Where there are no samples, or some without length, any direction will do.
    empty = ~W.any(axis=1)
    W[empty] = stream.standard_normal((empty.sum(), samples.n_features))
    constrain(W, parameters.atom_sparseness, parameters.atom_rank)
    return W


def train(W, samples, parameters, first_epoch, n_epochs, samples_per_epoch, seed, callback):
    """Train a dictionary in place, from an epoch to the last.

    Parameters
    ----------
    W : array (n_atoms, d)
        The dictionary as it is before `first_epoch`.
    samples : Samples
    parameters : Parameters
    first_epoch, n_epochs : int
        Epochs are counted from 1; `n_epochs` is the last.
    samples_per_epoch : int
    seed : int
    callback : function of (epoch, W, statistics)
        Called after each epoch; the statistics are a dict of numbers.

    Raises
    ------
    ValueError
        If the dictionary does not stay finite.
    """
    for epoch in range(first_epoch, n_epochs + 1):
        stream = np.random.default_rng([seed, epoch])
        indices = stream.integers(len(samples), size=samples_per_epoch)
        correlation = learn_epoch(W, samples, indices, epoch, parameters, stream)
        if not np.isfinite(W).all():
            raise ValueError(f"the atoms are not finite after epoch {epoch}; take a smaller step")
        callback(epoch, W, {"correlation": correlation})
