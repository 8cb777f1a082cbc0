"""Noise levels of luminance and colour differences, also of noise that is not white.

JPEG compression, demosaicing and resizing remove high frequencies of the noise. Then the smallest
eigenvalues of the covariance of patches vanish, and with them the estimate of `noise_level`. So the
noise is also measured in bands of frequencies, by the energy of patches there. If it is due to
noise, the energy is about the same in the smoothest patches as in many others, since noise is
everywhere; texture has any energy. Noise is not white if it is found in a band of low frequencies
but has much less energy at high ones; its level in that band is then the estimate.

Colour differences are often quantised so coarsely that little of their noise is left in smooth
patches, but much near edges. They are taken to have some share of the noise of the luminance.

Where the noise of both colour differences is white, it tells that of the luminance, which has more
texture: independent noise of red, green and blue has the same mean square in luminance and colour
differences.

All constants were chosen on about 30 photographs, see docs/denoising.md.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.fft import dct
from scipy.special import gammaincinv

from .noise_level import PATCH_SIDE, estimate_noise_level

# Bands of the DCT of a patch, by the sum of the frequencies in both directions.
LOW, MIDDLE, HIGH = range(2, 5), range(5, 8), range(8, 2 * PATCH_SIDE - 1)
MAX_PATCHES = 1 << 16  # whose energy in a band is computed
SMOOTH = 0.05  # quantile of the energies that gives the level
FEW, MANY = 0.01, 0.2  # quantiles of the energies that are compared
# Levels from these quantiles relative to each other: up to 1 for noise; below that for most texture
MIN_AGREEMENT = 0.77
MAX_FALL = 0.55  # level at high frequencies relative to that in a band, if noise is not white
MIN_FLATNESS = 0.7  # the same for noise that is, in images with much texture
SHARE_OF_LUMINANCE = 0.3  # minimum level of colour differences whose noise is not white
# Level of the luminance relative to what follows from white colour differences: if it is in this
# range, the difference is due to texture. JPEG compression increases it, at quality 75 by 1.15.
PLAUSIBLE_RATIO = (0.5, 1.1)


@dataclass(frozen=True)
class ChannelNoise:
    """Noise of a channel."""

    level: float
    """Its standard deviation."""
    is_white: bool
    """Whether it looks white."""
    is_certain: bool
    """Whether it can be told from texture."""


def channel_noise(channels):
    """Return the noise of luminance (or grey values), and of colour differences if there are any.

    Parameters
    ----------
    channels : iterable of array (n, m)
        Patches of each channel; white noise has the same level in all of them.

    Returns
    -------
    list of ChannelNoise
    """
    channels = iter(channels)
    luminance = _luminance_noise(next(channels))
    differences = [_difference_noise(patches, luminance) for patches in channels]
    if differences and all(noise.is_white and noise.is_certain for noise in differences):
        luminance = _with_white_differences(luminance, [noise.level for noise in differences])
    return [luminance, *differences]


def _luminance_noise(patches):
    level = estimate_noise_level(patches)
    middle, is_certain = _band_level(patches, MIDDLE)
    high, _ = _band_level(patches, HIGH)
    is_white = not is_certain or high > MAX_FALL * middle
    return ChannelNoise(level if is_white else max(level, middle), is_white, is_certain)


def _difference_noise(patches, luminance):
    level = estimate_noise_level(patches)
    low, is_certain = _band_level(patches, LOW)
    high, _ = _band_level(patches, HIGH)
    if high > MAX_FALL * low:
        return ChannelNoise(level, True, is_certain)
    if is_certain:
        level = max(level, low)
    floor = SHARE_OF_LUMINANCE * luminance.level if luminance.is_certain else 0.0
    is_white = not is_certain and level >= floor
    return ChannelNoise(max(level, floor), is_white, is_certain)


def _with_white_differences(luminance, levels):
    """Return the noise of the luminance, corrected by the levels of white colour differences."""
    expected = float(np.sqrt(np.mean(np.square(levels))))
    minimum, maximum = (ratio * expected for ratio in PLAUSIBLE_RATIO)
    is_plausible = luminance.is_white and minimum <= luminance.level <= maximum
    return replace(luminance, level=expected) if is_plausible else luminance


def has_flat_spectrum(patches):
    """Return whether patches (n, m) have almost as much energy at high frequencies as below."""
    return _band_level(patches, HIGH)[0] > MIN_FLATNESS * _band_level(patches, MIDDLE)[0]


def _band_level(patches, sums):
    """Return the level of noise in a band, and whether it is due to noise."""
    basis = _band_basis(sums)
    energies = np.square(patches[:MAX_PATCHES] @ basis.T).sum(axis=1)
    quantiles = np.quantile(energies, (FEW, SMOOTH, MANY))
    expected = 2.0 * gammaincinv(len(basis) / 2.0, (FEW, SMOOTH, MANY))
    few, smooth, many = np.sqrt(quantiles / expected)
    return float(f"{smooth:.4g}"), bool(few >= MIN_AGREEMENT * many and many > 0.0)


def _band_basis(sums):
    """Return the elements of the DCT basis of patches in a band, as rows."""
    waves = dct(np.eye(PATCH_SIDE), axis=0, norm="ortho")
    return np.array(
        [
            np.outer(waves[u], waves[v]).ravel()
            for u in range(PATCH_SIDE)
            for v in range(PATCH_SIDE)
            if u + v in sums
        ]
    )
