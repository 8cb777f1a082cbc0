"""Few samples that stand for a large group in the choice of atoms.

The gains of simultaneous ORMP depend on the samples X (m, d) only through the matrix XᵀX. So d
samples R with RᵀR = XᵀX, the Cholesky factor, get the same atoms as any number of samples, in a
time that does not grow with m.
"""

from typing import NamedTuple

import numpy as np

from ..core.jit import kernel
from ..core.linear_algebra import allocate_panels
from ..core.simd import CACHE_LINE, GROUPED_PANELS, TILE_ROWS, multiply_tile, subtract_lines

PANEL_WIDTH = CACHE_LINE // 4  # entries of float32
MIN_PIVOT = 1e-6  # relative to the diagonal; smaller ones are rounding errors of float32


class Samples(NamedTuple):
    """Samples of float32, as three views of the same memory: numba would compile long for these."""

    rows: np.ndarray
    """(m, d)"""
    columns: np.ndarray
    """(d, m)"""
    lines: np.ndarray
    """panels (d / width, m, width) with a line for each sample"""

    @classmethod
    def of(cls, m, d):
        """Return at least m samples of zeros; d is a multiple of the width of a panel."""
        # Views of a single row would be of other types, for which kernels are compiled once more.
        rows = np.zeros((max(m, 2), d), np.float32)
        return cls(rows, rows.T, rows.reshape(len(rows), -1, PANEL_WIDTH).swapaxes(0, 1))


class EquivalentSamples(NamedTuple):
    """The samples and memory to compute them.

    Attributes
    ----------
    samples
        The result (d, d), an upper triangular matrix.
    products
        XᵀX, of which the upper triangle is computed.
    factor
        Panels of the Cholesky factor, with a line for each of its rows.
    column
        A column of the factor.
    """

    samples: np.ndarray
    products: np.ndarray
    factor: np.ndarray
    column: np.ndarray

    @classmethod
    def of(cls, d):
        """Allocate memory for samples of d entries, see `group_ormp.padded`."""
        return cls(
            np.empty((d, d), np.float32),
            np.empty((d, d), np.float32),
            allocate_panels(d, d, np.float32),
            np.empty(d, np.float32),
        )


@kernel(inline=True)
def equivalent_samples(X, m, workspace):
    """Compute d samples with the same products XᵀX as the first m samples of X."""
    products, factor, out = workspace.products, workspace.factor, workspace.samples
    n_panels = len(factor)
    for k in range(0, len(products), TILE_ROWS):
        for p in range(k // PANEL_WIDTH, n_panels):
            multiply_tile(X.columns, k, X.lines[:, :m], p, products)
    for k in range(len(products)):
        _append_row(k, products, factor, workspace.column)
    for k in range(len(out)):
        for j in range(out.shape[1]):
            out[k, j] = factor[j // PANEL_WIDTH, k, j % PANEL_WIDTH] if j >= k else 0


@kernel(inline=True)
def _append_row(k, products, factor, column):
    """Append row k of the Cholesky factor; zeros if it depends linearly on the others."""
    pivot = np.float64(products[k, k])
    for i in range(k):
        column[i] = factor[k // PANEL_WIDTH, i, k % PANEL_WIDTH]
        pivot -= np.float64(column[i]) * np.float64(column[i])
    independent = pivot > MIN_PIVOT * products[k, k]
    scale = column.dtype.type(1.0 / np.sqrt(pivot) if independent else 0.0)
    # Panels left of the diagonal would be zero.
    group = GROUPED_PANELS * PANEL_WIDTH
    for p in range(k // group * GROUPED_PANELS, len(factor), GROUPED_PANELS):
        subtract_lines(products, k, column, k, scale, factor, p)
