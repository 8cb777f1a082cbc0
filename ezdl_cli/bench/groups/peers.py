"""Other programs for the same tasks: scikit-learn, SPAMS and bm3d (the extra `peers`).

They are imported when they run. One that is not installed fails in the warm-up round, and is left
out by `time_interleaved`.
"""

import warnings

import numpy as np

from ..interleaved_timing import PEER, Candidate

BATCH_SIZE = 512


def spams_training(X, n_atoms, penalty):
    """Return SPAMS's `trainDL`, one pass over the rows of X."""
    columns, D = np.asfortranarray(X.T), np.asfortranarray(_initial_atoms(X, n_atoms).T)
    options = {"lambda1": penalty, "mode": 2, "batchsize": BATCH_SIZE, "numThreads": 1}
    n_batches = -(-len(X) // BATCH_SIZE)

    def run():
        import spams

        spams.trainDL(columns, D=D, iter=n_batches, verbose=False, **options)

    return Candidate("SPAMS", run, len(X), PEER)


def spams_coding(X, W, function, **options):
    """Return SPAMS's `lasso` or `omp` of the rows of X."""
    columns, D = np.asfortranarray(X.T), np.asfortranarray(W.T)

    def run():
        import spams

        getattr(spams, function)(columns, D=D, numThreads=1, **options)

    return Candidate("SPAMS", run, len(X), PEER)


def sklearn_training(X, n_atoms, penalty):
    """Return scikit-learn's `MiniBatchDictionaryLearning`, one pass over the rows of X."""
    options = {"alpha": penalty, "batch_size": BATCH_SIZE, "max_iter": 1, "shuffle": False}
    initial = _initial_atoms(X, n_atoms)

    def run():
        from sklearn.decomposition import MiniBatchDictionaryLearning

        with warnings.catch_warnings(action="ignore"):
            MiniBatchDictionaryLearning(n_atoms, dict_init=initial, **options).fit(X)

    return Candidate("scikit-learn", run, len(X), PEER)


def sklearn_coding(X, W, algorithm, **options):
    """Return scikit-learn's `sparse_encode` of the rows of X."""

    def run():
        from sklearn.decomposition import sparse_encode

        sparse_encode(X, W, algorithm=algorithm, **options)

    return Candidate("scikit-learn", run, len(X), PEER)


def denoise_bm3d(noisy, sigma):
    """Denoise a grey or colour image with the package `bm3d`."""
    from bm3d import bm3d, bm3d_rgb

    return bm3d(noisy, sigma) if noisy.ndim == 2 else bm3d_rgb(noisy, sigma)


def _initial_atoms(X, n_atoms):
    """The first samples, scaled to unit norm."""
    first = X[:n_atoms]
    return first / np.linalg.norm(first, axis=1, keepdims=True)
