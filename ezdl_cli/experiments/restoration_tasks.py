"""Restoration tasks beyond the paper: images are degraded, and restored by a dictionary.

The paper expects its dictionaries to be useful in these tasks, but tests none. Each task also has a
baseline, a simple method without learning. Degraded images are rounded to 8 bits as in a file.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..restoration.bicubic import downscale, enlarge
from ..restoration.blurring import blur, gaussian_kernel
from ..restoration.deblurring import deblur
from ..restoration.inpainting import inpaint
from ..restoration.quality import SSIM_WINDOW, ssim_and_psnr, to_uint8
from ..restoration.upscaling import upscale
from .restoration_labels import DEBLURRING, INPAINTING, SUPER_RESOLUTION

WHITE = 255.0
# Within so many pixels of the border, bicubic interpolation by a factor of 4 uses pixels outside of
# the image.
BORDER = 6
# Regularisation of the Wiener filters, the best one of which is the baseline of deblurring. With
# noise of σ = 2 and blurs from 0.3 to 4 pixels, the best values for four photographs of
# scikit-image are between 0.0002 and 0.1.
BALANCES = (0.0003, 0.001, 0.002, 0.004, 0.01, 0.03, 0.1, 0.3)
ROUNDING_VARIANCE = 1 / 12
# Limits of the settings, beyond which little of an image is left.
MAX_FACTOR, MAX_BLUR, MAX_MISSING = 4, 10.0, 99.0


@dataclass(frozen=True)
class Degradation:
    """A degraded image, its original, and how it is restored."""

    original: np.ndarray
    """The part of the image that can be restored."""
    shown: np.ndarray
    """The degraded image in the size of the original, uint8."""
    baseline: np.ndarray
    """What the baseline makes of it, uint8."""
    restore: Callable
    """Function of a dictionary, None for the method without one, and of `callback`."""
    border: int = 0
    """Pixels on each side that are not measured."""

    def quality(self, result):
        """Return the PSNR in dB and the SSIM of a result, rounded and clipped to 8 bits."""
        inside = slice(self.border, -self.border or None)
        ssim, psnr = ssim_and_psnr(self.original[inside, inside], to_uint8(result)[inside, inside])
        return psnr, ssim


@dataclass(frozen=True)
class Task:
    """A restoration task."""

    degrade: Callable
    """Function of an image (float64), the setting, the noise level and a random number generator
    that returns a `Degradation`."""
    min_side: Callable
    """Function of the setting and the side of the atoms: the smallest side of an image."""
    is_noisy: bool = False
    """Whether noise is added."""


def _shrink(image, factor, sigma, rng):
    """Return an image reduced by a factor, which is to be enlarged again."""
    height, width = (factor * (side // factor) for side in image.shape)
    original = image[:height, :width]
    small = to_uint8(downscale(original, factor)).astype(np.float64)
    return Degradation(
        original,
        to_uint8(np.kron(small, np.ones((factor, factor)))),
        to_uint8(enlarge(small, factor)),
        lambda W, callback=None: upscale(small, factor, W, callback=callback),
        BORDER,
    )


def _blur(image, deviation, sigma, rng):
    """Return an image with Gaussian blur and noise, without the border that the blur mixes."""
    kernel = gaussian_kernel(deviation)
    reach = len(kernel) // 2
    original = image[reach:-reach, reach:-reach]
    noise = sigma * rng.standard_normal(original.shape)
    blurred = to_uint8(blur(image, kernel) + noise)
    pixels, level = blurred.astype(np.float64), math.sqrt(sigma**2 + ROUNDING_VARIANCE)
    return Degradation(
        original,
        blurred,
        _best_wiener(pixels, kernel, original),
        lambda W, callback=None: deblur(pixels, kernel, level, W, callback=callback),
    )


def _remove_pixels(image, percentage, sigma, rng):
    """Return an image without some of its pixels."""
    mask = np.zeros(image.shape, bool)
    n_missing = round(percentage / 100 * image.size)
    mask.flat[rng.permutation(image.size)[:n_missing]] = True
    known = np.where(mask, 0.0, image)
    return Degradation(
        image,
        to_uint8(known),
        _biharmonic(known, mask),
        lambda W, callback=None: inpaint(known, mask, W, callback=callback),
    )


def _best_wiener(blurred, kernel, original):
    """Return the blurred image or the result of a Wiener filter, whichever has the best PSNR.

    To know the best one takes the original, so this is the most that these filters can do.
    """
    from skimage.restoration import wiener  # takes long to import

    margin = 2 * len(kernel)
    padded = np.pad(blurred, margin, "symmetric") / WHITE
    inside = slice(margin, -margin)
    filtered = (
        to_uint8(WHITE * wiener(padded, kernel, balance, clip=False)[inside, inside])
        for balance in BALANCES
    )
    candidates = [to_uint8(blurred), *filtered]
    return min(candidates, key=lambda one: np.mean((one - original) ** 2))


def _biharmonic(known, mask):
    """Return an image whose missing pixels continue the others smoothly, by scikit-image."""
    if not mask.any():
        return to_uint8(known)
    from skimage.restoration import inpaint_biharmonic  # takes long to import

    return to_uint8(WHITE * inpaint_biharmonic(known / WHITE, mask, split_into_regions=True))


def _side_to_shrink(factor, atom_side):
    return factor * max(atom_side, -(-(SSIM_WINDOW + 2 * BORDER) // factor))


def _side_to_blur(deviation, atom_side):
    kernel_side = len(gaussian_kernel(deviation))
    return max(atom_side, SSIM_WINDOW, kernel_side) + kernel_side - 1


def _side_to_remove_pixels(percentage, atom_side):
    return max(atom_side, SSIM_WINDOW)


TASKS = {
    SUPER_RESOLUTION: Task(_shrink, _side_to_shrink),
    DEBLURRING: Task(_blur, _side_to_blur, is_noisy=True),
    INPAINTING: Task(_remove_pixels, _side_to_remove_pixels),
}
