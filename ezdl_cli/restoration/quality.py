"""Quality of restored images: SSIM, PSNR, and rounding to 8 bits."""

import numpy as np

from .row_chunks import row_chunks
from .structural_similarity import RADIUS, ssim_map

SSIM_WINDOW = 2 * RADIUS + 1  # side of the window, in pixels


def ssim_and_psnr(image, restored):
    """Return the SSIM index (Wang et al. 2004) and the PSNR in decibels of a restored image.

    White is 255; SSIM has a Gaussian window of 11 × 11 pixels with a standard deviation of 1.5,
    and is averaged over pixels whose window lies within the image. Of colours (height, width, 3),
    SSIM is the mean over the channels, and PSNR that of all values.
    """
    if image.ndim == 2:
        channels = [(image, restored)]
    else:
        channels = [(image[..., i], restored[..., i]) for i in range(image.shape[2])]
    measured = np.array([_ssim_and_error(*channel) for channel in channels])
    ssim, error = measured.mean(axis=0)
    with np.errstate(divide="ignore"):
        psnr = float(10.0 * np.log10(255.0**2 / error))
    return float(ssim), psnr


def _ssim_and_error(image, restored):
    """Return the SSIM index and the mean squared error of grey values."""
    values = np.empty(image.shape)
    for rows in row_chunks(image):
        values[rows] = (image[rows].astype(np.float64) - restored[rows].astype(np.float64)) ** 2
    error = values.mean()
    inner = values[RADIUS:-RADIUS, RADIUS:-RADIUS]
    for rows in row_chunks(inner):
        outer = slice(rows.start, rows.stop + 2 * RADIUS)
        inner[rows] = ssim_map(_as_float64(image[outer]), _as_float64(restored[outer]))
    return inner.mean(), error


def _as_float64(values):
    return values.astype(np.float64, order="C")


def to_uint8(image):
    """Return values rounded and clipped to 8 bits."""
    return np.clip(np.rint(image), 0, 255).astype(np.uint8)
