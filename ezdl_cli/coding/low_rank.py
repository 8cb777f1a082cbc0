"""The best approximation of a small matrix by one of low rank (Eckart and Young 1936).

No decomposition is needed: the Gram matrix is squared again and again, which leaves its first
eigenvector, and what that explains is taken off before the next one.
"""

import numpy as np

from ..core.jit import kernel

MAX_SQUARINGS = 40  # powers up to 2^40 tell apart singular values that differ by a part in 10^12
PURE = 1e-13


@kernel
def keep_rank(matrix, rank, rest, gram, square, right):
    """Replace a matrix (r, c) by the nearest one of a rank, in place.

    `rest` (r, c), `gram` and `square` (c, c) and `right` (c,) are scratch, in double precision.
    """
    r, c = matrix.shape
    for i in range(r):
        for j in range(c):
            rest[i, j] = matrix[i, j]
            matrix[i, j] = 0.0
    for _ in range(rank):
        if not _first_right_vector(rest, gram, square, right):
            return
        for i in range(r):
            product = 0.0
            for j in range(c):
                product += rest[i, j] * right[j]
            for j in range(c):
                rest[i, j] -= product * right[j]
                matrix[i, j] += product * right[j]


@kernel
def _first_right_vector(matrix, gram, square, right):
    """The first right singular vector; whether there is one."""
    c = len(gram)
    _multiply_transposed(matrix, gram)
    if not _normalise_trace(gram):
        return False
    for _ in range(MAX_SQUARINGS):
        _multiply_transposed(gram, square)
        purity = _trace(square)
        gram, square = square, gram
        _normalise_trace(gram)
        if purity > 1.0 - PURE:
            break
    best = 0
    for j in range(c):
        best = j if gram[j, j] > gram[best, best] else best
    length = 0.0
    for j in range(c):
        length += gram[best, j] * gram[best, j]
    for j in range(c):
        right[j] = gram[best, j] / np.sqrt(length)
    return True


@kernel
def _multiply_transposed(matrix, out):
    """matrixᵀ · matrix; rows of zeros cost nothing."""
    c = len(out)
    for j in range(c):
        for k in range(c):
            out[j, k] = 0.0
    for i in range(len(matrix)):
        row = matrix[i]
        for j in range(c):
            factor = row[j]
            if factor != 0.0:
                sums = out[j]
                for k in range(c):
                    sums[k] += factor * row[k]


@kernel
def _trace(gram):
    trace = 0.0
    for j in range(len(gram)):
        trace += gram[j, j]
    return trace


@kernel
def _normalise_trace(gram):
    """Scale to a trace of one; whether that is possible."""
    trace = _trace(gram)
    if not 0.0 < trace < np.inf:
        return False
    for j in range(len(gram)):
        for k in range(len(gram)):
            gram[j, k] /= trace
    return True
