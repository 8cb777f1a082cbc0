"""What the machine can do at best: copying, sorting, products of matrices.

Every group has two of different nature. A busy machine makes the one or the other slower, but a
program that has become slower is so in comparison with each of them.
"""

import numpy as np

from ..contest import LIMIT, Contender

N_ROWS, N_SAMPLES = 2048, 2048


def copying(source):
    """`np.copyto` of an array like this one: of a vector, or of its rows."""
    target = np.empty_like(source)
    count = len(source) if source.ndim > 1 else 1
    return Contender("np.copyto", lambda: np.copyto(target, source), count, LIMIT)


def sorting(rows=None):
    """`np.sort` along rows, by default of 256 entries, a row."""
    if rows is None:
        rows = np.random.default_rng(0).random((N_ROWS, 256), dtype=np.float32)
    return Contender("np.sort", lambda: np.sort(rows, axis=1), len(rows), LIMIT)


def responses(d=64, n_atoms=256):
    """A product of matrices by BLAS: the responses of atoms to a sample of d entries."""
    random = np.random.default_rng(0)
    X = random.random((N_SAMPLES, d), dtype=np.float32)
    W = random.random((n_atoms, d), dtype=np.float32)
    out = np.empty((N_SAMPLES, n_atoms), np.float32)
    return Contender("BLAS product", lambda: np.matmul(X, W.T, out=out), N_SAMPLES, LIMIT)
