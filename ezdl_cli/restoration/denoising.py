"""Denoising of grey and colour images, tile by tile."""

import math
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..coding.group_ormp import GroupDictionary
from ..core.parameter_validation import check_positive_integer
from ..core.patch_shape import patch_side
from ..parallel import single_threaded_blas
from .clipped_noise import find_clipped_noise, remove_bias
from .denoising_parameters import DEFAULT_RULES, DenoisingParameters, check_parameters
from .dictionary_adaptation import BATCH, adapt_dictionary, batch_count
from .dictionary_passes import DictionaryPasses, patch_dictionary
from .noise_estimate import NoiseEstimate
from .refinement import Refinement
from .scaled_image import ScaledImage
from .workspace_pool import WorkspacePool

# Noise below this, on the scale from 0 to 255, is no larger than the rounding errors of the codes.
MIN_SIGMA = 0.1
TILE_SIZE = 1024  # pixels; bounds the memory


def denoise(
    image: ArrayLike,
    sigma: float | None = None,
    W: ArrayLike | None = None,
    window: int = DenoisingParameters.window,
    *,
    rules: Literal["ezdl", "authors"] = DEFAULT_RULES,
    white: float | None = None,
    adapt: bool | None = None,
    tile: int = TILE_SIZE,
    parameters: DenoisingParameters | None = None,
) -> NDArray[np.float64]:
    """Remove white Gaussian noise from an image.

    Similar patches are encoded by the same atoms (Mairal et al. 2009), and their estimates refined
    by mean and covariance (Lebrun et al. 2013).

    Parameters
    ----------
    image : array_like of shape (height, width) or (height, width, 3)
        Grey values or colours, at least as large as a patch.
    sigma : float, default=None
        Standard deviation of the noise in the units of the image. If None, it is estimated for each
        channel. Channels with less than white / 2550 remain unchanged.
    W : array_like of shape (n_atoms, side²), default=None
        Dictionary, one atom per row. If None, the one that ships with the package.
    window : int, default=32
        Radius of the search for similar patches, in pixels.
    rules : {"ezdl", "authors"}, default="ezdl"
        Rules for what is not given: those of this package, or the method of Mairal et al. (2009),
        without adaptation of the dictionary and without refinement.
    white : float, default=None
        The value of white. If None, 65535 for uint16, 1 for bool, else 255.
    adapt : bool, default=None
        Whether to train the dictionary on the noisy image, starting from W: better, but slower. If
        None, for grey images with σ ≥ 8 on the scale from 0 to 255, colour images with σ ≥ 14, and
        never with the authors' rules.
    tile : int, default=1024
        Height and width in pixels of the tiles that are processed one after the other, which
        bounds the memory. The result does not depend on it.
    parameters : DenoisingParameters, default=None
        All parameters of the method; replaces `window`, `rules` and `adapt`.

    Returns
    -------
    denoised : ndarray of the shape of the image
        Values in float64, not rounded; clipped at black or white only if noise was.

    Raises
    ------
    TypeError
        If an array is sparse.
    ValueError
        If a value is out of range or not finite, or the image is smaller than a patch.

    See Also
    --------
    DenoisingPrior : The same for iterative methods.
    estimate_noise : The noise that is removed if no `sigma` is given.

    References
    ----------
    Mairal, J., Bach, F., Ponce, J., Sapiro, G., & Zisserman, A. (2009). Non-local sparse models for
    image restoration. Proceedings of ICCV, 2272-2279.

    Lebrun, M., Buades, A., & Morel, J.-M. (2013). A nonlocal Bayesian image denoising algorithm.
    SIAM Journal on Imaging Sciences, 6(3), 1665-1688.

    Examples
    --------
    >>> import numpy as np
    >>> import ezdl_cli as ez
    >>> image = np.add.outer(np.arange(64.0), np.arange(64.0))
    >>> noisy = image + np.random.default_rng(0).normal(0.0, 20.0, image.shape)
    >>> denoised = ez.denoise(noisy, sigma=20.0)
    >>> bool(np.std(denoised - image) < 0.2 * np.std(noisy - image))
    True
    """
    with single_threaded_blas:
        if parameters is None:
            parameters = DenoisingParameters(window=window, rules=rules, adapt=adapt)
        return Denoiser(image, sigma, default_atoms(W), parameters, white=white).result(tile)


