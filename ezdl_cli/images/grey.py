"""Any picture as 8-bit grey values.

Y = 0.2126 R + 0.7152 G + 0.0722 B of the encoded values (the weights of ITU-R BT.709, derived in
SMPTE RP 177-1993, Annex B), scaled to 0 … 255 and rounded once, halves up. Pictures are turned as
their EXIF data say; what is transparent is laid over white.
"""

import io
import logging
import warnings

import numpy as np
import tifffile
from PIL import Image, ImageOps

from ..errors import InputError

SUFFIXES = (".tif", ".tiff", ".jpg", ".jpeg", ".png", ".webp", ".bmp", ".pgm", ".ppm")
FORMATS = ("TIFF", "JPEG", "PNG", "WEBP", "BMP", "PPM")
MAX_PIXELS = 1 << 27
WEIGHTS = np.array([2126.0, 7152.0, 722.0])  # whole numbers, so that sums are exact
PIXELS_AT_ONCE = 1 << 18

# Broken files are reported by us, in one line each, and large ones have a limit of ours.
warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)
for _library in ("tifffile", "PIL"):
    logging.getLogger(_library).addHandler(logging.NullHandler())


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
    try:
        content = source if isinstance(source, bytes) else _read_file(source)
        return _decode(io.BytesIO(content))
    except (InputError, MemoryError):
        raise
    except Image.DecompressionBombError:
        raise InputError(f"has more than {MAX_PIXELS} pixels, which is the limit") from None
    except Image.UnidentifiedImageError:
        raise InputError("is no picture, or damaged at its beginning") from None
    except Exception as error:  # decoders raise nearly anything on damaged files
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise InputError(f"cannot be decoded ({reason})") from None


def _read_file(path):
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})") from None


def _decode(stream):
    with Image.open(stream, formats=FORMATS) as image:
        width, height = image.size
        if width * height > MAX_PIXELS:
            raise InputError(
                f"has {width} × {height} pixels, more than {MAX_PIXELS}, which is the limit"
            )
        if image.format == "TIFF":
            deep = _deep_colour(image, stream)
            if deep is not None:
                return deep
        white_is_zero = image.format == "TIFF" and image.tag_v2.get(262) == 0
        return _grey_of_image(ImageOps.exif_transpose(image), white_is_zero)


def _grey_of_image(image, white_is_zero):
    """Grey values of a decoded picture, by its mode."""
    if image.mode == "F":
        raise InputError("holds fractions, whose white is not defined; save it with 8 or 16 bits")
    if image.mode.startswith("I"):
        values = np.asarray(image)
        if values.min() < 0 or values.max() > 65535:
            raise InputError("has more than 16 bits a pixel; save it with 8 or 16 bits")
        # Pillow does this for 8 bits, and not for 16.
        return grey(65535 - values if white_is_zero else values, white=65535)
    if image.has_transparency_data:
        pixels = np.asarray(image.convert("RGBA"))
        return grey(pixels[..., :3], alpha=pixels[..., 3])
    if image.mode in ("1", "L"):
        return np.array(image.convert("L"))
    return grey(np.asarray(image.convert("RGB")))


def _deep_colour(image, stream):
    """Grey values of a TIFF with several samples of 16 bits, which Pillow cuts to 8; else None."""
    bits = image.tag_v2.get(258, (1,))
    if len(bits) == 1 or set(bits) != {16} or len(bits) > 4:
        return None
    stream.seek(0)
    with tifffile.TiffFile(stream) as file:
        page = file.pages[0]
        known = {tifffile.PHOTOMETRIC.RGB: 3, tifffile.PHOTOMETRIC.MINISBLACK: 1}
        colours = known.get(page.photometric)
        plain = page.compression in (
            tifffile.COMPRESSION.NONE,
            tifffile.COMPRESSION.ADOBE_DEFLATE,
            tifffile.COMPRESSION.DEFLATE,
            tifffile.COMPRESSION.PACKBITS,
        )
        if colours is None or not plain or len(bits) not in (colours, colours + 1):
            stream.seek(0)
            return None
        ends = zip(page.dataoffsets, page.databytecounts, strict=True)
        if max(first + count for first, count in ends) > file.filehandle.size:
            raise InputError("is cut off")
        pixels = page.asarray()
        if pixels.shape[-1] != len(bits):  # the colours lie one after the other
            pixels = np.moveaxis(pixels, 0, -1)
        orientation = int(page.tags.valueof(274, default=1))
    alpha = pixels[..., colours] if len(bits) > colours else None
    colour = pixels[..., :3] if colours == 3 else pixels[..., 0]
    return upright(grey(colour, alpha, white=65535), orientation)


def upright(pixels, orientation):
    """Turn an array (height, width) as the orientation of EXIF says, 1 to 8."""
    if orientation >= 5:
        pixels = pixels.T
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    return np.ascontiguousarray(pixels)


def grey(colours, alpha=None, white=255):
    """Weighted sum of the colours, in 8 bits.

    Parameters
    ----------
    colours : array (height, width, 3), or (height, width) if it is grey already
    alpha : array (height, width), 0 where it is transparent; optional
    white : int
        The largest value of both: 255 or 65535.

    Returns
    -------
    array (height, width) of uint8
    """
    height, width = colours.shape[:2]
    whole = WEIGHTS.sum() * white
    result = np.empty((height, width), np.uint8)
    rows = max(1, PIXELS_AT_ONCE // max(1, width))
    for first in range(0, height, rows):
        band = slice(first, first + rows)
        values = colours[band].astype(np.float64)
        values = values @ WEIGHTS if values.ndim == 3 else values * WEIGHTS.sum()
        if alpha is not None:
            opaque = alpha[band] / white
            values = opaque * values + (1.0 - opaque) * whole
        result[band] = np.floor(values / (whole / 255.0) + 0.5)
    return result
