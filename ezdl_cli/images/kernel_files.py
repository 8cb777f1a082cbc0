"""Blur kernels: the blurred image of a point, as an image or as an array in a .npy file."""

import numpy as np

from ..errors import InputError
from .matrix_files import is_array_file, read_matrix, read_over_black


def read_kernel(path):
    """Read the weights of a blur kernel.

    Parameters
    ----------
    path : path
        A .npy file of numbers, or a grey image, whose transparent parts count as black.

    Returns
    -------
    kernel : ndarray of shape (height, width)
        Weights in float64, as they are in the file: their sum may be any number.

    Raises
    ------
    InputError
        If the file is unusable, or the image is in colour.
    """
    if is_array_file(path):
        return np.array(read_matrix(path, "biuf", "real numbers"), np.float64)
    values = read_over_black(path)
    if values.ndim == 3:
        if (values != values[..., :1]).any():
            raise InputError(f"{path}: a kernel must be grey, not in colour; save it as grey")
        values = values[..., 0]
    return values.astype(np.float64)
