"""Masks of missing pixels: images, or arrays in .npy files."""

from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from .matrix_files import is_array_file, read_matrix, read_over_black


@dataclass(frozen=True)
class Mask:
    """Which pixels of an image are missing."""

    # (height, width), True where pixels are missing.
    missing: np.ndarray
    # Number of pixels that are neither black nor as bright as the brightest one.
    n_grey: int = 0


def read_mask(path, shape, threshold=0.0):
    """Read the mask of an image.

    Parameters
    ----------
    path : path
        A .npy file of booleans or integers, in which entries other than zero mark missing pixels;
        or an image, whose bright pixels do. Transparent parts count as black.
    shape : tuple of int
        Height and width of the image that the mask belongs to.
    threshold : float
        Of an image: share of its largest value that must be exceeded, at least 0 and below 1.

    Returns
    -------
    Mask

    Raises
    ------
    InputError
        If the file is unusable, or the mask has another size or marks all pixels as missing.
    """
    if is_array_file(path):
        levels = read_matrix(path, "biu", "booleans or integers")
        _check_shape(path, levels, shape)
        return _checked(path, Mask(np.not_equal(levels, 0)))
    levels = read_over_black(path)
    _check_shape(path, levels, shape)
    if levels.ndim == 3:
        levels = levels.max(axis=-1)
    brightest = levels.max()
    n_grey = np.count_nonzero((levels > 0) & (levels < brightest))
    return _checked(path, Mask(levels > threshold * brightest, n_grey))


def _check_shape(path, levels, shape):
    if levels.shape[:2] != tuple(shape):
        (height, width), (own_height, own_width) = shape, levels.shape[:2]
        raise InputError(
            f"{path}: the mask has {own_width} × {own_height} pixels; it must have the size of the "
            f"image, {width} × {height}"
        )


def _checked(path, mask):
    if mask.missing.all():
        raise InputError(
            f"{path}: marks all pixels as missing; pixels that are known must be black"
        )
    return mask
