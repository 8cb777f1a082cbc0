"""The training loop, the same for all learners.

The random numbers of epoch ν come from a generator seeded with (seed, ν), those of the initial
dictionary from (seed, 0). So all learners see the same samples in an epoch, and a run that is
resumed after any epoch, from the learner's dictionary and state, ends with the same bits.
"""

import numpy as np


def initial_dictionary(samples, n_atoms, seed, parameters, dtype=np.float32):
    """Return atoms (n_atoms, n_features) chosen from the samples, within the constraints.

    Raises ValueError if a parameter is out of range or does not fit the samples.
    """
    parameters.check(n_atoms, samples.n_features)
    rng = np.random.default_rng([seed, 0])
    W = np.zeros((n_atoms, samples.n_features), dtype)
    count = min(n_atoms, len(samples))
    samples.pick_scaled(rng.choice(len(samples), count, replace=False), W[:count])
    # Random directions replace samples of zeros, and samples that are missing.
    empty = ~W.any(axis=1)
    W[empty] = rng.standard_normal((empty.sum(), samples.n_features))
    parameters.constrain(W)
    return W


def train(learner, samples, first_epoch, n_epochs, samples_per_epoch, seed, callback):
    """Train a learner from `first_epoch` to the last epoch.

    Parameters
    ----------
    learner : Learner
        With its dictionary and state as they are before `first_epoch`.
    samples : Samples
    first_epoch, n_epochs : int
        Epochs are counted from 1; `n_epochs` is the last one.
    samples_per_epoch : int
    seed : int
    callback : callable (epoch, learner, statistics)
        Called after each epoch with what `Learner.learn` returned.

    Raises
    ------
    ValueError
        If values do not stay finite.
    """
    for epoch in range(first_epoch, n_epochs + 1):
        rng = np.random.default_rng([seed, epoch])
        indices = rng.integers(len(samples), size=samples_per_epoch)
        callback(epoch, learner, learn_epoch(learner, samples, indices, epoch, rng))


def learn_epoch(learner, samples, indices, epoch, rng):
    """Train a learner for one epoch and return its statistics.

    Raises ValueError if the samples do not fit the dictionary, or values do not stay finite.
    """
    if samples.n_features != learner.W.shape[1]:
        raise ValueError(
            f"samples of {samples.n_features} entries do not fit atoms of {learner.W.shape[1]}"
        )
    with np.errstate(all="ignore"):
        statistics = learner.learn(samples, indices, epoch, rng)
    arrays = (learner.W, *learner.state.values(), list(statistics.values()))
    if not all(np.isfinite(array).all() for array in arrays):
        raise ValueError(f"{learner.REMEDY}: values do not stay finite in epoch {epoch}")
    return statistics
