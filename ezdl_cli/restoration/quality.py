"""Quality of restored images: SSIM, PSNR, and rounding to 8 bits."""

import numpy as np

from .row_chunks import row_chunks
from .structural_similarity import RADIUS, ssim_map

SSIM_WINDOW = 2 * RADIUS + 1  # side of the window, in pixels


def ssim_and_psnr(image, restored):
    """Return the SSIM index (Wang et al. 2004) and the PSNR in decibels of a restored image.

    White is 255; SSIM has a Gaussian window of 11 × 11 pixels with a standard deviation of 1.5,
    and is averaged over pixels whose window lies within the image.
    """
    values = np.empty(image.shape)
    for rows in row_chunks(image):
        values[rows] = (image[rows].astype(np.float64) - restored[rows].astype(np.float64)) ** 2
    with np.errstate(divide="ignore"):
        psnr = float(10.0 * np.log10(255.0**2 / values.mean()))
    inner = values[RADIUS:-RADIUS, RADIUS:-RADIUS]
    for rows in row_chunks(inner):
        outer = slice(rows.start, rows.stop + 2 * RADIUS)
        inner[rows] = ssim_map(image[outer].astype(np.float64), restored[outer].astype(np.float64))
    return float(inner.mean()), psnr


def to_uint8(image):
    """Return grey values rounded and clipped to 8 bits."""
    return np.clip(np.rint(image), 0, 255).astype(np.uint8)
