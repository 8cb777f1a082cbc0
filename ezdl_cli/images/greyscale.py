"""Any image as 8-bit grey values.

Y = 0.2126 R + 0.7152 G + 0.0722 B of the encoded values (the weights of ITU-R BT.709, derived in
SMPTE RP 177-1993, Annex B), scaled to 0 … 255 and rounded once, halves up. Transparent images are
laid over white.
"""

import os

import numpy as np
from numpy.typing import NDArray

from .decoding import decode_first

WEIGHTS = (2126, 7152, 722)  # in ten-thousandths, so that sums are exact
CHUNK_PIXELS = 1 << 18


def read_grey(source: str | os.PathLike[str] | bytes) -> NDArray[np.uint8]:
    """Read an image file as grey values.

    Parameters
    ----------
    source : path or bytes
        A file, or the content of one.

    Returns
    -------
    image : ndarray of shape (height, width)
        Grey values in uint8: luminance of colours, over white where the image is transparent.

    Raises
    ------
    InputError
        If the file cannot be read or decoded; the message is the reason alone, without the name.
        It is a ValueError.

    Examples
    --------
    >>> import ezdl_cli as ez
    >>> ez.read_grey(b"P5 3 1 255 \\x00\\x80\\xff")
    array([[  0, 128, 255]], dtype=uint8)
    """
    return read_first_grey(source)[0]


def read_first_grey(source):
    """Read as `read_grey` does; return also the pictures in the file, or None for a single one."""
    pixels, several = decode_first(source)
    return to_grey(pixels), several


def to_grey(pixels):
    """Compute 8-bit grey values (height, width) of Pixels."""
    if pixels.values.ndim == 2 and pixels.values.itemsize == 1 and pixels.alpha is None:
        return pixels.values
    height, width = pixels.values.shape[:2]
    result = np.empty((height, width), np.uint8)
    n_rows = max(1, CHUNK_PIXELS // max(1, width))
    for first in range(0, height, n_rows):
        band = slice(first, first + n_rows)
        alpha = None if pixels.alpha is None else pixels.alpha[band]
        result[band] = _luminance(pixels.values[band], alpha, pixels.premultiplied)
    return result


def _luminance(values, alpha, premultiplied):
    """Weighted sum of colours over white, in integers: exact, and rounded once."""
    white = int(np.iinfo(values.dtype).max)
    unit = sum(WEIGHTS) * white // 255  # of one grey level in the sums
    values = values.astype(np.int64)
    if values.ndim == 2:
        total = sum(WEIGHTS) * values
    else:
        total = sum(weight * values[..., i] for i, weight in enumerate(WEIGHTS))
    if alpha is not None:
        opaque = alpha.astype(np.int64)
        total *= white if premultiplied else opaque
        total += (white - opaque) * sum(WEIGHTS) * white
        unit *= white
    return np.minimum((2 * total + unit) // (2 * unit), 255)
