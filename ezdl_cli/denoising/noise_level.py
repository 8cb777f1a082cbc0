"""The level of white noise in a picture (Chen, Zhu and Heng 2015).

Patches of natural pictures fill few dimensions, noise fills all. So the smallest eigenvalues of
the patches' covariance are those of the noise alone, and are spread evenly about its variance: the
largest ones are left out until the mean of the others is their median, too.
"""

import numpy as np

SIDE = 8
DIGITS = 4  # of the answer, so that it does not depend on rounding


def noise_level(patches):
    """Standard deviation of the noise in patches (n, m), to four digits."""
    patches = patches - patches.mean(axis=0)
    covariance = np.einsum("ij,ik->jk", patches, patches, optimize=True) / len(patches)
    values = np.maximum(np.linalg.eigvalsh(covariance), 0.0)
    for stop in range(values.size, 0, -1):
        mean = values[:stop].mean()
        if (values[:stop] > mean).sum() >= (values[:stop] < mean).sum():
            break
    return float(f"{np.sqrt(mean):.{DIGITS}g}")
