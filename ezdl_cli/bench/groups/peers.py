"""Other programs for the same tasks, where they are installed (the extra `peers`)."""

import warnings
from importlib import import_module

import numpy as np

from ..interleaved_timing import PEER, Candidate


def installed(name):
    """A module, or None if it is not installed or does not load."""
    try:
        return import_module(name)
    except Exception:  # compiled for another version of something, it can raise anything
        return None


def spams_training(X, n_atoms, penalty):
    """SPAMS's `trainDL` on samples, rows of X, in batches of 512, once."""
    spams = installed("spams")
    if spams is None:
        return []
    columns, D = _columns(X, n_atoms)
    options = {"lambda1": penalty, "mode": 2, "batchsize": 512, "iter": -(-len(X) // 512)}

    def run():
        spams.trainDL(columns, D=D, numThreads=1, verbose=False, **options)

    return [Candidate("SPAMS", run, len(X), PEER)]


def spams_coding(X, W, function, **options):
    """SPAMS's `lasso` or `omp` of samples, rows of X."""
    spams = installed("spams")
    if spams is None:
        return []
    columns, D = np.asfortranarray(X.T), np.asfortranarray(W.T)

    def run():
        getattr(spams, function)(columns, D=D, numThreads=1, **options)

    return [Candidate("SPAMS", run, len(X), PEER)]


def sklearn_training(X, n_atoms, penalty):
    """scikit-learn's `MiniBatchDictionaryLearning` on samples, rows of X, once."""
    decomposition = installed("sklearn.decomposition")
    if decomposition is None:
        return []
    start = np.ascontiguousarray(_columns(X, n_atoms)[1].T)

    def run():
        learner = decomposition.MiniBatchDictionaryLearning(
            n_atoms, alpha=penalty, batch_size=512, max_iter=1, dict_init=start, shuffle=False
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            learner.fit(X)

    return [Candidate("scikit-learn", run, len(X), PEER)]


def sklearn_coding(X, W, algorithm, **options):
    """scikit-learn's `sparse_encode` of samples, rows of X."""
    decomposition = installed("sklearn.decomposition")
    if decomposition is None:
        return []

    def run():
        decomposition.sparse_encode(X, W, algorithm=algorithm, **options)

    return [Candidate("scikit-learn", run, len(X), PEER)]


def bm3d():
    """The function of the package `bm3d`, or None."""
    module = installed("bm3d")
    return None if module is None else module.bm3d


def _columns(X, n_atoms):
    """Samples as columns, and the first of them with unit norm, to start from."""
    columns = np.asfortranarray(X.T)
    first = columns[:, :n_atoms]
    return columns, np.asfortranarray(first / np.linalg.norm(first, axis=0))
