"""Blur by a known kernel."""

import numpy as np
from scipy.signal import fftconvolve

from ..core.input_validation import as_float_array

TRUNCATION = 4.0  # standard deviations


def blur(image, kernel):
    """Return the convolution of an image (height, width) with a kernel, where both overlap fully.

    The result is smaller than the image by the shape of the kernel minus one.
    """
    return fftconvolve(np.asarray(image, np.float64), normalised_kernel(kernel), mode="valid")


def gaussian_kernel(sigma):
    """Return the kernel of a Gaussian blur: square, with an odd side and a sum of one."""
    reach = max(1, int(np.ceil(TRUNCATION * sigma)))
    t = np.arange(-reach, reach + 1) / sigma
    weights = np.exp(-0.5 * t**2)
    return np.outer(weights, weights) / weights.sum() ** 2


def normalised_kernel(kernel):
    """Return the kernel with a sum of one, float64.

    Raises
    ------
    ValueError
        If it is not a matrix of finite numbers, or its entries have no positive sum.
    """
    kernel = as_float_array(kernel, "kernel").astype(np.float64)
    if kernel.ndim != 2 or kernel.size == 0:
        raise ValueError(f"kernel must have two axes, not the shape {kernel.shape}")
    if not np.isfinite(kernel).all():
        raise ValueError("kernel must have finite numbers only")
    scale = np.abs(kernel).max()
    if not scale > 0.0:
        raise ValueError("kernel must not consist of zeros only")
    kernel = kernel / scale
    total = kernel.sum()
    if not total > 1e-3 * np.abs(kernel).sum():
        raise ValueError("the sum of the kernel must be positive")
    return kernel / total
