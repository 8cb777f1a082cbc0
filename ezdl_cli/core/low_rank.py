"""The best approximation of a small matrix by one of low rank (Eckart and Young 1936).

No decomposition is needed: the Gram matrix is squared again and again, which leaves its first
eigenvector, and what that explains is taken off before the next one.
"""

import numpy as np

from .jit import kernel

MAX_SQUARINGS = 40  # powers up to 2^40 tell apart singular values that differ by a part in 10^12
PURE = 1e-13  # of the trace may be left in other directions


@kernel(inline=True)
def keep_rank(matrix, rank, rest, gram, square, right, columns):
    """Replace a matrix (r, c) by the nearest one of a rank, in place.

    Scratch in double precision: `rest` (r · c), `gram` and `square` (c · c), `right` (c,); and
    `columns` (c,) of int, for those that are not zero.
    """
    r = len(matrix)
    used = _used_columns(matrix, columns)
    if used == 0:
        return
    packed = rest[: r * used].reshape(r, used)
    for i in range(r):
        for j in range(used):
            packed[i, j] = matrix[i, columns[j]]
            matrix[i, columns[j]] = 0.0
    first, second = gram[: used * used], square[: used * used]
    vector = right[:used]
    for _ in range(min(rank, used)):
        if not _first_right_vector(
            packed, first.reshape(used, used), second.reshape(used, used), vector
        ):
            return
        for i in range(r):
            product = 0.0
            for j in range(used):
                product += packed[i, j] * vector[j]
            for j in range(used):
                packed[i, j] -= product * vector[j]
                matrix[i, columns[j]] += product * vector[j]


@kernel(inline=True)
def _used_columns(matrix, columns):
    """Which columns are not zero; their number."""
    used = 0
    for j in range(matrix.shape[1]):
        some = False
        for i in range(matrix.shape[0]):
            some |= matrix[i, j] != 0.0
        columns[used] = j
        used += some
    return used


@kernel(inline=True)
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


@kernel(inline=True)
def _multiply_transposed(matrix, out):
    """matrixᵀ · matrix"""
    for j in range(len(out)):
        sums = out[j]
        sums[:] = 0.0
        for i in range(len(matrix)):
            factor, row = matrix[i, j], matrix[i]
            for k in range(sums.size):
                sums[k] += factor * row[k]


@kernel(inline=True)
def _trace(gram):
    trace = 0.0
    for j in range(len(gram)):
        trace += gram[j, j]
    return trace


@kernel(inline=True)
def _normalise_trace(gram):
    """Scale to a trace of one; whether that is possible."""
    trace = _trace(gram)
    if not 0.0 < trace < np.inf:
        return False
    scale = 1.0 / trace
    for j in range(len(gram)):
        for k in range(len(gram)):
            gram[j, k] *= scale
    return True
