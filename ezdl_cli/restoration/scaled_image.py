"""An image on the scale from 0 to 255, channel by channel, whatever its type and white level."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..core.input_validation import as_float_array, as_real_array
from ..core.parameter_validation import as_number
from .noise_colour import channel_noise, has_flat_spectrum
from .noise_level import MIN_POSITIONS, PATCH_SIDE
from .regions import Region

WHITE = 255.0
WHITE_OF_TYPE = {"uint16": 65535.0, "bool": 1.0}
MAX_MAGNITUDE = 1e6  # of grey values and noise; sums of squares are far from overflow in float32
WHITE_RANGE = (1e-300, 1e300)  # products with MAX_MAGNITUDE stay within the range of float64
MAX_LEVEL_PATCHES = 1 << 18  # from which the noise level is estimated
# Share of the patches that the level is estimated from, if some have clipped values: those with the
# fewest. Clipping reduces the variance of noise.
UNCLIPPED_SHARE = 0.25
CHUNK_PIXELS = 1 << 20  # pixels that are validated together
CHUNK_PATCHES = 1 << 14  # patches that are converted together
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
    name : str
        Name of the image in error messages.

    Raises
    ------
    ValueError
        If the shape or `white` is out of range, or a pixel is not finite or far beyond white.
    """

    def __init__(self, pixels, white=None, name="image"):
        pixels = as_real_array(pixels, name)
        if pixels.ndim not in (2, 3) or (pixels.ndim == 3 and pixels.shape[2] != 3):
            raise ValueError(f"{name} must be grey or have three colours, not shape {pixels.shape}")
        if white is None:
            white = WHITE_OF_TYPE.get(pixels.dtype.name, WHITE)
        if not WHITE_RANGE[0] <= as_number("white", white) <= WHITE_RANGE[1]:
            raise ValueError(f"white must be positive, from 1e-300 to 1e300, not {white}")
        self.pixels = pixels if pixels.dtype.kind in "iu" else as_float_array(pixels, name)
        self.white = float(white)
        self.unit = white / WHITE
        self.n_channels = 1 if pixels.ndim == 2 else 3
        self.region = Region(0, pixels.shape[0], 0, pixels.shape[1])
        self._check_pixels()

    def _check_pixels(self):
        self.is_within_range = True  # from black to white
        n_rows = max(1, CHUNK_PIXELS // max(1, self.pixels[:1].size))
        for first in range(0, len(self.pixels), n_rows):
            rows = self.pixels[first : first + n_rows].astype(np.float64)
            self.is_within_range &= bool(((rows >= 0.0) & (rows <= self.white)).all())
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

    def colour_sigmas(self, levels):
        """Return the standard deviation of the noise of grey values or of red, green and blue.

        It is in the units of the image, for the noise levels of the channels.
        """
        variances = np.square(levels)
        if self.n_channels == 3:
            variances = np.square(np.linalg.inv(OPPONENT)) @ variances
        return np.sqrt(variances) * self.unit

    def draw_patches(self, number, side, count, rng):
        """Return random patches (count, side²) of a channel."""
        return self._patches(self._draw(side, count, rng), number)

    def _draw(self, side, count, rng):
        """Return random patches (count, side, side) or (count, side, side, 3) of the image."""
        windows = sliding_window_view(self.pixels, (side, side), axis=(0, 1))
        rows = rng.integers(windows.shape[0], size=count)
        columns = rng.integers(windows.shape[1], size=count)
        drawn = windows[rows, columns]
        return np.moveaxis(drawn, 1, -1) if self.n_channels == 3 else drawn

    def _patches(self, drawn, number):
        """Return a channel of patches of the image, one per row."""
        patches = np.empty((len(drawn), drawn.shape[1] * drawn.shape[2]))
        for first in range(0, len(drawn), CHUNK_PATCHES):
            part = slice(first, first + CHUNK_PATCHES)
            values = self._channel(drawn[part].astype(np.float64), number)
            patches[part] = values.reshape(len(values), -1)
        return patches

    def scaled_level(self, sigma):
        """Return a noise level on the scale from 0 to 255; ValueError if it is out of range."""
        level = as_number("sigma", sigma) / self.unit
        if not 0.0 <= level <= MAX_MAGNITUDE:
            raise ValueError(f"sigma must not be negative or far beyond white, but is {sigma}")
        return level

    def noise(self):
        """Estimate the noise of all channels.

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
        drawn = self._draw(PATCH_SIDE, count, np.random.default_rng(0))
        unclipped = self._least_clipped(drawn)
        channels = (
            self._unclipped_patches(drawn, unclipped, number) for number in range(self.n_channels)
        )
        return channel_noise(channels)

    def _least_clipped(self, drawn):
        """Return which patches have the fewest values at black and white, a quarter at least."""
        if not self.is_within_range:
            return np.ones(len(drawn), np.bool_)
        is_end = (drawn <= 0) | (drawn >= self.white)
        counts = is_end.reshape(len(drawn), -1).sum(axis=1)
        return counts <= np.quantile(counts, UNCLIPPED_SHARE)

    def _unclipped_patches(self, drawn, unclipped, number):
        """Return the patches of a channel from which its noise is estimated.

        If those with few clipped values have little energy at high frequencies, they are drawings,
        text or texture, and tell less about the noise than all patches.
        """
        patches = self._patches(drawn, number)
        if unclipped.all() or not has_flat_spectrum(patches[unclipped]):
            return patches
        return patches[unclipped]