def default_atoms(W=None):
    """Return W or, if it is None, the atoms that ship with the package."""
    from ..io import default_dictionary

    return default_dictionary() if W is None else W


class Denoiser:
    """An image with the noise level and the dictionary of each of its channels.

    Parameters
    ----------
    image, sigma, white
        As in `denoise`.
    W : array (n_atoms, side²) or GroupDictionary
    parameters : DenoisingParameters
    seed : int
        Random seed of the patches that the dictionary is trained on.
    guide : array, shape of the image, optional
        An estimate of the image that replaces the pilot estimate.
    adapted : GroupDictionary, optional
        Dictionary of the luminance that is used instead of training one.
    may_be_clipped : bool
        Whether noise may have been clipped at black and white.
    workspaces : WorkspacePool, optional

    Attributes
    ----------
    pixels : array
        The image.
    sigmas : list of float
        Noise level of each channel in the units of the image.
    is_adapted : bool
        Whether the dictionary was trained on the image.
    noise : NoiseEstimate or None
        The noise of the image, if it was estimated.
    """

    def __init__(
        self,
        image,
        sigma,
        W,
        parameters,
        seed=0,
        white=None,
        *,
        guide=None,
        adapted=None,
        may_be_clipped=True,
        workspaces=None,
    ):
        self._image = ScaledImage(image, white)
        self._guide = None if guide is None else ScaledImage(guide, self._image.white, "guide")
        if guide is not None and np.shape(guide) != np.shape(image):
            raise ValueError(f"guide must have the shape of the image, not {np.shape(guide)}")
        check_parameters(parameters)
        dictionary = W if isinstance(W, GroupDictionary) else patch_dictionary(W)
        side = patch_side(dictionary.W.shape[1])
        height, width = self._image.region.shape
        if min(height, width) < side:
            raise ValueError(
                f"an image of {width} × {height} pixels is smaller than a patch of {side} × {side}"
            )
        self.pixels = self._image.pixels
        self.noise = None
        self._levels = self._noise_levels(sigma)
        self.sigmas = [level * self._image.unit for level in self._levels]
        self._clipped_noise = self._find_clipped_noise(sigma) if may_be_clipped else None
        # The luminance is a sum of colours divided by √3; here it is divided by 3, as grey values.
        self._scale = 1.0 / np.sqrt(self._image.n_channels)
        chroma = [parameters.for_chroma()] * (self._image.n_channels - 1)
        self._parameters = [parameters, *chroma]
        self._workspaces = workspaces or WorkspacePool()
        adapt = parameters.completed(self._scale * self._levels[0]).adapt
        self.is_adapted = adapt and self._levels[0] >= MIN_SIGMA and adapted is None
        # Colours follow the luminance in the end, so that the given atoms are good enough.
        first = self._adapted(dictionary, seed) if self.is_adapted else adapted or dictionary
        self.dictionaries = [first, *[dictionary] * len(chroma)]

    def _noise_levels(self, sigma):
        """Return the noise levels of the channels on the scale from 0 to 255."""
        if sigma is not None:
            return [self._image.scaled_level(sigma)] * self._image.n_channels
        noise = self._image.noise()
        self.noise = NoiseEstimate.of(noise, self._image.unit)
        return [channel.level for channel in noise]

    def result(self, tile=TILE_SIZE):
        """Return the final estimate of the image, in its units."""
        result = np.empty(self.pixels.shape)
        for region, _, estimate in self.tiles(tile):
            result[region.slices] = estimate
        return result

    def tiles(self, size=TILE_SIZE, advance=lambda share: None):
        """Yield region, pilot estimate and final estimate of each tile, in the image's units.

        `advance` is called with the share of all pixels that is done.
        """
        check_positive_integer("tile", size)
        tiles = self._image.region.split(size)
        for index, tile in enumerate(tiles):
            pilot, final = self._denoise_tile(
                tile, lambda share, done=index: advance((done + share) / len(tiles))
            )
            yield tile, self._merge(pilot), self._merge(final)

    def _find_clipped_noise(self, sigma):
        """Return the noise of each colour if it may be clipped, else None."""
        if not self._image.is_within_range or max(self._levels) < MIN_SIGMA:
            return None
        sigmas = self._image.colour_sigmas(self._levels)
        if sigma is not None:
            sigmas = [float(sigma)] * len(sigmas)
        return find_clipped_noise(self.pixels, sigmas, self._image.white)

    def _merge(self, estimates):
        """Return grey values or colours, from estimates of the scaled channels."""
        values = self._image.merge(estimates / self._scale)
        return remove_bias(values, self._clipped_noise) if self._clipped_noise else values

    def _denoise_tile(self, tile, advance):
        """Return pilot and final estimate of the channels of a tile, scaled."""
        n_channels = self._image.n_channels
        refinement = self._refinement()
        region = refinement.guide_region(tile) if refinement else tile
        estimates = [
            self._denoise_channel(
                channel, region, lambda share, done=channel: advance((done + share) / n_channels)
            )
            for channel in range(n_channels)
        ]
        pilot, final = (np.stack(channels) for channels in zip(*estimates, strict=True))
        pilot = pilot[:, *tile.relative_to(region).slices]
        if refinement:
            noisy = np.stack([self._pixels(region, channel) for channel in range(n_channels)])
            final = refinement.estimate(noisy, final, tile)
            unchanged = np.less(self._levels, MIN_SIGMA)
            final[unchanged] = noisy[unchanged][:, *tile.relative_to(region).slices]
        return pilot, final

    def _refinement(self):
        """Return the third pass, or None if there is none."""
        wanted = self._parameters[0].completed(self._levels[0]).refine
        if not wanted or max(self._levels) < MIN_SIGMA:
            return None
        sigmas = [self._scale * max(level, MIN_SIGMA) for level in self._levels]
        window = self._parameters[0].window
        return Refinement(self._image.region, sigmas, window, self._workspaces)

    def _pixels(self, region, channel):
        """Return the noisy values of a channel, scaled."""
        return self._scale * self._image.channel(region, channel)

    def _guide_pixels(self, region, channel):
        """Return the values of a channel of the guide, scaled."""
        return self._scale * self._guide.channel(region, channel)

    def _denoise_channel(self, channel, region, advance):
        """Return pilot and final estimate of a region of a channel, scaled."""
        sigma = self._levels[channel]
        if sigma < MIN_SIGMA:
            advance(1.0)
            return (self._pixels(region, channel),) * 2
        passes = DictionaryPasses(
            self._image.region,
            self._scale * sigma,
            self.dictionaries[channel],
            self._parameters[channel],
            self._workspaces,
        )
        guide = None if self._guide is None else partial(self._guide_pixels, channel=channel)
        return passes.estimate(partial(self._pixels, channel=channel), region, advance, guide)

    def _adapted(self, dictionary, seed):
        """Return the dictionary, trained on the first channel."""
        sigma, m = self._scale * self._levels[0], dictionary.W.shape[1]
        n_batches = batch_count(math.prod(self._image.region.shape))
        rng = np.random.default_rng([seed, 0])

        def batches():
            for _ in range(n_batches):
                X = self._scale * self._image.draw_patches(0, patch_side(m), BATCH, rng)
                yield np.ascontiguousarray(X - X.mean(axis=1, keepdims=True), np.float32)

        max_residual = self._parameters[0].max_residual(sigma, m)
        return adapt_dictionary(dictionary, batches(), max_residual, sigma)
