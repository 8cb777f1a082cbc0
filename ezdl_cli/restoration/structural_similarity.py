"""The SSIM index of each pixel (Wang et al. 2004), with the same bits as that of scikit-image.

SciPy filters one line of an image after the other, and does not use vector registers. Here entire
rows are added, in the order in which SciPy adds pixels.
"""

import numpy as np

from ..core.jit import kernel

SIGMA = 1.5  # standard deviation of the Gaussian window of Wang et al., in pixels
# scikit-image truncates the window at 3.5 standard deviations: 11 pixels, as Wang et al. have.
RADIUS = int(3.5 * SIGMA + 0.5)
# Constants of Wang et al. for grey values up to 255, which keep the ratios from being 0/0.
C1, C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2


def ssim_map(image, restored):
    """Return the SSIM index of all pixels whose window lies within the image.

    Parameters
    ----------
    image, restored : array (height, width) of float64
        Grey values from 0 to 255.

    Returns
    -------
    array (height - 2 RADIUS, width - 2 RADIUS)
    """
    products = (image, restored, image * image, restored * restored, image * restored)
    means = [np.empty([length - 2 * RADIUS for length in image.shape]) for _ in products]
    line, window = np.empty(image.shape[1]), _window()
    for product, mean in zip(products, means, strict=True):
        _average(product, window, line, mean)
    _compare(*means)
    return means[0]


def _window():
    """Return the weights of the window, for distances from 0 to RADIUS."""
    weights = np.exp(-0.5 / SIGMA**2 * np.arange(-RADIUS, RADIUS + 1) ** 2)
    return (weights / weights.sum())[RADIUS:]


@kernel(in_order=True)
def _average(image, window, line, out):
    """Compute weighted means of the pixels around each pixel, first along columns, then rows."""
    for y in range(len(out)):
        for x in range(line.size):
            line[x] = image[y + RADIUS, x] * window[0]
        for distance in range(RADIUS, 0, -1):
            for x in range(line.size):
                pair = image[y + RADIUS - distance, x] + image[y + RADIUS + distance, x]
                line[x] += pair * window[distance]
        for x in range(out.shape[1]):
            out[y, x] = line[x + RADIUS] * window[0]
        for distance in range(RADIUS, 0, -1):
            for x in range(out.shape[1]):
                pair = line[x + RADIUS - distance] + line[x + RADIUS + distance]
                out[y, x] += pair * window[distance]


@kernel(in_order=True)
def _compare(x, y, xx, yy, xy):
    """Replace x, the means of the image, by the SSIM index; the others are means of products."""
    for i in range(len(x)):
        for j in range(x.shape[1]):
            a, b = x[i, j], y[i, j]
            brightness, contrast = a * a + b * b + C1, (xx[i, j] - a * a) + (yy[i, j] - b * b) + C2
            similarity = (2.0 * a * b + C1) * (2.0 * (xy[i, j] - a * b) + C2)
            x[i, j] = similarity / (brightness * contrast)
