"""Limits of the machine that times are compared with: copying, sorting, matrix products.

Every group has two limits of different kinds. Load from other processes may slow down one of them,
but a program that has become slower is slower relative to each of them.
"""

import numpy as np

from ..interleaved_timing import LIMIT, Candidate

N_ROWS = 512
"""Rows of a short operation: few enough to stay in the cache."""
N_REPEATS = 16
"""Repetitions of a short operation in one run, which then takes some milliseconds."""


def copying(source):
    """Return `np.copyto` of an array; the time is per array, or per row if it is a matrix."""
    target = np.empty_like(source)
    n_items = len(source) if source.ndim > 1 else 1
    return Candidate("np.copyto", lambda: np.copyto(target, source), n_items, LIMIT)


def sorting(rows=None):
    """Return `np.sort` of each row, by default of 256 entries; the time is per row."""
    if rows is None:
        rows = np.random.default_rng(0).random((N_ROWS, 256), dtype=np.float32)
    work = np.empty_like(rows)

    def sort():
        np.copyto(work, rows)
        work.sort(axis=1)

    return _repeated("np.sort", sort, len(rows))


def matrix_product(n_features=64, n_atoms=256):
    """Return the product of samples and atoms by BLAS; the time is per sample."""
    random = np.random.default_rng(0)
    X = random.random((N_ROWS, n_features), dtype=np.float32)
    W = random.random((n_atoms, n_features), dtype=np.float32)
    out = np.empty((N_ROWS, n_atoms), np.float32)
    return _repeated("BLAS product", lambda: np.matmul(X, W.T, out=out), N_ROWS)


def _repeated(name, run, n_items):
    """A limit that is run several times in each round."""

    def repeat():
        for _ in range(N_REPEATS):
            run()

    return Candidate(name, repeat, N_REPEATS * n_items, LIMIT)
