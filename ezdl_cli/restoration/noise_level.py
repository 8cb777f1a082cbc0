"""The level of white noise in a picture.

Patches of natural pictures fill few dimensions, noise fills all. So the smallest eigenvalues of
the patches' covariance are those of the noise alone, and are spread evenly about its variance: the
largest ones are left out until the mean of the others is their median, too (Chen, Zhu and Heng
2015). Fine texture looks like noise, so this is repeated with the patches that have no more
variance than the noise found so far explains (after Liu, Tanaka and Okutomi 2013).
"""

import numpy as np
from scipy.special import gammaincinv

SIDE = 8
DIGITS = 4  # of the answer, so that it does not depend on rounding
CONFIDENCE = 0.999  # with which a patch of noise alone is kept
MAX_ROUNDS = 20


def noise_level(patches):
    """Standard deviation of the noise in patches (n, m), to four digits."""
    patches = patches - patches.mean(axis=1, keepdims=True)
    m = patches.shape[1]
    energies = np.einsum("ij,ij->i", patches, patches)
    quantile = 2.0 * gammaincinv((m - 1) / 2.0, CONFIDENCE)
    variance, kept = _variance_of_the_rest(patches), len(patches)
    for _ in range(MAX_ROUNDS):
        smooth = energies <= variance * quantile
        count = np.count_nonzero(smooth)
        if count < 4 * m or count == kept:
            break
        variance, kept = min(variance, _variance_of_the_rest(patches[smooth])), count
    return float(f"{np.sqrt(variance):.{DIGITS}g}")


def _variance_of_the_rest(patches):
    """Mean of the smallest eigenvalues of the covariance, as many as are spread evenly about it.

    The patches have no mean: the smallest eigenvalue of all is zero, and left out.
    """
    patches = patches - patches.mean(axis=0)
    covariance = np.einsum("ij,ik->jk", patches, patches, optimize=True) / len(patches)
    values = np.maximum(np.linalg.eigvalsh(covariance), 0.0)[1:]
    for stop in range(values.size, 0, -1):
        mean = values[:stop].mean()
        if (values[:stop] > mean).sum() >= (values[:stop] < mean).sum():
            break
    return mean
