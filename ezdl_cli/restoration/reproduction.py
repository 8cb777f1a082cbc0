"""Entire images rebuilt from sparse codes of their blocks (paper, sect. 4.3).

An image is divided into blocks of the size of the atoms. Each block is normalised to zero mean and
unit variance, encoded with a given sparseness, approximated from its code, and scaled back to its
mean and variance. Blocks without variance are copied, and so are the pixels at the right and lower
border that do not fill a block.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..coding.landweber import landweber_codes
from ..core.input_validation import as_float_array, as_real_array
from ..core.patch_shape import patch_side
from ..core.scaling import scale_down, scaling_exponents
from ..samples.store import normalise
from .quality import to_uint8
from .row_chunks import row_chunks

MIN_DEVIATION = (
    1e-9  # standard deviation of a block relative to its largest entry; less is rounding
)


def reproduce(
    image: ArrayLike, W: ArrayLike, sparseness: float, n_iterations: int = 100
) -> NDArray[np.float64]:
    """Rebuild an image from sparse codes of its blocks.

    The image is divided into blocks of the size of the atoms. Each is normalised to zero mean and
    unit variance, encoded, approximated from its code, and scaled back. Constant blocks are copied,
    and so are pixels at the right and lower border that do not fill a block.

    Parameters
    ----------
    image : array_like of shape (height, width)
        Grey values.
    W : array_like of shape (n_atoms, side²)
        Dictionary, one atom per row.
    sparseness : float
        Sparseness of the codes, between 0 and 1.
    n_iterations : int, default=100
        Number of Landweber iterations; 1 infers codes as EZDL does in training.

    Returns
    -------
    reproduced : ndarray of shape (height, width)
        The image in float64, neither rounded nor clipped.

    Raises
    ------
    TypeError
        If an array is sparse.
    ValueError
        If the atoms are not square patches, or a value is out of range or not finite.

    Examples
    --------
    >>> import numpy as np
    >>> import ezdl_cli as ez
    >>> image = np.add.outer(np.arange(32.0), np.arange(32.0))
    >>> reproduced = ez.reproduce(image, ez.default_dictionary(), sparseness=0.9)
    >>> reproduced.shape, bool(np.abs(reproduced - image).mean() < 1.0)
    ((32, 32), True)
    """
    return reproductions(image, W, sparseness, [n_iterations])[0]


def reproductions(image, W, sparseness, iterations, as_uint8=False):
    """Rebuild an image after several numbers of iterations, in increasing order.

    Returns an array (len(iterations), height, width), rounded to 8 bits if `as_uint8`.
    """
    image, W = as_real_array(image, "image"), np.ascontiguousarray(as_float_array(W, "W"))
    if image.ndim != 2 or not all(np.isfinite(image[rows]).all() for rows in row_chunks(image)):
        raise ValueError("image must have two axes and finite grey values")
    if W.ndim != 2 or W.size == 0 or not np.isfinite(W).all():
        raise ValueError("W must have atoms of finite numbers as rows")
    side = patch_side(W.shape[1])
    results = np.empty((len(iterations), *image.shape), np.uint8 if as_uint8 else np.float64)
    for rows in row_chunks(image, side):
        chunk = _reproduce_rows(image[rows].astype(np.float64), W, side, sparseness, iterations)
        results[:, rows] = to_uint8(chunk) if as_uint8 else chunk
    return results


def _reproduce_rows(image, W, side, sparseness, iterations):
    """Rebuild some rows of an image, (len(iterations), height, width)."""
    exponent = scaling_exponents(image)
    image = scale_down(image, exponent)
    blocks = _blocks(image, side)
    means = blocks.mean(axis=1, keepdims=True)
    deviations = blocks.std(axis=1, keepdims=True)
    magnitudes = np.abs(blocks).max(axis=1, keepdims=True, initial=0.0)
    varied = (deviations > MIN_DEVIATION * magnitudes)[:, 0]
    means, deviations = means[varied], deviations[varied]
    x = np.ascontiguousarray((blocks[varied] - means) / deviations, W.dtype)
    _, approximations, _ = landweber_codes(x, W, sparseness, iterations)
    results = np.empty((len(iterations), *image.shape))
    for result, approximation in zip(results, approximations, strict=True):
        result[:] = image
        blocks[varied] = means + deviations * normalise(approximation.astype(np.float64))
        _set_blocks(result, blocks, side)
    return _scale_up(results, exponent)


def _scale_up(images, exponent):
    """Return images at the scale of the original; ValueError if they overflow."""
    if not exponent.any():
        return images
    with np.errstate(over="ignore", under="ignore"):
        images = np.ldexp(images, exponent)
    if not np.isfinite(images).all():
        raise ValueError("image is too large: its reproduction overflows; scale it down")
    return images


def crop_to_blocks(image, side):
    """Return the part of an image that complete blocks cover."""
    height, width = (length - length % side for length in image.shape)
    return image[:height, :width]


def _blocks(image, side):
    """Return the complete blocks of an image as rows (m, side²)."""
    cropped = crop_to_blocks(image, side)
    rows, columns = (length // side for length in cropped.shape)
    blocks = cropped.reshape(rows, side, columns, side).swapaxes(1, 2)
    return blocks.reshape(rows * columns, side * side)


def _set_blocks(image, blocks, side):
    """Write the complete blocks into an image."""
    cropped = crop_to_blocks(image, side)
    rows, columns = (length // side for length in cropped.shape)
    cropped[:] = blocks.reshape(rows, columns, side, side).swapaxes(1, 2).reshape(cropped.shape)
