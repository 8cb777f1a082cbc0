"""The patch that a Gabor function is fitted to, and memory for all steps of the fit."""

from typing import NamedTuple

import numpy as np

from ..core.jit import kernel
from .row_products import LANES, TILE_ROWS

N_SHAPE, N_PARAMETERS = 6, 8
# Rows of `pixels`: x', y', h, and the derivatives of h by the phase, x' and y'.
ALONG, ACROSS, H, BY_PHASE, BY_ALONG, BY_ACROSS = range(6)


class GaborWorkspace(NamedTuple):
    """A patch and memory for Gabor functions.

    Attributes
    ----------
    rows : array (3, n)
        The waves E cos(2π f x') and E sin(2π f x') of all pixels, and the patch.
    products : array (3, 3)
        Products of these rows.
    columns : array (2, width)
        Cosine and sine of the part of the angle 2π f x' that depends on x.
    derivatives : array (9, n)
        Derivatives by each parameter, and the differences of the patch and a Gabor function.
    differences : array (1, n)
        The differences for a trial.
    pixels : array (6, n)
        Values of each pixel that derivatives are computed from.
    equations, factors : arrays (9, 9) and (9, 8)
        Normal equations of least squares, and their Cholesky factors; the last rows are the right
        side and the solution.

    All n are the number of pixels, rounded up to complete vectors; further entries are zero.
    """

    shape: tuple
    rows: np.ndarray
    products: np.ndarray
    columns: np.ndarray
    derivatives: np.ndarray
    differences: np.ndarray
    pixels: np.ndarray
    equations: np.ndarray
    factors: np.ndarray


@kernel(in_order=True)
def allocate_workspace(patch):
    """Allocate the workspace for a patch, and copy the patch into it."""
    height, width = patch.shape
    n = (patch.size + LANES - 1) // LANES * LANES
    rows = np.zeros((TILE_ROWS, n))
    for y in range(height):
        for x in range(width):
            rows[2, y * width + x] = patch[y, x]
    n_rows = N_PARAMETERS + 1
    return GaborWorkspace(
        (height, width),
        rows,
        np.empty((TILE_ROWS, TILE_ROWS)),
        np.empty((2, width)),
        np.zeros((n_rows, n)),
        np.zeros((1, n)),
        np.zeros((6, n)),
        np.empty((n_rows, n_rows)),
        np.empty((n_rows, N_PARAMETERS)),
    )


@kernel(in_order=True)
def copy(source, target):
    """Copy the entries of a vector; NumPy's assignment takes seconds to compile."""
    for k in range(source.size):
        target[k] = source[k]
