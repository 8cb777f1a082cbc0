"""Filter responses U = X Wᵀ of many samples, by a product of matrices of our own.

As fast as BLAS or faster for these shapes, and the same bits for any number of threads. The atoms
lie side by side in panels, as many as fit into a line of the cache, entry after entry; four samples
are multiplied with a panel at a time, and the sums stay in registers.
"""

import numpy as np

from ..core.jit import kernel
from ..core.vectors import LINE, TILE_ROWS, multiply_row, multiply_tile

AT_ONCE = 8  # rows that are turned into columns together


def new_panels(n_atoms, n_features, dtype):
    """Room for the panels (p, n_features, width) of a dictionary, which fill lines of the cache."""
    dtype = np.dtype(dtype)
    width = LINE // dtype.itemsize
    shape = (-(-n_atoms // width), n_features, width)
    room = np.zeros(np.prod(shape) + width, dtype)
    first = -room.ctypes.data % LINE // dtype.itemsize
    return room[first : first + np.prod(shape)].reshape(shape)


def new_responses(n_samples, panels):
    """Room for responses, with columns for all places of the panels."""
    return np.empty((n_samples, panels.shape[0] * panels.shape[2]), panels.dtype)


@kernel(inline=True)
def pack(W, panels):
    """Lay atoms, the rows of W, into panels."""
    n, d = W.shape
    width = panels.shape[2]
    whole = n - n % AT_ONCE
    for first in range(0, whole, AT_ONCE):
        panel = panels[first // width]
        place = first % width
        for k in range(d):
            for i in range(AT_ONCE):
                panel[k, place + i] = W[first + i, k]
    for i in range(whole, n):
        for k in range(d):
            panels[i // width, k, i % width] = W[i, k]


@kernel(inline=True)
def filter_responses(X, panels, out):
    """Responses (m, all places of the panels) of samples, the rows of X (m, d)."""
    fours = len(X) - len(X) % TILE_ROWS
    for p in range(len(panels)):
        for i in range(0, fours, TILE_ROWS):
            multiply_tile(X, i, panels, p, out)
        for i in range(fours, len(X)):
            multiply_row(X, i, panels, p, out)


def gram_matrix(W, panels):
    """Products of all atoms with each other, (n_atoms, all places of the panels), packing them."""
    gram = new_responses(len(W), panels)
    pack(W, panels)
    filter_responses(W, panels, gram)
    return gram


@kernel(inline=True)
def products(x, rows, out):
    """Products of a vector with the rows (m, d) of a matrix, four at a time."""
    zero = x.dtype.type(0)
    m, d = rows.shape
    fours = m - m % 4
    for i in range(0, fours, 4):
        four = rows[i : i + 4]
        a, b, c, e = zero, zero, zero, zero
        for k in range(d):
            a += x[k] * four[0, k]
            b += x[k] * four[1, k]
            c += x[k] * four[2, k]
            e += x[k] * four[3, k]
        out[i], out[i + 1], out[i + 2], out[i + 3] = a, b, c, e
    for i in range(fours, m):
        a = zero
        for k in range(d):
            a += x[k] * rows[i, k]
        out[i] = a


@kernel(inline=True)
def combine_rows(x, rows, out):
    """Sum of the rows (m, n), each times an entry of x, eight at a time."""
    for j in range(out.size):
        out[j] = 0
    eights = x.size - x.size % 8
    for k in range(0, eights, 8):
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
    for k in range(eights, x.size):
        for j in range(out.size):
            out[j] += x[k] * rows[k, j]
