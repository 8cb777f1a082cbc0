"""The noise of an image, as users see it (`ez.estimate_noise`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from numpy.typing import ArrayLike

from ..parallel import single_threaded_blas
from .noise_colour import ChannelNoise
from .scaled_image import ScaledImage

# Noise below this level, on the scale from 0 to 255, is left without a warning if it is not white.
MIN_WARNING_LEVEL = 2.0


@dataclass(frozen=True)
class NoiseEstimate:
    """Estimated noise of an image, in the units of the image, as `estimate_noise` returns it."""

    sigma: float
    """Standard deviation in the luminance: the best single value of `sigma` of `denoise`."""
    channel_sigmas: tuple[float, ...]
    """Standard deviation in each channel: grey values, or luminance and two colour differences."""
    is_white: bool
    """False if noise of at least two grey levels is correlated, as in JPEG files."""

    @classmethod
    def of(cls, channels: Sequence[ChannelNoise], unit: float) -> Self:
        """Return the estimate for the `ChannelNoise` of all channels, which is scaled by `unit`."""
        sigmas = tuple(noise.level * unit for noise in channels)
        is_white = not channels[0].is_certain or all(
            noise.is_white or noise.level < MIN_WARNING_LEVEL for noise in channels
        )
        return cls(sigmas[0], sigmas, is_white)


def estimate_noise(image: ArrayLike, white: float | None = None) -> NoiseEstimate:
    """Estimate the noise of an image, as `denoise` does if no level is given.

    Parameters
    ----------
    image : array_like of shape (height, width) or (height, width, 3)
        Grey values or colours, with at least 256 patches of 8 × 8 pixels: 23 × 23 pixels will do.
    white : float, default=None
        The value of white. If None, 65535 for uint16, 1 for bool, else 255.

    Returns
    -------
    noise : NoiseEstimate
        Standard deviations of the noise, and whether it is white.

    Raises
    ------
    TypeError
        If the image is sparse.
    ValueError
        If the image is too small, or a value is out of range or not finite.

    Examples
    --------
    >>> import numpy as np
    >>> import ezdl_cli as ez
    >>> noisy = np.random.default_rng(0).normal(128.0, 20.0, (64, 64))
    >>> noise = ez.estimate_noise(noisy)
    >>> bool(18.0 < noise.sigma < 22.0), noise.is_white
    (True, True)
    """
    with single_threaded_blas:
        scaled = ScaledImage(image, white)
        return NoiseEstimate.of(scaled.noise(), scaled.unit)
