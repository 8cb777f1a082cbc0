"""Entire images from sparse codes of their blocks (paper, sect. 4.3).

An image is divided into blocks as large as the atoms; each is brought to zero mean and unit
variance, coded with the wanted sparseness, made again from its code, and brought back to its mean
and variance. Blocks without variance are copied, and so are the pixels at the right and lower
border that make no whole block.
"""

import numpy as np

from ..coding.landweber import landweber_codes
from ..core.input_validation import as_float_array
from ..core.patch_shape import patch_side
from ..core.scaling import scale_down, scaling_exponents

WINDOW = 11  # of the SSIM index
PIXELS_AT_ONCE = 1 << 20  # what is computed with on the way takes a hundred bytes a pixel


def reproduce(image, W, sparseness, n_iterations=100):
    """An image made again from sparse codes of its blocks.

    Parameters
    ----------
    image : array (height, width)
        Grey values.
    W : array (n_atoms, side²)
        A dictionary, one atom a row.
    sparseness : float
        Of the codes, between 0 and 1.
    n_iterations : int
        Landweber iterations; 1 codes as EZDL does in learning.

    Returns
    -------
    array (height, width) of float64, neither rounded nor clipped

    Raises
    ------
    ValueError
        If the atoms are no square patches, or a number is out of range or not finite.
    """
    return reproductions(image, W, sparseness, [n_iterations])[0]


def reproductions(image, W, sparseness, iterations, as_bytes=False):
    """The same after several numbers of iterations, in rising order: (len, height, width).

    They are rounded and clipped to 8 bits if `as_bytes`.
    """
    image, W = np.asarray(image), np.ascontiguousarray(as_float_array(W, "W"))
    as_float_array(image[:0] if image.ndim else image, "image")
    if image.ndim != 2 or not all(np.isfinite(image[rows]).all() for rows in _bands(image)):
        raise ValueError("image must have two axes and finite grey values")
    if W.ndim != 2 or W.size == 0 or not np.isfinite(W).all():
        raise ValueError("W must have atoms of finite numbers as rows")
    side = patch_side(W.shape[1])
    made = np.empty((len(iterations), *image.shape), np.uint8 if as_bytes else np.float64)
    for rows in _bands(image, side):
        band = _reproduced(image[rows].astype(np.float64), W, side, sparseness, iterations)
        made[:, rows] = to_bytes(band) if as_bytes else band
    return made


def _bands(image, side=1):
    """Slices of some rows of an image, of whole blocks but for the last; at least one."""
    at_once = side * max(1, PIXELS_AT_ONCE // (side * max(1, image.shape[1])))
    return [slice(i, i + at_once) for i in range(0, max(1, len(image)), at_once)]


def _reproduced(image, W, side, sparseness, iterations):
    """Some rows of an image made again, (len, height, width)."""
    exponent = scaling_exponents(image)
    image = scale_down(image, exponent)
    blocks = _blocks(image, side)
    means = blocks.mean(axis=1, keepdims=True)
    deviations = blocks.std(axis=1, keepdims=True)
    varied = (deviations > 1e-9 * np.abs(blocks).max(axis=1, keepdims=True, initial=0.0))[:, 0]
    means, deviations = means[varied], deviations[varied]
    x = np.ascontiguousarray((blocks[varied] - means) / deviations, W.dtype)
    _, approximations, _ = landweber_codes(x, W, sparseness, iterations)
    made = np.empty((len(iterations), *image.shape))
    for result, approximation in zip(made, approximations, strict=True):
        result[:] = image
        coded = blocks.copy()
        coded[varied] = means + deviations * _normalised(approximation.astype(np.float64))
        _put_blocks(result, coded, side)
    return _scaled_up(made, exponent)


def _scaled_up(made, exponent):
    """Images at the scale of the original; ValueError if they are too large."""
    if not exponent.any():
        return made
    with np.errstate(over="ignore", under="ignore"):
        made = np.ldexp(made, exponent)
    if not np.isfinite(made).all():
        raise ValueError("image is too large: made again, it exceeds the largest number")
    return made


def compare(image, made):
    """SSIM index (Wang et al. 2004) and PSNR in decibels of an image made again.

    White is 255; SSIM with a Gaussian window of 11 × 11 pixels and a deviation of 1.5.
    """
    each, border = np.empty(image.shape), WINDOW // 2
    for rows in _bands(image):
        each[rows] = (image[rows].astype(np.float64) - made[rows].astype(np.float64)) ** 2
    with np.errstate(divide="ignore"):
        psnr = float(10.0 * np.log10(255.0**2 / each.mean()))
    for rows in _bands(image[2 * border :]):
        inner = slice(rows.start + border, rows.stop + border)
        outer = slice(rows.start, rows.stop + 2 * border)
        index = _ssim_of_each(image[outer].astype(np.float64), made[outer].astype(np.float64))
        each[inner][: len(index) - 2 * border] = index[border:-border]
    return float(each[border:-border, border:-border].mean()), psnr


def _ssim_of_each(image, made):
    """SSIM index of each pixel; those at the border are not those of a larger image."""
    from skimage.metrics import structural_similarity

    return structural_similarity(
        image,
        made,
        data_range=255,
        gaussian_weights=True,
        sigma=1.5,
        use_sample_covariance=False,
        full=True,
    )[1]


def to_bytes(image):
    """Grey values rounded and clipped to 8 bits."""
    return np.clip(np.rint(image), 0, 255).astype(np.uint8)


def whole_blocks(image, side):
    """The part of an image that its whole blocks cover."""
    height, width = (length - length % side for length in image.shape)
    return image[:height, :width]


def _blocks(image, side):
    """The whole blocks of an image, one a row (m, side²)."""
    whole = whole_blocks(image, side)
    rows, columns = (length // side for length in whole.shape)
    apart = whole.reshape(rows, side, columns, side).swapaxes(1, 2)
    return apart.reshape(rows * columns, side * side)


def _put_blocks(image, blocks, side):
    """Write whole blocks into an image."""
    whole = whole_blocks(image, side)
    rows, columns = (length // side for length in whole.shape)
    whole[:] = blocks.reshape(rows, columns, side, side).swapaxes(1, 2).reshape(whole.shape)


def _normalised(x):
    """Rows with zero mean and unit variance; zero where there is none."""
    centred = x - x.mean(axis=1, keepdims=True)
    deviations = np.sqrt(np.mean(centred * centred, axis=1, keepdims=True))
    return centred / np.where(deviations > 0.0, deviations, 1.0)
