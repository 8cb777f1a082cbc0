"""Other programs for the same tasks: scikit-learn, scikit-image, SPAMS and bm3d.

SPAMS and bm3d are those of the extra `peers`. They are imported when they run. One that is not
installed fails in the warm-up round, and is left out by `time_interleaved`.
"""

import warnings

import numpy as np

from ..interleaved_timing import PEER, Candidate

BATCH_SIZE = 512
WHITE = 255.0
BALANCE = 0.004
"""Regularisation of the Wiener filter: the best one for the blur and noise of the benchmark."""
N_ITERATIONS = 30
"""Iterations of Richardson-Lucy, the default of scikit-image rounded down to tens."""


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


def inpaint_biharmonic(image, mask):
    """Fill in missing pixels by the biharmonic equation, as scikit-image does."""
    from skimage.restoration import inpaint_biharmonic

    return WHITE * inpaint_biharmonic(image / WHITE, mask)


def deconvolutions(image, kernel):
    """Return functions that deblur an image with scikit-image, by name.

    They take the image to be periodic. To limit the ringing which that causes, a margin with the
    mirror image is added and cut off again.
    """
    margin = 2 * len(kernel)
    inside = (slice(margin, -margin),) * 2

    def with_margin(function):
        padded = np.pad(image, margin, "symmetric") / WHITE
        return WHITE * function(padded)[inside]

    def wiener(x):
        from skimage.restoration import wiener

        return wiener(x, kernel, BALANCE, clip=False)

    def unsupervised_wiener(x):
        from skimage.restoration import unsupervised_wiener

        return unsupervised_wiener(x, kernel, clip=False, rng=0)[0]

    def richardson_lucy(x):
        from skimage.restoration import richardson_lucy

        return richardson_lucy(np.clip(x, 0.0, 1.0), kernel, N_ITERATIONS, clip=False)

    return {
        "Wiener": lambda: with_margin(wiener),
        "unsupervised Wiener": lambda: with_margin(unsupervised_wiener),
        "Richardson-Lucy": lambda: with_margin(richardson_lucy),
    }


def _initial_atoms(X, n_atoms):
    """The first samples, scaled to unit norm."""
    first = X[:n_atoms]
    return first / np.linalg.norm(first, axis=1, keepdims=True)
