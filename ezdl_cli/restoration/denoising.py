"""Denoising of whole pictures: grey or colour, any scale, tile by tile."""

from numbers import Real

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..core.input_validation import as_float_array
from ..core.patch_shape import patch_side
from .adaptation import BATCH, N_BATCHES, adapt
from .noise_level import SIDE, noise_level
from .passes import Atoms, Parameters, denoise_tile
from .regions import Region

WHITE = 255.0
WHITES_OF_TYPES = {"uint16": 65535.0, "bool": 1.0}
LARGEST = 1e6  # magnitude of grey values, in units of white / 255
FAINT = 0.1  # noise below it, in the same units, is no more than what codes lose by rounding
WHITES = (1e-300, 1e300)  # so that no product of the above leaves the numbers
N_LEVEL = 1 << 18  # patches from which the noise level is estimated
LEAST_PLACES = 4 * SIDE**2  # of patches, fewer would not fill their space
TILE = 1024
PIXELS_AT_ONCE = 1 << 20  # that are checked
# Luminance and two differences of colour, orthonormal: the noise stays as it is.
OPPONENT = np.array([[1.0, 1.0, 1.0], [1.0, 0.0, -1.0], [1.0, -2.0, 1.0]])
OPPONENT /= np.linalg.norm(OPPONENT, axis=1, keepdims=True)


def denoise(
    image, sigma=None, W=None, window=32, *, white=None, adapt=False, tile=TILE, parameters=None
):
    """Remove white Gaussian noise from a picture, by the method of Mairal et al. (2009).

    Parameters
    ----------
    image : array (height, width) or (height, width, 3)
        Grey values or colours, at least as large as a patch.
    sigma : float, optional
        Standard deviation of the noise, in the units of the image; estimated if it is not given.
        Channels with less than white / 2550 stay as they are.
    W : array (n_atoms, side²), optional
        A dictionary; by default the one that ships with the package.
    window : int
        How far similar patches are searched for, in pixels to each side.
    white : float, optional
        The value of white; by default 65535 for uint16, 1 for bool, else 255.
    adapt : bool
        Learn the dictionary anew on the noisy picture, starting from W: slower, and better.
    tile : int
        The picture is worked on in squares of so many pixels, which bounds the memory. The result
        is the same for any.
    parameters : Parameters, optional
        All that can be set; `window` is then not used.

    Returns
    -------
    array of float64, as large as the image, neither rounded nor clipped

    Raises
    ------
    ValueError
        If a number is out of range or not finite, or the image is smaller than a patch.
    """
    if W is None:
        from ..io import default_dictionary

        W = default_dictionary()
    picture = Picture(image, white)
    job = Job(picture, sigma, W, parameters or Parameters(window=window), adapt)
    result = np.empty(np.shape(image))
    for region, _, estimate in job.tiles(tile):
        result[region.slices] = estimate
    return result


