"""The course of a training, the same for all learners.

Everything that is drawn in epoch ν comes from the stream (seed, ν), and what is drawn before the
first from (seed, 0): so the samples of an epoch are the same for all learners, and a run can go on
from any epoch with the learner's dictionary and state, and ends with the same bits.
"""

import numpy as np


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
    parameters.constrain(W)
    return W


def train(learner, samples, first_epoch, n_epochs, samples_per_epoch, seed, callback):
    """Let a learner learn, from an epoch to the last.

    Parameters
    ----------
    learner : of `ezdl`, `odl` or `rls_dla`
        As it is before `first_epoch`: its dictionary `W`, and the arrays in its `state`.
    samples : Samples
    first_epoch, n_epochs : int
        Epochs are counted from 1; `n_epochs` is the last.
    samples_per_epoch : int
    seed : int
    callback : function of (epoch, learner, statistics)
        Called after each epoch; the statistics are a dict of numbers.

    Raises
    ------
    ValueError
        If the dictionary does not stay finite.
    """
    for epoch in range(first_epoch, n_epochs + 1):
        stream = np.random.default_rng([seed, epoch])
        indices = stream.integers(len(samples), size=samples_per_epoch)
        callback(epoch, learner, learn_epoch(learner, samples, indices, epoch, stream))


def learn_epoch(learner, samples, indices, epoch, stream):
    """Let a learner learn for an epoch; what it says of it.

    Raises
    ------
    ValueError
        If the samples do not fit the dictionary, or numbers do not stay finite.
    """
    if samples.n_features != learner.W.shape[1]:
        raise ValueError(
            f"samples of {samples.n_features} entries do not fit atoms of {learner.W.shape[1]}"
        )
    with np.errstate(all="ignore"):
        numbers = learner.learn(samples, indices, epoch, stream)
    arrays = (learner.W, *learner.state.values(), list(numbers.values()))
    if not all(np.isfinite(array).all() for array in arrays):
        raise ValueError(f"numbers do not stay finite in epoch {epoch}; {learner.REMEDY}")
    return numbers
