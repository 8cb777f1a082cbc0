"""Denoising of grey and colour images, tile by tile (Mairal et al. 2009)."""

from numbers import Real

import numpy as np

from ..core.input_validation import check_positive_integer
from ..core.patch_shape import patch_side
from ..parallel import single_threaded_blas
from .clipped_noise import find_clipped_noise, remove_bias
from .denoising_parameters import DEFAULT_RULES, DenoisingParameters
from .dictionary_adaptation import BATCH, N_BATCHES, adapt_dictionary
from .noise_estimate import NoiseEstimate
from .scaled_image import MAX_MAGNITUDE, ScaledImage
from .tile_denoising import denoise_tile, patch_dictionary

# Noise below this, on the scale from 0 to 255, is no larger than the rounding errors of the codes.
MIN_SIGMA = 0.1
TILE_SIZE = 1024  # pixels; bounds the memory


def denoise(
    image,
    sigma=None,
    W=None,
    window=DenoisingParameters.window,
    *,
    rules=DEFAULT_RULES,
    white=None,
    adapt=False,
    tile=TILE_SIZE,
    parameters=None,
):
    """Remove white Gaussian noise from an image, by the method of Mairal et al. (2009).

    Parameters
    ----------
    image : array (height, width) or (height, width, 3)
        Grey values or colours, at least as large as a patch.
    sigma : float, optional
        Standard deviation of the noise in the units of the image; estimated if it is not given.
        Channels with less than white / 2550 remain unchanged.
    W : array (n_atoms, side²), optional
        Dictionary, one atom per row; by default the one that ships with the package.
    window : int, default=32
        Radius of the search for similar patches, in pixels.
    rules : {"ezdl", "authors"}, default="ezdl"
        Rules for grouping and coding similar patches: those of this package, or those of Mairal
        et al. (2009).
    white : float, optional
        The value of white; by default 65535 for uint16, 1 for bool, else 255.
    adapt : bool, default=False
        Train the dictionary on the noisy image, starting from W: slower, but better.
    tile : int, default=1024
        Height and width in pixels of the tiles that are processed one after the other, which
        bounds the memory. The result does not depend on it.
    parameters : DenoisingParameters, optional
        All parameters of the method; replaces `window` and `rules`.

    Returns
    -------
    array of float64, shape of the image, neither rounded nor clipped

    Raises
    ------
    ValueError
        If a value is out of range or not finite, or the image is smaller than a patch.
    """
    if W is None:
        from ..io import default_dictionary

        W = default_dictionary()
    with single_threaded_blas:
        parameters = parameters or DenoisingParameters(window=window, rules=rules)
        denoiser = Denoiser(image, sigma, W, parameters, adapt, white=white)
        result = np.empty(np.shape(image))
        for region, _, estimate in denoiser.tiles(tile):
            result[region.slices] = estimate
    return result


class Denoiser:
    """An image with the noise level and the dictionary of each of its channels.

    Parameters
    ----------
    image, sigma, W, adapt, white
        As in `denoise`.
    parameters : DenoisingParameters
    seed : int
        Random seed of the patches that `adapt` trains on.

    Attributes
    ----------
    pixels : array
        The image.
    sigmas : list of float
        Noise level of each channel in the units of the image.
    noise : NoiseEstimate or None
        The noise of the image, if it was estimated.
    """

    def __init__(self, image, sigma, W, parameters, adapt=False, seed=0, white=None):
        self._image = ScaledImage(image, white)
        self._parameters = parameters
        parameters.check()
        dictionary = patch_dictionary(W)
        side = patch_side(dictionary.W.shape[1])
        height, width = self._image.region.shape
        if min(height, width) < side:
            raise ValueError(
                f"an image of {width} × {height} pixels is smaller than a patch of {side} × {side}"
            )
        channels = range(self._image.n_channels)
        self.noise = None
        if sigma is None:
            noise = self._image.noise()
            self._levels = [channel.level for channel in noise]
            self.noise = NoiseEstimate.of(noise, self._image.unit)
        else:
            self._levels = [_scaled_level(sigma, self._image.unit)] * len(channels)
        self.dictionaries = [
            self._adapted(dictionary, channel, seed)
            if adapt and self._levels[channel] >= MIN_SIGMA
            else dictionary
            for channel in channels
        ]
        self.pixels = self._image.pixels
        self.sigmas = [level * self._image.unit for level in self._levels]
        self._clipped_noise = self._find_clipped_noise(sigma)

    def tiles(self, size=TILE_SIZE, advance=lambda share: None):
        """Yield region, pilot estimate and final estimate of each tile, in the image's units.

        `advance` is called with the share of all pixels that is done.
        """
        check_positive_integer("tile", size)
        tiles = self._image.region.split(size)
        n_channels = self._image.n_channels
        n_steps = len(tiles) * n_channels
        for index, tile in enumerate(tiles):
            estimates = []
            for channel in range(n_channels):
                done = index * n_channels + channel
                estimates.append(
                    self._denoise_channel(
                        channel, tile, lambda share, done=done: advance((done + share) / n_steps)
                    )
                )
            pilots, finals = zip(*estimates, strict=True)
            yield tile, self._merge(pilots), self._merge(finals)

    def _find_clipped_noise(self, sigma):
        """Return the noise of each colour if it may be clipped, else None."""
        if not self._image.is_within_range or max(self._levels) < MIN_SIGMA:
            return None
        sigmas = self._image.colour_sigmas(self._levels)
        if sigma is not None:
            sigmas = [float(sigma)] * len(sigmas)
        return find_clipped_noise(self.pixels, sigmas, self._image.white)

    def _merge(self, estimates):
        """Return grey values or colours, from the estimates of all channels."""
        values = self._image.merge(estimates)
        return remove_bias(values, self._clipped_noise) if self._clipped_noise else values

    def _denoise_channel(self, channel, tile, advance):
        """Return pilot and final estimate of a tile of a channel."""
        sigma = self._levels[channel]

        def pixels(region):
            return self._image.channel(region, channel)

        if sigma < MIN_SIGMA:
            advance(1.0)
            return pixels(tile), pixels(tile)
        dictionary, region = self.dictionaries[channel], self._image.region
        return denoise_tile(pixels, region, tile, sigma, dictionary, self._parameters, advance)

    def _adapted(self, dictionary, channel, seed):
        """Return the dictionary, trained on a channel."""
        sigma, m = self._levels[channel], dictionary.W.shape[1]
        rng = np.random.default_rng([seed, channel])

        def batches():
            for _ in range(N_BATCHES):
                X = self._image.draw_patches(channel, patch_side(m), BATCH, rng)
                yield np.ascontiguousarray(X - X.mean(axis=1, keepdims=True), np.float32)

        max_residual = self._parameters.max_residual(sigma, m)
        return adapt_dictionary(dictionary, batches(), max_residual, sigma)


def _scaled_level(sigma, unit):
    """Return the noise level on the scale from 0 to 255."""
    if not isinstance(sigma, Real):
        raise ValueError(f"sigma must be a number, not {sigma!r}")
    if not 0.0 <= sigma / unit <= MAX_MAGNITUDE:
        raise ValueError(f"sigma must not be negative or far beyond white, but is {sigma}")
    return float(sigma / unit)
