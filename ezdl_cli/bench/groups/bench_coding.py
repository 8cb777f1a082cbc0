"""Benchmarks of sparse coding: lasso and ORMP against peers, Landweber iterations against BLAS,
and one thread against two.
"""

import numpy as np

from ...coding.landweber import landweber_codes
from ...coding.lasso import lasso
from ...coding.ormp import ormp
from ...io import default_dictionary
from ...learn.estimators import EZDL
from ...restoration.reproduction import reproduce
from ..benchmark_group import BenchmarkGroup, Quality
from ..interleaved_timing import LIMIT, Candidate
from .machine_limits import matrix_product, sorting
from .peers import sklearn_coding, spams_coding
from .photographs import patches, photograph
from .thread_counts import by_threads

N_SAMPLES = 2048
N_FOR_SKLEARN = 256
"""scikit-learn is an order of magnitude slower per sample."""
N_BLOCKS = 768
"""A ninth of the blocks of an image of 768 × 576 pixels."""
N_ITERATIONS = 100
PATCHES = f"{N_SAMPLES} patches of 8 × 8 pixels, of zero mean and unit variance,"


def _samples(count):
    """Normalised patches of 8 × 8 pixels."""
    samples = patches(8)
    return samples.pick(np.random.default_rng(2).integers(len(samples), size=count))


def lasso_codes(penalty):
    """Codes with an L1 penalty, by homotopy."""
    X, W = _samples(N_SAMPLES), default_dictionary()
    ours = Candidate("lasso", lambda: lasso(X, W, penalty), len(X))
    spams = spams_coding(X, W, "lasso", lambda1=penalty, mode=2)
    sklearn = sklearn_coding(X[:N_FOR_SKLEARN], W, "lasso_lars", alpha=penalty)
    about = f"{PATCHES} are coded with the L1 penalty λ = {penalty:g}."
    candidates = [ours, matrix_product(), sorting(), spams, sklearn]
    return BenchmarkGroup(candidates, "sample", about=about)


def ormp_codes(n_nonzero):
    """Codes with a fixed number of nonzero entries."""
    X, W = _samples(N_SAMPLES), default_dictionary()

    def explained():
        residual = X - ormp(X, W, n_nonzero) @ W
        share = 1.0 - np.square(residual).sum() / np.square(X).sum()
        return {"explained": Quality(float(share), "R²")}

    ours = Candidate("ORMP", lambda: ormp(X, W, n_nonzero), len(X))
    spams = spams_coding(X, W, "omp", L=n_nonzero, eps=0.0)
    sklearn = sklearn_coding(X[:N_FOR_SKLEARN], W, "omp", n_nonzero_coefs=n_nonzero)
    about = (
        f"{PATCHES} are coded with {n_nonzero} nonzero entries each, by order recursive matching "
        "pursuit. Quality: the share of their variance that the codes explain."
    )
    candidates = [ours, matrix_product(), sorting(), spams, sklearn]
    return BenchmarkGroup(candidates, "sample", explained, about=about)


def landweber(sparseness):
    """A hundred Landweber iterations, compared with the matrix products that they need."""
    X, W = _samples(N_BLOCKS), default_dictionary()
    codes = np.empty((len(X), len(W)), X.dtype)
    reconstructed = np.empty_like(X)

    def run():
        return landweber_codes(X, W, sparseness, [N_ITERATIONS])

    def products():
        for _ in range(N_ITERATIONS):
            np.matmul(X, W.T, out=codes)
            np.matmul(codes, W, out=reconstructed)

    def correlation():
        _, _, correlations = run()
        return {"correlation": Quality(float(correlations[-1].mean()), "correlation")}

    ours = Candidate("Landweber", run, len(X))
    blas = Candidate("BLAS, the same products", products, len(X), LIMIT)
    about = (
        f"{N_BLOCKS} blocks of 8 × 8 pixels are coded with sparseness {sparseness:g} by "
        f"{N_ITERATIONS} Landweber iterations, and compared with the matrix products in these. "
        "Quality: the mean correlation of the blocks with their approximations."
    )
    return BenchmarkGroup([ours, blas, sorting()], "block", correlation, about=about)


def _transform(X, W):
    """Codes by the estimator, as training infers them."""
    estimator = EZDL(len(W))
    estimator.components_, estimator.n_features_in_ = W, W.shape[1]
    return estimator.transform(X)


CODERS = {
    "lasso": (8192, lambda X, W: lasso(X, W, 1.0)),
    "ORMP": (16384, lambda X, W: ormp(X, W, 4)),
    "Landweber": (2048, lambda X, W: landweber_codes(X, W, 0.9, [N_ITERATIONS])),
    "EZDL": (65536, _transform),
}
"""Number of samples, and the function that returns their codes."""


def codes_by_two_threads(name):
    """Codes by one and by two threads."""
    n_samples, run = CODERS[name]
    X, W = _samples(n_samples), default_dictionary()
    what = f"{n_samples} patches of 8 × 8 pixels are coded by {name}"
    return by_threads(lambda: run(X, W), n_samples, "sample", what)


def reproduction_by_two_threads():
    """A photograph rebuilt from sparse codes, by one and by two threads."""
    image, W = photograph("reproduce/astronaut.png"), default_dictionary()
    what = f"A photograph is reproduced from sparse codes ({N_ITERATIONS} Landweber iterations)"
    return by_threads(lambda: reproduce(image, W, 0.9, N_ITERATIONS), 1, "picture", what)
