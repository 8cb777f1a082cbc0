"""Correction of noise that was clipped at black and white.

Values x with noise of the standard deviation σ that are clipped at black, 0, have the mean
x + σ g(-x/σ) with g(t) = t Φ(t) + φ(t), where Φ and φ are the distribution function and the density
of the normal distribution: they are too bright on average, by 0.4 σ for x = 0. White is alike.
Denoising removes the noise but not this bias; the inverse of that function does (Foi 2009).
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from .row_chunks import row_chunks

MIN_SHARE = 1e-3  # of the values that are exactly black or white; fewer have no effect that counts
# Number of clipped values relative to the others within one standard deviation of the end: 0.58 if
# all true values occur equally often, 1.5 if all are at the end, 0.17 if they are two standard
# deviations from it. It is smaller if noise fades towards black or white instead of being clipped.
MIN_RATIO = 0.15
TABLE_SIZE = 4097  # values between black and white, between which the inverse is interpolated


@dataclass(frozen=True)
class ClippedNoise:
    """Noise of grey values or of a colour that was clipped at black, at white, at both or neither.

    Values are in the units of the image, from 0 to `white`.
    """

    sigma: float
    white: float
    at_black: bool
    at_white: bool

    @classmethod
    def of(cls, values, sigma, white):
        """Find out where the noise of values between black and white was clipped."""
        counts = np.zeros((2, 2), np.int64)
        for rows in row_chunks(values):
            for end, distance in enumerate((values[rows], white - values[rows].astype(float))):
                counts[end] += np.count_nonzero(distance <= 0), np.count_nonzero(distance <= sigma)
        ends = [
            sigma > 0.0
            and clipped >= max(1, MIN_SHARE * values.size)
            and clipped >= MIN_RATIO * (near - clipped) > 0
            for clipped, near in counts
        ]
        return cls(sigma, white, *map(bool, ends))

    def means(self, x):
        """Return the means of the noisy versions of values x."""
        means = np.asarray(x, np.float64)
        if self.at_black:
            means = means + self.sigma * _mean_of_positive(-x / self.sigma)
        if self.at_white:
            means = means - self.sigma * _mean_of_positive((x - self.white) / self.sigma)
        return means

    def without_bias(self, means):
        """Return the values between black and white whose noisy versions have these means."""
        if not (self.at_black or self.at_white):
            return means
        x = np.linspace(0.0, self.white, TABLE_SIZE)
        biased = self.means(x)
        return np.clip(
            means + np.interp(means, biased, x - biased),
            0.0 if self.at_black else -np.inf,
            self.white if self.at_white else np.inf,
        )


def _mean_of_positive(t):
    """Return E max(t + z, 0) for z with a normal distribution."""
    return t * ndtr(t) + np.exp(-0.5 * t**2) / np.sqrt(2.0 * np.pi)


def find_clipped_noise(pixels, sigmas, white):
    """Return the noise of grey values, or of each colour, of pixels between black and white."""
    colours = pixels[..., np.newaxis] if pixels.ndim == 2 else pixels
    return [
        ClippedNoise.of(colours[..., number], sigma, white) for number, sigma in enumerate(sigmas)
    ]


def remove_bias(estimate, noise):
    """Return denoised grey values or colours without the bias that clipped noise leaves in them."""
    if estimate.ndim == 2:
        return noise[0].without_bias(estimate)
    return np.stack(
        [colour.without_bias(estimate[..., number]) for number, colour in enumerate(noise)], axis=-1
    )
