"""The input of restoration tasks, as the channels that they work on."""

import numpy as np

from .scaled_image import ScaledImage


class DegradedImage:
    """Grey values, or luminance and two colour differences, on the scale from 0 to 255.

    Parameters
    ----------
    pixels : array (height, width) or (height, width, 3)
    white : float, optional
        The value of white; by default 65535 for uint16, 1 for bool, else 255.

    Attributes
    ----------
    region : Region
        The entire image.
    shape : tuple of int
        Height and width.
    n_channels : int

    Raises
    ------
    TypeError, ValueError
        If the array is sparse, its shape or `white` is out of range, or a pixel is not finite or
        far beyond white.
    """

    def __init__(self, pixels, white=None):
        self._image = ScaledImage(pixels, white)
        self.region = self._image.region
        self.shape = self.region.shape
        self.n_channels = self._image.n_channels
        if min(self.shape) < 1:
            raise ValueError("image has no pixels")
        # The luminance is a sum of colours divided by √3; here it is divided by 3, as grey values.
        self._scale = 1.0 / np.sqrt(self.n_channels)

    def channels(self, region):
        """Return the channels of a region, (channels, height, width)."""
        channels = [self._image.channel(region, number) for number in range(self.n_channels)]
        return self._scale * np.stack(channels)

    def merge(self, channels):
        """Return pixels in the units of the image."""
        return self._image.merge(channels / self._scale)

    def noise_level(self, sigma):
        """Return the level of noise in the channels; ValueError if it is out of range."""
        return self._scale * self._image.scaled_level(sigma)
