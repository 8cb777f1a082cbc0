"""The level of white noise in an image that a known kernel has blurred.

Where the kernel removes a frequency, what is left there is noise. Smooth patches, from which the
level is estimated otherwise, are not typical of the noise of blurred images, of which they are a
large part.
"""

import numpy as np
from scipy import fft

from .regions import Region
from .scaled_image import ScaledImage

MIN_PIXELS = 256  # so that the median is that of 50 frequencies
MAX_SIDE = 2048  # pixels; of larger images, the central part is used
# Of all frequencies: those with the least of the image. With 0.03 and 0.1, estimates scatter more.
SHARE = 0.2
DEVIATION_OF_MEDIAN = 0.6745  # median absolute value of the standard normal distribution
MIN_LEVEL = 1e-6  # on the scale from 0 to 255; less is due to rounding errors
DIGITS = 4  # of the estimate, so that it does not depend on rounding errors


def estimate_blurred_noise(image, kernel, white=None):
    """Return the standard deviation of the noise in a blurred image, in its units.

    Parameters
    ----------
    image : array_like of shape (height, width) or (height, width, 3)
        Grey values or colours; of colours, the noise of the luminance is estimated.
    kernel : array (rows, columns)
        The kernel, with a sum of one.
    white : float, optional
        The value of white; by default 65535 for uint16, 1 for bool, else 255.

    Raises
    ------
    TypeError, ValueError
        If the image is not valid, or too small.
    """
    scaled = ScaledImage(image, white)
    height, width = scaled.region.shape
    if height * width < MIN_PIXELS:
        raise ValueError(
            f"{width} × {height} pixels are too few to estimate the noise level; pass sigma"
        )
    top, left = max(0, (height - MAX_SIDE) // 2), max(0, (width - MAX_SIDE) // 2)
    part = Region(top, min(height, top + MAX_SIDE), left, min(width, left + MAX_SIDE))
    y = scaled.channel(part, 0)
    waves = fft.dctn(y - y.mean(), norm="ortho")
    signal = _expected_signal(kernel, y.shape)
    noise = np.abs(waves[signal <= np.quantile(signal, SHARE)])
    level = np.median(noise) / DEVIATION_OF_MEDIAN
    return float(f"{level * scaled.unit:.{DIGITS}g}") if level > MIN_LEVEL else 0.0


def _expected_signal(kernel, shape):
    """Return the relative amplitude of a blurred photograph at the frequencies of the DCT.

    That of photographs is inversely proportional to the frequency.
    """
    height, width = shape
    response = np.abs(fft.fft2(kernel, (2 * height, 2 * width)))
    # A wave of the DCT consists of waves in two directions.
    response = np.maximum(response[:height, :width], response[:height, -np.arange(width)])
    rows, columns = np.arange(height)[:, np.newaxis] / height, np.arange(width) / width
    frequency = np.hypot(rows, columns)
    frequency[0, 0] = 1.0  # the mean, which tells nothing about the noise
    signal = response / frequency
    signal[0, 0] = np.inf
    return signal
