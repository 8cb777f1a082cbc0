"""Matrices of numbers in .npy files or images: what masks and blur kernels are read from."""

from pathlib import Path

import numpy as np

from ..errors import InputError
from ..io import load_array
from .decoding import read_pixels
from .guards.image_size import check_size


def is_array_file(path):
    """Return whether the name of a file is that of a NumPy array."""
    return Path(path).suffix.lower() == ".npy"


def read_matrix(path, kinds, description):
    """Memory-map the matrix in a .npy file.

    Parameters
    ----------
    path : path
    kinds : str
        Kinds of data types that are allowed, as in `numpy.dtype.kind`.
    description : str
        What the matrix must hold, for error messages.

    Raises
    ------
    InputError
        If the file is unusable, holds something else, or is larger than an image may be.
    """
    matrix = load_array(path)
    if matrix.ndim != 2 or matrix.dtype.kind not in kinds:
        found = f"an array of shape {matrix.shape} and type {matrix.dtype}"
        raise InputError(f"{path}: must be a matrix of {description}, not {found}")
    try:
        check_size(*matrix.shape[::-1])
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return matrix


def read_over_black(path):
    """Read an image; transparent parts become black.

    Returns
    -------
    values : ndarray of shape (height, width) or (height, width, 3)
        float64 if the image has transparency, else the values in the file.

    Raises
    ------
    InputError
        If the file is unusable.
    """
    try:
        pixels = read_pixels(path)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    if pixels.alpha is None:
        return pixels.values
    opacity = pixels.alpha / np.iinfo(pixels.alpha.dtype).max
    return pixels.values * (opacity if pixels.values.ndim == 2 else opacity[..., np.newaxis])
