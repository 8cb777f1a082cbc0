"""Estimation of the level of white noise in an image.

Patches of natural images span few dimensions, noise spans all. So the smallest eigenvalues of the
covariance of the patches are due to the noise alone, and lie symmetrically about its variance: the
largest ones are discarded until the mean of the others is also their median (Chen, Zhu and Heng
2015). Fine texture resembles noise, so this is repeated with the patches that have no more variance
than the noise level so far explains (after Liu, Tanaka and Okutomi 2013).
"""

import numpy as np
from scipy.special import gammaincinv

PATCH_SIDE = 8
MIN_POSITIONS = 4 * PATCH_SIDE**2  # patches for each dimension of their covariance: four
DIGITS = 4  # of the estimate, so that it does not depend on rounding errors
CONFIDENCE = 0.999  # probability that a patch of noise alone counts as smooth
MAX_ROUNDS = 20


def estimate_noise_level(patches):
    """Estimate the standard deviation of the noise in patches (n, m), to four digits."""
    patches = patches - patches.mean(axis=1, keepdims=True)
    m = patches.shape[1]
    energies = np.einsum("ij,ij->i", patches, patches)
    quantile = 2.0 * gammaincinv((m - 1) / 2.0, CONFIDENCE)
    variance, n_smooth = _noise_variance(patches), len(patches)
    for _ in range(MAX_ROUNDS):
        smooth = energies <= variance * quantile
        count = np.count_nonzero(smooth)
        if count < 4 * m or count == n_smooth:
            break
        variance, n_smooth = min(variance, _noise_variance(patches[smooth])), count
    return float(f"{np.sqrt(variance):.{DIGITS}g}")


def _noise_variance(patches):
    """Return the mean of the smallest eigenvalues of the covariance, up to where it is the median.

    Patches have zero mean: the smallest eigenvalue of all is zero and does not count.
    """
    patches = patches - patches.mean(axis=0)
    covariance = np.einsum("ij,ik->jk", patches, patches, optimize=True) / len(patches)
    values = np.maximum(np.linalg.eigvalsh(covariance), 0.0)[1:]
    for stop in range(values.size, 0, -1):
        mean = values[:stop].mean()
        if (values[:stop] > mean).sum() >= (values[:stop] < mean).sum():
            break
    return mean
