"""Other programs for the same tasks, where they are installed (the extra `peers`)."""

import warnings
from importlib import import_module

import numpy as np

from ..interleaved_timing import PEER, Candidate

BATCH_SIZE = 512


def import_peer(name):
    """Return a module, or None if it is not installed or cannot be imported."""
    try:
        return import_module(name)
    except Exception:  # if it was compiled for another version of Python, it can raise anything
        return None


def spams_training(X, n_atoms, penalty):
    """Return SPAMS's `trainDL`, one pass over the rows of X; nothing if it is not installed."""
    spams = import_peer("spams")
    if spams is None:
        return []
    columns, D = np.asfortranarray(X.T), np.asfortranarray(_initial_atoms(X, n_atoms).T)
    options = {"lambda1": penalty, "mode": 2, "batchsize": BATCH_SIZE}
    options["iter"] = -(-len(X) // BATCH_SIZE)

    def run():
        spams.trainDL(columns, D=D, numThreads=1, verbose=False, **options)

    return [Candidate("SPAMS", run, len(X), PEER)]


def spams_coding(X, W, function, **options):
    """Return SPAMS's `lasso` or `omp` of the rows of X; nothing if it is not installed."""
    spams = import_peer("spams")
    if spams is None:
        return []
    columns, D = np.asfortranarray(X.T), np.asfortranarray(W.T)

    def run():
        getattr(spams, function)(columns, D=D, numThreads=1, **options)

    return [Candidate("SPAMS", run, len(X), PEER)]


def sklearn_training(X, n_atoms, penalty):
    """Return scikit-learn's `MiniBatchDictionaryLearning`, one pass over the rows of X."""
    decomposition = import_peer("sklearn.decomposition")
    if decomposition is None:
        return []
    options = {"alpha": penalty, "batch_size": BATCH_SIZE, "max_iter": 1, "shuffle": False}
    options["dict_init"] = _initial_atoms(X, n_atoms)

    def run():
        learner = decomposition.MiniBatchDictionaryLearning(n_atoms, **options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            learner.fit(X)

    return [Candidate("scikit-learn", run, len(X), PEER)]


def sklearn_coding(X, W, algorithm, **options):
    """Return scikit-learn's `sparse_encode` of the rows of X."""
    decomposition = import_peer("sklearn.decomposition")
    if decomposition is None:
        return []

    def run():
        decomposition.sparse_encode(X, W, algorithm=algorithm, **options)

    return [Candidate("scikit-learn", run, len(X), PEER)]


def bm3d():
    """Return the function of the package `bm3d`, or None if it is not installed."""
    module = import_peer("bm3d")
    return None if module is None else module.bm3d


def _initial_atoms(X, n_atoms):
    """The first samples, scaled to unit norm."""
    first = X[:n_atoms]
    return first / np.linalg.norm(first, axis=1, keepdims=True)
