"""Atoms side by side in one image, and as a table with one row per pixel."""

import math

import numpy as np

# Between atoms and in empty cells: white.
GAP_TONE = 1.0


def tile(pixels, grid=None, gap=1):
    """Arrange atoms in a grid: atom j is in row j // columns and column j % columns.

    Parameters
    ----------
    pixels : array (n_atoms, side²)
        Each row is a square atom.
    grid : (int, int), optional
        Rows and columns; as square as possible by default, with empty cells at the end.
    gap : int
        Pixels between atoms.

    Returns
    -------
    array (height, width) of float64
        Each atom is divided by its own largest magnitude: 0 is mid-grey, -1 black and 1 white.

    Raises
    ------
    ValueError
        If the atoms are not square, not finite, or too many for the grid.
    """
    pixels = np.asarray(pixels, np.float64)
    side = atom_side(pixels)
    rows, columns = _nearly_square(len(pixels)) if grid is None else grid
    if min(rows, columns) < 1 or rows * columns < len(pixels):
        raise ValueError(f"a grid of {rows}x{columns} is too small for {len(pixels)} atoms")
    largest = np.abs(pixels).max(axis=1, keepdims=True)
    scaled = pixels / np.where(largest > 0.0, largest, 1.0)
    step = side + gap
    cells = np.full((rows * columns, step, step), GAP_TONE)
    cells[: len(pixels), :side, :side] = scaled.reshape(-1, side, side)
    picture = cells.reshape(rows, columns, step, step).transpose(0, 2, 1, 3)
    return picture.reshape(rows * step, columns * step)[: rows * step - gap, : columns * step - gap]


def atom_side(pixels):
    """Return the height and width of square atoms; ValueError if not square or not finite."""
    if pixels.ndim != 2 or pixels.size == 0:
        raise ValueError(f"atoms must be rows of an array, not of the shape {pixels.shape}")
    side = math.isqrt(pixels.shape[1])
    if side * side != pixels.shape[1]:
        raise ValueError(f"atoms of {pixels.shape[1]} pixels are not square")
    if not np.isfinite(pixels).all():
        raise ValueError("atoms contain NaN or infinity")
    return side


def to_grey(picture):
    """Convert an image with values from -1 to 1 to bytes; 0 becomes 128."""
    return np.rint((picture + 1.0) * 127.5).astype(np.uint8)


def to_table(pixels):
    """Return atoms as a table with one row per pixel, values rounded to four digits.

    Parameters
    ----------
    pixels : array (n_atoms, side²)

    Returns
    -------
    dict
        Columns `atom`, `row`, `column` (counted from 0) and `value`.
    """
    pixels = np.asarray(pixels)
    side = atom_side(pixels)
    atom, row, column = np.indices((len(pixels), side, side)).reshape(3, -1)
    value = np.array([float(f"{number:.4g}") for number in pixels.ravel().tolist()])
    return {"atom": atom, "row": row, "column": column, "value": value}


def from_table(table):
    """Return the atoms (n_atoms, side²) of a table as returned by `to_table`, rows in any order."""
    indices = tuple(table[name].astype(np.int64) for name in ("atom", "row", "column"))
    pixels = np.full([index.max() + 1 for index in indices], np.nan)
    pixels[indices] = table["value"]
    return pixels.reshape(len(pixels), -1)


def _nearly_square(n_atoms):
    """Return the rows and columns of the squarest grid that holds all atoms."""
    columns = math.isqrt(n_atoms - 1) + 1
    return -(-n_atoms // columns), columns
