"""An image on the scale from 0 to 255, channel by channel, whatever its type and white level."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..core.input_validation import as_float_array
from .noise_level import MIN_POSITIONS, PATCH_SIDE, estimate_noise_level
from .regions import Region

WHITE = 255.0
WHITE_OF_TYPE = {"uint16": 65535.0, "bool": 1.0}
MAX_MAGNITUDE = 1e6  # of grey values and noise; sums of squares are far from overflow in float32
WHITE_RANGE = (1e-300, 1e300)  # products with MAX_MAGNITUDE stay within the range of float64
MAX_LEVEL_PATCHES = 1 << 18  # from which the noise level is estimated
CHUNK_PIXELS = 1 << 20  # pixels that are validated together
# Luminance and two colour differences, orthonormal: white noise remains white, of the same level.
OPPONENT = np.array([[1.0, 1.0, 1.0], [1.0, 0.0, -1.0], [1.0, -2.0, 1.0]])
OPPONENT /= np.linalg.norm(OPPONENT, axis=1, keepdims=True)


class ScaledImage:
    """Grey values or opponent colour channels of an image, scaled so that white is 255.

    Parameters
    ----------
    pixels : array (height, width) or (height, width, 3)
    white : float, optional
        The value of white; by default 65535 for uint16, 1 for bool, else 255.

    Raises
    ------
    ValueError
        If the shape or `white` is out of range, or a pixel is not finite or far beyond white.
    """

    def __init__(self, pixels, white=None):
        pixels = np.asarray(pixels)
        if pixels.ndim not in (2, 3) or (pixels.ndim == 3 and pixels.shape[2] != 3):
            raise ValueError(f"image must be grey or have three colours, not shape {pixels.shape}")
        if white is None:
            white = WHITE_OF_TYPE.get(pixels.dtype.name, WHITE)
        if not WHITE_RANGE[0] <= white <= WHITE_RANGE[1]:
            raise ValueError(f"white must be positive, from 1e-300 to 1e300, not {white}")
        self.pixels = pixels if pixels.dtype.kind in "iu" else as_float_array(pixels, "image")
        self.unit = white / WHITE
        self.n_channels = 1 if pixels.ndim == 2 else 3
        self.region = Region(0, pixels.shape[0], 0, pixels.shape[1])
        self._check_pixels()

    def _check_pixels(self):
        n_rows = max(1, CHUNK_PIXELS // max(1, self.pixels[:1].size))
        for first in range(0, len(self.pixels), n_rows):
            rows = self.pixels[first : first + n_rows].astype(np.float64)
            bad = ~(np.abs(rows) <= MAX_MAGNITUDE * self.unit)
            if bad.any():
                y, x = np.argwhere(bad)[0][:2]
                raise ValueError(
                    f"the pixel in row {first + y}, column {x} is not finite or far beyond white"
                )

    def channel(self, region, number):
        """Return a channel of a region, float64."""
        return self._channel(self.pixels[region.slices].astype(np.float64), number)

    def _channel(self, values, number):
        if self.n_channels == 3:
            values = values @ OPPONENT[number]
        return values * (1.0 / self.unit)

    def merge(self, channels):
        """Return pixels in the units of the image, from all of their channels."""
        values = channels[0]
        if self.n_channels == 3:
            values = np.stack(channels, axis=-1) @ OPPONENT
        return values * self.unit

    def draw_patches(self, number, side, count, rng):
        """Return random patches (count, side²) of a channel."""
        windows = sliding_window_view(self.pixels, (side, side), axis=(0, 1))
        rows = rng.integers(windows.shape[0], size=count)
        columns = rng.integers(windows.shape[1], size=count)
        drawn = windows[rows, columns].astype(np.float64)
        if self.n_channels == 3:
            drawn = np.moveaxis(drawn, 1, -1)
        return self._channel(drawn, number).reshape(count, side * side)

    def noise_level(self, number):
        """Estimate the standard deviation of the noise of a channel.

        Raises
        ------
        ValueError
            If the image is too small.
        """
        height, width = self.region.shape
        n_positions = max(height - PATCH_SIDE + 1, 0) * max(width - PATCH_SIDE + 1, 0)
        if n_positions < MIN_POSITIONS:
            raise ValueError(
                f"{width} × {height} pixels are too few to estimate the noise level; pass sigma"
            )
        count = min(MAX_LEVEL_PATCHES, 4 * n_positions)
        return estimate_noise_level(
            self.draw_patches(number, PATCH_SIDE, count, np.random.default_rng(0))
        )
