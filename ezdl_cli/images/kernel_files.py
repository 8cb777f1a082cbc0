"""Blur kernels: the blurred image of a point, as an image or as an array in a .npy file."""

import numpy as np

from ..errors import InputError
from .matrix_files import is_array_file, read_matrix, read_over_black


def read_kernel(path, max_shape):
    """Read the weights of a blur kernel.

    Parameters
    ----------
    path : path
        A .npy file of numbers, or a grey image, whose transparent parts count as black.
    max_shape : tuple of int
        Height and width of the image that the kernel is for.

    Returns
    -------
    kernel : ndarray of shape (height, width)
        Weights in float64, as they are in the file: their sum may be any number.

    Raises
    ------
    InputError
        If the file is unusable, larger than the image, or an image in colour.
    """
    if is_array_file(path):
        matrix = read_matrix(path, "biuf", "real numbers")
        check_kernel_size(path, matrix, max_shape)
        return np.array(matrix, np.float64)
    values = read_over_black(path)
    check_kernel_size(path, values, max_shape)
    if values.ndim == 3:
        if (values != values[..., :1]).any():
            raise InputError(f"{path}: a kernel must be grey, not in colour; save it as grey")
        values = values[..., 0]
    return values.astype(np.float64)


def check_kernel_size(name, kernel, max_shape):
    """Raise InputError if a kernel is higher or wider than an image of `max_shape`."""
    (height, width), (max_height, max_width) = kernel.shape[:2], max_shape
    if height > max_height or width > max_width:
        raise InputError(
            f"{name}: the kernel has {width} × {height} pixels, more than the image, which has "
            f"{max_width} × {max_height}"
        )
