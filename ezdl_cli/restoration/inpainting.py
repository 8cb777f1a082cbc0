"""Inpainting: missing pixels from those that are known."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.input_validation import as_real_array
from ..parallel import single_threaded_blas
from .conditional_estimate import ConditionalEstimate
from .degraded_image import DegradedImage
from .large_images import restore_in_tiles
from .plug_and_play import DictionaryDenoiser, Schedule, no_callback, plug_and_play
from .smooth_filling import fill_smoothly

# Chosen on the crops of docs/restoration.md. Without a dictionary, levels are tolerances for errors
# of the estimate, from which mean and covariance are computed.
SCHEDULE = Schedule(10.0, 1.5, 10)
DICTIONARY_SCHEDULE = Schedule(20.0, 2.0, 12)
# Rounds at each coarse level of the start, which continues edges through large holes.
COARSE_SCHEDULE = Schedule(10.0, 2.5, 3)
MIN_COARSE_SIDE = 12  # pixels; smaller images have too few patches


def inpaint(
    image: ArrayLike,
    mask: ArrayLike,
    W: ArrayLike | None = None,
    sigma: float = 0.0,
    *,
    white: float | None = None,
    schedule: tuple[float, float, int] | None = None,
    callback: Callable[[float], object] | None = None,
) -> NDArray[np.float64]:
    """Fill in the missing pixels of an image.

    Each patch is estimated from its known pixels, by the mean and covariance of similar patches.
    These are found in the last estimate, starting from a smooth one.

    Parameters
    ----------
    image : array_like of shape (height, width) or (height, width, 3)
        Grey values or colours. Values at missing pixels are not used, and may be NaN.
    mask : array_like of shape (height, width)
        True, or not zero, where pixels are missing.
    W : array_like of shape (n_atoms, side²), default=None
        Dictionary, one atom per row. If given, missing pixels are estimated by plug-and-play
        denoising with sparse codes instead, which is not as good.
    sigma : float, default=0.0
        Standard deviation of white noise in the known pixels, in units of the image. If it is 0,
        they are not changed; otherwise, they are denoised.
    white : float, default=None
        The value of white. If None, 65535 for uint16, 1 for bool, else 255.
    schedule : (float, float, int), default=None
        First and last level of the errors that the rounds assume, on the scale from 0 to 255, and
        the number of rounds. If None, it depends on whether W is given.
    callback : callable, default=None
        Function that is called with the share of the work that is done, from 0 to 1.

    Returns
    -------
    inpainted : ndarray of the shape of the image
        Values in float64, neither rounded nor clipped.

    Raises
    ------
    TypeError
        If an array is sparse.
    ValueError
        If a value is out of range or not finite, the mask has another shape than the image, or no
        pixel is known.

    References
    ----------
    Yu, G., Sapiro, G., & Mallat, S. (2012). Solving inverse problems with piecewise linear
    estimators: from Gaussian mixture models to structured sparsity. IEEE Transactions on Image
    Processing, 21(5), 2481-2499.

    Examples
    --------
    >>> import numpy as np
    >>> import ezdl_cli as ez
    >>> image = np.add.outer(np.arange(32.0), np.arange(32.0))
    >>> mask = np.random.default_rng(0).random(image.shape) < 0.5
    >>> inpainted = ez.inpaint(np.where(mask, np.nan, image), mask)
    >>> bool(np.abs(inpainted - image).max() < 2.0)
    True
    """
    rounds = Schedule.of(schedule, SCHEDULE if W is None else DICTIONARY_SCHEDULE)
    image = as_real_array(image, "image")
    if image.ndim not in (2, 3):
        raise ValueError(f"image must be grey or have three colours, not shape {image.shape}")
    missing = _checked_mask(mask, image.shape[:2])
    holes = missing[..., np.newaxis] if image.ndim == 3 else missing
    known = np.where(holes, image.dtype.type(0), image)
    degraded = DegradedImage(known, white)
    noise = degraded.noise_level(sigma)

    def restore(region, advance):
        y, part = degraded.channels(region), missing[region.slices]
        move = KnownPixels(y, part, noise)
        estimate = ConditionalEstimate(y, part, noise) if W is None else DictionaryDenoiser(W)
        x = plug_and_play(start[:, *region.slices], move, estimate, rounds, advance)
        return move(x, rounds.last)  # weak noise is less than the errors of estimates

    with single_threaded_blas:
        advance, n_channels = callback or no_callback, degraded.n_channels
        improve = _improve if W is None else None
        start = fill_smoothly(degraded.channels(degraded.region), missing, improve)
        x = degraded.merge(restore_in_tiles(restore, degraded.shape, n_channels, advance))
    return x if noise > 0.0 else np.where(holes, x, known.astype(np.float64))


class KnownPixels:
    """The step towards known pixels y with noise; exactly to them if there is none."""

    def __init__(self, y, missing, noise):
        self._y, self._missing, self._variance = y, missing, noise**2

    def __call__(self, x, level):
        share = level**2 / (level**2 + self._variance)
        return np.where(self._missing, x, x + share * (self._y - x) if share < 1.0 else self._y)


def _improve(y, missing, x):
    """Return a better estimate of a coarse level of the image than x.

    Its known pixels are taken for exact, since means of several pixels have little noise.
    """
    if min(missing.shape) < MIN_COARSE_SIDE:
        return x
    move, estimate = KnownPixels(y, missing, 0.0), ConditionalEstimate(y, missing, 0.0)
    return move(
        plug_and_play(x, move, estimate, COARSE_SCHEDULE, no_callback), COARSE_SCHEDULE.last
    )


def _checked_mask(mask, shape):
    """Return the mask of an image of a shape (height, width) as booleans."""
    mask = as_real_array(mask, "mask")
    if mask.shape != shape:
        raise ValueError(f"mask must have the shape {shape} of the image, not {mask.shape}")
    if not np.isfinite(mask).all():
        raise ValueError("mask must not contain NaN or infinity")
    missing = mask != 0
    if missing.size and missing.all():
        raise ValueError("mask leaves no known pixel: all pixels are missing")
    return missing
