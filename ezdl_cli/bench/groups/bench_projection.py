"""Benchmarks of the projection: long vectors, short ones, classic algorithms, and the gradient."""

import os

import numpy as np

from ...core.classics import CLASSICS
from ...core.gradient import projection_gradient
from ...core.projection import project
from ...core.sparseness import sparseness
from ...core.target_sparseness import TargetSparseness
from ...platforms import available_cores
from ..benchmark_group import BenchmarkGroup, Quality
from ..interleaved_timing import PEER, Candidate
from .machine_limits import copying, matrix_product, sorting

SPARSENESS = 0.9
INITIAL_SPARSENESS = 0.5
"""Of long vectors before the projection, as in Fig. 5 of the paper."""
TARGET = (
    f"sparseness {SPARSENESS:g} by the default solver (auto) and others of this package. Quality: "
    "how many decimal digits of the sparseness are correct."
)


def long_vector(exponent, dtype="float64", solvers=("auto",), classics=()):
    """A vector of 2^exponent entries, projected in place."""
    x = np.random.default_rng(exponent).random(1 << exponent).astype(dtype)
    project(x, INITIAL_SPARSENESS, norm=1.0, out=x)
    work = np.empty_like(x)
    ours, peers = _projections(work, work, solvers, classics, prepare=lambda: np.copyto(work, x))
    candidates = [*ours, copying(x), sorting(), *peers]
    about = f"A vector of 2^{exponent} random numbers ({dtype}) is projected in place to {TARGET}"
    return BenchmarkGroup(candidates, "vector", lambda: _exactness(x), about=about)


def short_vectors(n, m, dtype="float32", solvers=("auto",), classics=()):
    """A batch of m vectors of n entries."""
    x = np.random.default_rng(n).standard_normal((m, n)).astype(dtype)
    ours, peers = _projections(x, np.empty_like(x), solvers, classics)
    candidates = [*ours, sorting(x), matrix_product(), *peers]
    about = f"{m} vectors of {n} random numbers ({dtype}) are projected to {TARGET}"
    return BenchmarkGroup(candidates, "vector", lambda: _exactness(x), about=about)


def long_vector_by_two_threads(exponent):
    """A vector of 2^exponent entries, projected in place by one and by two threads."""
    x = np.random.default_rng(exponent).random(1 << exponent)
    project(x, INITIAL_SPARSENESS, norm=1.0, out=x)
    work = np.empty_like(x)
    about = f"A vector of 2^{exponent} random numbers is projected in place by one and two threads."
    return _two_threads(work, work, about, prepare=lambda: np.copyto(work, x))


def short_vectors_by_two_threads(n, m):
    """A batch of m vectors of n entries of float32, projected by one and by two threads."""
    x = np.random.default_rng(n).standard_normal((m, n)).astype("float32")
    about = f"{m} vectors of {n} random numbers (float32) are projected by one and two threads."
    return _two_threads(x, np.empty_like(x), about)


def _two_threads(x, out, about, **options):
    """Return a group of the projection by one thread and, if there are two cores, by two."""

    def by_threads(n_threads):
        def run():
            before = os.environ.get("EZDL_THREADS", "")
            os.environ["EZDL_THREADS"] = str(n_threads)
            try:
                project(x, SPARSENESS, norm=1.0, out=out)
            finally:
                os.environ["EZDL_THREADS"] = before

        return run

    names = {1: "1 thread", 2: "2 threads"}
    n_vectors = len(np.atleast_2d(x))
    candidates = [
        Candidate(name, by_threads(n_threads), n_vectors, **options)
        for n_threads, name in names.items()
        if n_threads <= available_cores()
    ]
    return BenchmarkGroup(candidates, "vector", about=about)


def _projections(x, out, solvers, classics, **options):
    """Return our solvers and the classic algorithms as candidates that project the rows of x."""
    rows, out_rows = np.atleast_2d(x), np.atleast_2d(out)
    target = TargetSparseness.of(x.shape[-1], SPARSENESS)

    def by_solver(name):
        return lambda: project(x, SPARSENESS, norm=1.0, solver=name, out=out)

    def by_classic(name):
        return lambda: CLASSICS[name](rows, out_rows, target, 1.0)

    ours = [Candidate(name, by_solver(name), len(rows), **options) for name in solvers]
    peers = [Candidate(name, by_classic(name), len(rows), PEER, **options) for name in classics]
    return ours, peers


def gradient_and_sparseness(n=256, m=2048):
    """The gradient of the projection, and the sparseness itself."""
    x, y = np.random.default_rng(0).standard_normal((2, m, n))
    ours = [
        Candidate("gradient", lambda: projection_gradient(x, SPARSENESS, y), m),
        Candidate("sparseness", lambda: sparseness(x), m),
    ]
    about = (
        f"The gradient of the projection of {m} vectors of {n} random numbers is multiplied by as "
        "many vectors, and the sparseness of the vectors is computed."
    )
    return BenchmarkGroup([*ours, sorting(), matrix_product()], "vector", about=about)


def _exactness(x):
    """Number of correct decimal digits of the sparseness after the projection."""
    error = np.abs(sparseness(project(x, SPARSENESS, norm=1.0)) - SPARSENESS).max()
    return {"sparseness": Quality(float(-np.log10(max(error, 1e-16))), "digits")}