class Picture:
    """An image whose parts are given on the scale from 0 to 255, channel by channel."""

    def __init__(self, image, white=None):
        image = np.asarray(image)
        if image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] != 3):
            raise ValueError(f"image must be grey or have three colours, not shape {image.shape}")
        if white is None:
            white = WHITES_OF_TYPES.get(image.dtype.name, WHITE)
        if not WHITES[0] <= white <= WHITES[1]:
            raise ValueError(f"white must be positive, from 1e-300 to 1e300, not {white}")
        self.image = image if image.dtype.kind in "iu" else as_float_array(image, "image")
        self.unit = white / WHITE
        self.n_channels = 1 if image.ndim == 2 else 3
        self.whole = Region(0, image.shape[0], 0, image.shape[1])
        self._check()

    def _check(self):
        """Raise ValueError if pixels are not finite, or too large to compute with."""
        at_once = max(1, PIXELS_AT_ONCE // max(1, self.image[0].size)) if len(self.image) else 1
        for first in range(0, len(self.image), at_once):
            rows = self.image[first : first + at_once]
            wrong = ~(np.abs(rows.astype(np.float64)) <= LARGEST * self.unit)
            if wrong.any():
                y, x = np.argwhere(wrong)[0][:2]
                raise ValueError(
                    f"the pixel in row {first + y}, column {x} is not finite or far beyond white"
                )

    def channel(self, values, number):
        """A channel of pixels (…) or (…, 3), on the scale from 0 to 255."""
        if self.n_channels == 3:
            values = values @ OPPONENT[number]
        return values * (1.0 / self.unit)

    def merged(self, channels):
        """Pixels from their channels."""
        values = channels[0]
        if self.n_channels == 3:
            values = np.stack(channels, axis=-1) @ OPPONENT
        return values * self.unit

    def patches(self, number, side, count, stream):
        """Patches (count, side²) of a channel, drawn at random."""
        windows = sliding_window_view(self.image, (side, side), axis=(0, 1))
        rows = stream.integers(windows.shape[0], size=count)
        columns = stream.integers(windows.shape[1], size=count)
        drawn = windows[rows, columns].astype(np.float64)
        if self.n_channels == 3:
            drawn = np.moveaxis(drawn, 1, -1)
        return self.channel(drawn, number).reshape(count, side * side)

    def noise_level(self, number):
        """Estimated standard deviation of the noise of a channel."""
        height, width = self.whole.shape
        places = max(height - SIDE + 1, 0) * max(width - SIDE + 1, 0)
        if places < LEAST_PLACES:
            raise ValueError(f"{width} × {height} pixels do not tell the noise level; give sigma")
        stream = np.random.default_rng(0)
        return noise_level(self.patches(number, SIDE, min(N_LEVEL, 4 * places), stream))


class Job:
    """What is to be done with a picture: noise levels and atoms of each channel."""

    def __init__(self, picture, sigma, W, parameters, adapt=False, seed=0):
        parameters.check()
        atoms = Atoms.of(W)
        side = patch_side(atoms.W.shape[1])
        height, width = picture.whole.shape
        if min(height, width) < side:
            raise ValueError(
                f"an image of {width} × {height} pixels is smaller than a patch of {side} × {side}"
            )
        numbers = range(picture.n_channels)
        if sigma is None:
            self.levels = [picture.noise_level(number) for number in numbers]
        else:
            self.levels = [_level(sigma, picture.unit)] * picture.n_channels
        self.picture, self.parameters = picture, parameters
        self.atoms = [
            _adapted(atoms, picture, number, self.levels[number], parameters, seed)
            if adapt and self.levels[number] >= FAINT
            else atoms
            for number in numbers
        ]

    @property
    def sigmas(self):
        """Noise levels of the channels in the units of the image."""
        return [level * self.picture.unit for level in self.levels]

    def tiles(self, size=TILE, advance=lambda share: None):
        """Region, pilot and estimate of each tile, in the units of the image.

        `advance` is called with the share of all pixels that is done.
        """
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
            raise ValueError(f"tile must be a whole number from 1 on, not {size!r}")
        tiles = self.picture.whole.split(size)
        steps = len(tiles) * self.picture.n_channels
        step = 0
        for tile in tiles:
            results = []
            for number in range(self.picture.n_channels):
                results.append(
                    self._channel(number, tile, lambda share, s=step: advance((s + share) / steps))
                )
                step += 1
            pilots, estimates = zip(*results, strict=True)
            yield tile, self.picture.merged(pilots), self.picture.merged(estimates)

    def _channel(self, number, tile, advance):
        """Pilot and estimate of a tile of a channel."""
        picture, sigma = self.picture, self.levels[number]

        def pixels(region):
            return picture.channel(picture.image[region.slices].astype(np.float64), number)

        if sigma < FAINT:
            advance(1.0)
            return pixels(tile), pixels(tile)
        atoms = self.atoms[number]
        return denoise_tile(pixels, picture.whole, tile, sigma, atoms, self.parameters, advance)


def _level(sigma, unit):
    """The noise level on the scale from 0 to 255."""
    if not isinstance(sigma, Real):
        raise ValueError(f"sigma must be a number, not {sigma!r}")
    if not 0.0 <= sigma / unit <= LARGEST:
        raise ValueError(f"sigma must not be negative, nor far beyond white, but is {sigma}")
    return float(sigma / unit)


def _adapted(atoms, picture, number, sigma, parameters, seed):
    """Atoms learned anew on a channel."""
    m = atoms.W.shape[1]
    stream = np.random.default_rng([seed, number])

    def batches():
        for _ in range(N_BATCHES):
            X = picture.patches(number, patch_side(m), BATCH, stream)
            yield np.ascontiguousarray(X - X.mean(axis=1, keepdims=True), np.float32)

    return adapt(atoms, batches(), parameters.bound(sigma, m), sigma)
