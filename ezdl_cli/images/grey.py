"""Any picture as 8-bit grey values.

Y = 0.2126 R + 0.7152 G + 0.0722 B of the encoded values (the weights of ITU-R BT.709, derived in
SMPTE RP 177-1993, Annex B), scaled to 0 … 255 and rounded once, halves up. Pictures are turned as
their EXIF data say; what is transparent is laid over white. 16-bit colour in PNG, PPM and in LZW
or JPEG compressed TIFF is read by its upper eight bits, as Pillow gives no more.
"""

import io
import logging
import os
import stat
import warnings
from contextlib import contextmanager

import numpy as np
from PIL import Image, ImageOps

from ..errors import InputError, one_line
from .limits import (
    MAX_BYTES,
    MAX_PIXELS,
    TIFF,
    beginning,
    check_exif,
    check_file,
    check_size,
    check_tiles,
)

SUFFIXES = (".tif", ".tiff", ".jpg", ".jpeg", ".png", ".webp", ".bmp", ".pgm", ".ppm")
FORMATS = ("TIFF", "JPEG", "PNG", "WEBP", "BMP", "PPM")
WEIGHTS = (2126, 7152, 722)  # in ten-thousandths, so that sums are exact
PIXELS_AT_ONCE = 1 << 18
TILE_WIDTH, TILE_HEIGHT = 322, 323  # tags of TIFF

# Broken files are reported by us, in one line each, and large ones have a limit of ours.
warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)
logging.getLogger("PIL").addHandler(logging.NullHandler())


def read_grey(source):
    """Grey values of a picture.

    Parameters
    ----------
    source : path, or the bytes of a file

    Returns
    -------
    array (height, width) of uint8

    Raises
    ------
    InputError
        If it cannot be read or decoded; the message is the reason alone, without the name.
    """
    opened = io.BytesIO(source) if isinstance(source, bytes) else open_file(source)
    with opened as stream, decoding():
        return _decode(stream)


@contextmanager
def decoding():
    """Make what decoders raise an InputError with the reason alone."""
    try:
        yield
    except InputError:
        raise
    except MemoryError:
        raise InputError("needs more memory than there is") from None
    except Image.DecompressionBombError:
        raise InputError(f"has more than {MAX_PIXELS} pixels, which is the limit") from None
    except Image.UnidentifiedImageError:
        raise InputError("is no picture of a known kind, or damaged at its beginning") from None
    except Exception as error:  # decoders raise nearly anything on damaged files
        reason = one_line(error)[:200] or type(error).__name__
        raise InputError(f"cannot be decoded ({reason})") from None


def open_file(path):
    """A picture's file, open; InputError with the reason alone if that cannot be read."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise InputError("is no ordinary file")
        if status.st_size > MAX_BYTES:
            raise InputError(f"has more than {MAX_BYTES} bytes, which is the limit")
        return open(path, "rb")
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})") from None


def read_file(path):
    """The content of a picture's file."""
    with open_file(path) as stream:
        try:
            # As much as there is: room for what is asked for is taken before it is read.
            return stream.read(os.fstat(stream.fileno()).st_size)
        except OSError as error:
            raise InputError(f"cannot be read ({error.strerror})") from None


@contextmanager
def open_image(stream):
    """A picture that is within the limits, as Pillow has it, not decoded yet."""
    if beginning(stream, 4) == b"MM\0+":  # Pillow would read it as if it were no BigTIFF
        raise InputError("is a BigTIFF in big-endian order and of 8 bits; save it otherwise")
    check_file(stream)
    with Image.open(stream, formats=FORMATS) as image:
        check_size(*image.size)
        if image.format == "TIFF" and {TILE_WIDTH, TILE_HEIGHT} <= set(image.tag_v2):
            check_tiles(*image.size, image.tag_v2[TILE_WIDTH], image.tag_v2[TILE_HEIGHT])
        yield image


def turn(image):
    """Decode a picture, and turn it as its EXIF data say."""
    image.load()
    check_exif(image.info)
    ImageOps.exif_transpose(image, in_place=True)


def _decode(stream):
    if beginning(stream, 2) in TIFF:
        from .deep_tiff import read_deep_tiff

        pixels = read_deep_tiff(stream)
        if pixels is not None:
            return pixels
        stream.seek(0)
    with open_image(stream) as image:
        kind = image.format
        white_is_zero = kind == "TIFF" and image.tag_v2.get(262) == 0
        turn(image)
        return by_bands(image, lambda band: _grey_of_image(band, kind, white_is_zero))


def by_bands(image, convert):
    """The array that a function makes of a decoded picture, from some rows at a time.

    Pillow would copy the picture as a whole, more than once.
    """
    width, height = image.size
    rows = max(1, PIXELS_AT_ONCE // max(1, width))
    result = None
    for first in range(0, height, rows):
        part = convert(image.crop((0, first, width, min(first + rows, height))))
        if result is None:
            result = np.empty((height, *part.shape[1:]), part.dtype)
        result[first : first + rows] = part
    return result


def _grey_of_image(image, kind, white_is_zero):
    """Grey values of a decoded picture, by its mode."""
    deep = deep_grey(image, kind, white_is_zero)
    if deep is not None:
        return grey(deep, white=65535)
    if image.has_transparency_data:
        pixels = np.asarray(image.convert("RGBA"))
        return grey(pixels[..., :3], alpha=pixels[..., 3])
    if image.mode in ("1", "L"):
        return np.asarray(image.convert("L"))
    return grey(np.asarray(image.convert("RGB")))


def deep_grey(image, kind, white_is_zero):
    """Grey values (height, width) of a decoded picture of 16 bits, uint16; None if it has 8.

    Raises
    ------
    InputError
        If it has more, or fractions.
    """
    if image.mode == "F":
        raise InputError("holds fractions, whose white is not defined; save it with 8 or 16 bits")
    if not image.mode.startswith("I"):
        return None
    values = np.asarray(image)
    if (image.mode == "I" and kind == "TIFF") or values.min() < 0 or values.max() > 65535:
        raise InputError("has more than 16 bits a pixel; save it with 8 or 16 bits")
    values = values.astype(np.uint16)
    # Pillow does this for 8 bits, and not for 16.
    return 65535 - values if white_is_zero else values


def grey(colours, alpha=None, white=255, premultiplied=False):
    """Weighted sum of the colours, in 8 bits.

    Parameters
    ----------
    colours : array (height, width, 3), or (height, width) if it is grey already
    alpha : array (height, width), 0 where it is transparent; optional
    white : int
        The largest value of both: 255 or 65535.
    premultiplied : bool
        Whether the colours were multiplied by alpha already.

    Returns
    -------
    array (height, width) of uint8
    """
    height, width = colours.shape[:2]
    result = np.empty((height, width), np.uint8)
    whole = sum(WEIGHTS) * white
    rows = max(1, PIXELS_AT_ONCE // max(1, width))
    for first in range(0, height, rows):
        band = slice(first, first + rows)
        values, unit = _weighted(colours[band].astype(np.int64)), whole // 255
        if alpha is not None:
            opaque = alpha[band].astype(np.int64)
            values *= white if premultiplied else opaque
            values += (white - opaque) * whole
            unit *= white
        result[band] = np.minimum((2 * values + unit) // (2 * unit), 255)
    return result


def _weighted(colours):
    """Weighted sums, in ten-thousandths."""
    if colours.ndim == 2:
        return colours * sum(WEIGHTS)
    return sum(weight * colours[..., i] for i, weight in enumerate(WEIGHTS))
