"""What the machine can do at best: copying, sorting, products of matrices.

Every group has two of different nature. A busy machine makes the one or the other slower, but a
program that has become slower is so in comparison with each of them.
"""

import numpy as np

from ..interleaved_timing import LIMIT, Candidate

N_ROWS = 512  # which stay in the cache
AT_ONCE = 16  # short ones are repeated, so that a turn has some milliseconds of them


def copying(source):
    """`np.copyto` of an array like this one: of a vector, or of its rows."""
    target = np.empty_like(source)
    count = len(source) if source.ndim > 1 else 1
    return Candidate("np.copyto", lambda: np.copyto(target, source), count, LIMIT)


def sorting(rows=None):
    """`np.sort` along rows, by default of 256 entries, in place: time of a row."""
    if rows is None:
        rows = np.random.default_rng(0).random((N_ROWS, 256), dtype=np.float32)
    work = np.empty_like(rows)

    def sort():
        np.copyto(work, rows)
        work.sort(axis=1)

    return _repeated("np.sort", sort, len(rows))


def responses(d=64, n_atoms=256):
    """A product of matrices by BLAS: the responses of atoms to a sample of d entries."""
    random = np.random.default_rng(0)
    X = random.random((N_ROWS, d), dtype=np.float32)
    W = random.random((n_atoms, d), dtype=np.float32)
    out = np.empty((N_ROWS, n_atoms), np.float32)
    return _repeated("BLAS product", lambda: np.matmul(X, W.T, out=out), N_ROWS)


def _repeated(name, run, count):
    """A limit that does so many things several times in a turn."""

    def repeat():
        for _ in range(AT_ONCE):
            run()

    return Candidate(name, repeat, AT_ONCE * count, LIMIT)
