"""Matrix products whose rounding does not depend on the number of threads or on the batch.

BLAS splits its sums differently for different numbers of threads and rows. These kernels sum in a
fixed order, and are as fast as BLAS for the shapes of dictionary learning, or faster. For products
with a dictionary W (n_atoms, d), its rows are packed into panels: arrays (p, d, width) in which
`width` atoms lie side by side and fill one cache line per entry. Four samples are multiplied with
a panel at a time, while the sums stay in registers.
"""

import numpy as np

from .jit import kernel
from .simd import CACHE_LINE, TILE_ROWS, multiply_row, multiply_tile

# Rows that are transposed together: 8 doubles fill a cache line, and 8 divides every panel width.
TRANSPOSED_ROWS = 8


def allocate_panels(n_atoms, n_features, dtype):
    """Return zeroed panels (p, n_features, width) that start at a cache line."""
    dtype = np.dtype(dtype)
    width = CACHE_LINE // dtype.itemsize
    shape = (-(-n_atoms // width), n_features, width)
    # One line more than needed, so that the start can be moved to the next line.
    memory = np.zeros(np.prod(shape) + width, dtype)
    first = -memory.ctypes.data % CACHE_LINE // dtype.itemsize
    return memory[first : first + np.prod(shape)].reshape(shape)


def allocate_responses(n_samples, panels):
    """Return an uninitialised array (n_samples, p · width) for products with panels."""
    return np.empty((n_samples, panels.shape[0] * panels.shape[2]), panels.dtype)


@kernel(inline=True)
def pack_rows(W, panels):
    """Copy the rows of W into panels."""
    n, d = W.shape
    width = panels.shape[2]
    n_even = n - n % TRANSPOSED_ROWS
    # Several rows at a time, so that each cache line of a panel is written in one go.
    for first in range(0, n_even, TRANSPOSED_ROWS):
        panel = panels[first // width]
        column = first % width
        for k in range(d):
            for i in range(TRANSPOSED_ROWS):
                panel[k, column + i] = W[first + i, k]
    for i in range(n_even, n):
        for k in range(d):
            panels[i // width, k, i % width] = W[i, k]


@kernel(inline=True)
def filter_responses(X, panels, out):
    """Compute the filter responses X Wᵀ of the samples X (m, d) to packed atoms W.

    `out` has columns for all atoms that the panels could hold; those beyond n_atoms are zero.
    """
    n_tiled = len(X) - len(X) % TILE_ROWS
    # Panel by panel: a panel stays in the cache while all samples are multiplied with it.
    for p in range(len(panels)):
        for i in range(0, n_tiled, TILE_ROWS):
            multiply_tile(X, i, panels, p, out)
        for i in range(n_tiled, len(X)):
            multiply_row(X, i, panels, p, out)


def gram_matrix(W, panels):
    """Pack W and return W Wᵀ, of shape (n_atoms, p · width)."""
    gram = allocate_responses(len(W), panels)
    pack_rows(W, panels)
    filter_responses(W, panels, gram)
    return gram


@kernel(inline=True)
def dot_rows(x, rows, out):
    """Compute the products of a vector with each row of a matrix (m, d)."""
    zero = x.dtype.type(0)
    m, d = rows.shape
    n_tiled = m - m % 4
    # Four rows at a time: each entry of x is loaded once for four products.
    for i in range(0, n_tiled, 4):
        four = rows[i : i + 4]
        a, b, c, e = zero, zero, zero, zero
        for k in range(d):
            a += x[k] * four[0, k]
            b += x[k] * four[1, k]
            c += x[k] * four[2, k]
            e += x[k] * four[3, k]
        out[i], out[i + 1], out[i + 2], out[i + 3] = a, b, c, e
    for i in range(n_tiled, m):
        a = zero
        for k in range(d):
            a += x[k] * rows[i, k]
        out[i] = a


@kernel(inline=True)
def combine_rows(x, rows, out):
    """Compute the sum of the rows of a matrix (m, n), weighted by the entries of x."""
    for j in range(out.size):
        out[j] = 0
    n_tiled = x.size - x.size % 8
    # Eight rows at a time: `out` is read and written once for eight of them.
    for k in range(0, n_tiled, 8):
        a, b, c, d = x[k], x[k + 1], x[k + 2], x[k + 3]
        e, f, g, h = x[k + 4], x[k + 5], x[k + 6], x[k + 7]
        for j in range(out.size):
            out[j] += (
                a * rows[k, j]
                + b * rows[k + 1, j]
                + c * rows[k + 2, j]
                + d * rows[k + 3, j]
                + e * rows[k + 4, j]
                + f * rows[k + 5, j]
                + g * rows[k + 6, j]
                + h * rows[k + 7, j]
            )
    for k in range(n_tiled, x.size):
        for j in range(out.size):
            out[j] += x[k] * rows[k, j]


@kernel(inline=True)
def squared_norm(x):
    """Return the sum of squares in double precision."""
    total = 0.0
    for k in range(x.size):
        total += np.float64(x[k]) * np.float64(x[k])
    return total


@kernel(inline=True)
def correlation_sums(x, y):
    """Return Σx, Σy, Σx², Σy² and Σxy in double precision."""
    sum_x, sum_y, squares_x, squares_y, product = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(x.size):
        a, b = np.float64(x[k]), np.float64(y[k])
        sum_x += a
        sum_y += b
        squares_x += a * a
        squares_y += b * b
        product += a * b
    return sum_x, sum_y, squares_x, squares_y, product
