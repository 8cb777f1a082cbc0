"""Quality of restored images: SSIM, PSNR, and rounding to 8 bits."""

import numpy as np

from .row_chunks import row_chunks

SSIM_SIGMA = 1.5  # standard deviation of the Gaussian window of Wang et al., in pixels
# scikit-image truncates the window at 3.5 standard deviations: 11 pixels, as Wang et al. have.
SSIM_WINDOW = 2 * int(3.5 * SSIM_SIGMA + 0.5) + 1


def ssim_and_psnr(image, restored):
    """Return the SSIM index (Wang et al. 2004) and the PSNR in decibels of a restored image.

    White is 255; SSIM has a Gaussian window of 11 × 11 pixels with a standard deviation of 1.5,
    and is averaged over pixels whose window lies within the image.
    """
    values, border = np.empty(image.shape), SSIM_WINDOW // 2
    for rows in row_chunks(image):
        values[rows] = (image[rows].astype(np.float64) - restored[rows].astype(np.float64)) ** 2
    with np.errstate(divide="ignore"):
        psnr = float(10.0 * np.log10(255.0**2 / values.mean()))
    for rows in row_chunks(image[2 * border :]):
        inner = slice(rows.start + border, rows.stop + border)
        outer = slice(rows.start, rows.stop + 2 * border)
        ssim = _ssim_map(image[outer].astype(np.float64), restored[outer].astype(np.float64))
        values[inner][: len(ssim) - 2 * border] = ssim[border:-border]
    return float(values[border:-border, border:-border].mean()), psnr


def _ssim_map(image, restored):
    """Return the SSIM index of each pixel; only those off the border do not depend on padding."""
    from skimage.metrics import structural_similarity

    wang = {"gaussian_weights": True, "sigma": SSIM_SIGMA, "use_sample_covariance": False}
    return structural_similarity(image, restored, data_range=255, full=True, **wang)[1]


def to_uint8(image):
    """Return grey values rounded and clipped to 8 bits."""
    return np.clip(np.rint(image), 0, 255).astype(np.uint8)
