"""Atoms and the Gabor functions fitted to them, side by side in one image."""

import math

import numpy as np

from .atom_tiles import atom_side

FRAME = (0xD5, 0x5E, 0x00)  # vermillion, around atoms whose fit was rejected
INNER_GAP, OUTER_GAP = 1, 3
WHITE = 255


def pair_up(atoms, fits, marked, grid=None):
    """Arrange pairs of an atom and its fit in rows.

    Parameters
    ----------
    atoms, fits : arrays (n_atoms, side²)
        Both are scaled by the atom: 0 is mid-grey, its largest magnitude black or white.
    marked : array (n_atoms,) of bool
        Pairs to draw with a frame.
    grid : (int, int), optional
        Rows and columns; as close to a square image as possible by default.

    Returns
    -------
    array (height, width, 3) of uint8

    Raises
    ------
    ValueError
        If the atoms are not square or not finite.
    """
    atoms, fits = np.asarray(atoms, np.float64), np.asarray(fits, np.float64)
    side, n_atoms = atom_side(atoms), len(atoms)
    height, width = side + OUTER_GAP, 2 * side + INNER_GAP + OUTER_GAP
    if grid is None:
        columns = min(n_atoms, max(1, round(math.sqrt(n_atoms * height / width))))
        grid = -(-n_atoms // columns), columns
    rows, columns = grid
    picture = np.full((rows * height + OUTER_GAP, columns * width + OUTER_GAP, 3), WHITE, np.uint8)
    largest = np.abs(atoms).max(axis=1, keepdims=True)
    scale = np.where(largest > 0.0, largest, 1.0)
    greys = [_to_grey(part / scale).reshape(-1, side, side) for part in (atoms, fits)]
    for i in range(n_atoms):
        top = i // columns * height + OUTER_GAP
        left = i % columns * width + OUTER_GAP
        right = left + 2 * side + INNER_GAP
        if marked[i]:
            picture[top - 1 : top + side + 1, left - 1 : right + 1] = FRAME
            picture[top : top + side, left:right] = WHITE
        picture[top : top + side, left : left + side] = greys[0][i][..., np.newaxis]
        picture[top : top + side, right - side : right] = greys[1][i][..., np.newaxis]
    return picture


def _to_grey(values):
    """Convert values, clipped to −1 … 1, to bytes; 0 becomes 128."""
    return np.rint((np.clip(values, -1.0, 1.0) + 1.0) * 127.5).astype(np.uint8)
