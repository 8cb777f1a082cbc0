"""Best low-rank approximation of a small matrix (Eckart and Young 1936).

No decomposition is needed: squaring the Gram matrix repeatedly leaves its first eigenvector, and
the component along it is subtracted before the next one is computed.
"""

import numpy as np

from .jit import kernel

MAX_SQUARINGS = 40  # the power 2^40 separates singular values that differ by a part in 10^12
MAX_IMPURITY = 1e-13  # fraction of the trace in other directions at which squaring stops


@kernel(inline=True)
def keep_rank(matrix, rank, residual, gram, square, right, columns):
    """Replace a matrix (r, c) by the nearest one of a given rank, in place.

    The workspace is in double precision: `residual` (r · c), `gram` and `square` (c · c), `right`
    (c,); and the integers `columns` (c,).
    """
    r = len(matrix)
    # Sparse codes have many columns of zeros: omit them, since the cost is cubic in c.
    used = _nonzero_columns(matrix, columns)
    if used == 0:
        return
    packed = residual[: r * used].reshape(r, used)
    for i in range(r):
        for j in range(used):
            packed[i, j] = matrix[i, columns[j]]
            matrix[i, columns[j]] = 0.0
    first, second = gram[: used * used], square[: used * used]
    vector = right[:used]
    # Move one rank-1 component after the other from the residual back to the matrix.
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
def _nonzero_columns(matrix, columns):
    """Write the indices of the columns that are not zero, and return their number."""
    used = 0
    for j in range(matrix.shape[1]):
        nonzero = False
        for i in range(matrix.shape[0]):
            nonzero |= matrix[i, j] != 0.0
        columns[used] = j
        used += nonzero
    return used


@kernel(inline=True)
def _first_right_vector(matrix, gram, square, right):
    """Compute the first right singular vector; returns False for a matrix of zeros."""
    c = len(gram)
    _multiply_transposed(matrix, gram)
    if not _normalise_trace(gram):
        return False
    # With unit trace, the trace of the square is 1 only if a single eigenvalue is left.
    for _ in range(MAX_SQUARINGS):
        _multiply_transposed(gram, square)
        purity = _trace(square)
        gram, square = square, gram
        _normalise_trace(gram)
        if purity > 1.0 - MAX_IMPURITY:
            break
    # The matrix is now v vᵀ: the row with the largest diagonal entry is the most accurate.
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
    """Compute matrixᵀ · matrix."""
    for j in range(len(out)):
        sums = out[j]
        sums[:] = 0.0
        for i in range(len(matrix)):
            factor, row = matrix[i, j], matrix[i]
            for k in range(sums.size):
                sums[k] += factor * row[k]


@kernel(inline=True)
def _trace(gram):
    """Return the sum of the diagonal."""
    trace = 0.0
    for j in range(len(gram)):
        trace += gram[j, j]
    return trace


@kernel(inline=True)
def _normalise_trace(gram):
    """Scale to a trace of one; returns False if that is not possible."""
    trace = _trace(gram)
    if not 0.0 < trace < np.inf:
        return False
    scale = 1.0 / trace
    for j in range(len(gram)):
        for k in range(len(gram)):
            gram[j, k] *= scale
    return True
