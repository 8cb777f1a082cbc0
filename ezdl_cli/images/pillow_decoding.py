"""Decoding by Pillow, with all bits of 16-bit colours, for which Pillow has no mode."""

import logging
import sys
import warnings
from contextlib import contextmanager

import numpy as np
from PIL import Image, ImageOps

from ..errors import InputError
from .guards.image_size import check_size
from .guards.tiff_header import check_exif, check_tiles
from .pixels import Pixels

CHUNK_PIXELS = 1 << 18
BITS_PER_SAMPLE, PHOTOMETRIC, PLANAR_CONFIGURATION = 258, 262, 284  # tags of TIFF
NATIVE = "L" if sys.byteorder == "little" else "B"

# `decoding` reports damaged files, and `guards` have a size limit of their own.
warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)
logging.getLogger("PIL").addHandler(logging.NullHandler())


def decode_with_pillow(stream, name):
    """Decode an image to Pixels; `name` is that of the format in Pillow."""
    with _opened(stream, name) as image:
        tags = image.tag_v2 if name == "TIFF" else {}
        samples, _, order = _rawmode(image.tile).partition(";16")
        is_planar = tags.get(PLANAR_CONFIGURATION) == 2  # Pillow then ignores the raw mode
        if order and samples in ("LA", "RGB", "RGBA", "RGBX") and not is_planar:
            return _decode_16_bit_colours(stream, name, samples, order.replace("N", NATIVE))
        inverted = tags.get(PHOTOMETRIC) == 0
        reduced = max(tags.get(BITS_PER_SAMPLE, (1,))) > 8
        profile = image.info.get("icc_profile")
        _load_upright(image)
        return _pixels(image, inverted, profile, reduced)


@contextmanager
def _opened(stream, name):
    """Open an image and check its size; the pixels are not decoded yet."""
    stream.seek(0)
    with Image.open(stream, formats=(name,)) as image:
        check_size(*image.size)
        if name == "TIFF":
            check_tiles(*image.size, image.tag_v2)
        yield image


def _load_upright(image):
    image.load()
    check_exif(image.info)
    ImageOps.exif_transpose(image, in_place=True)


def _pixels(image, inverted, profile, reduced):
    """Convert a decoded image to Pixels, depending on its mode in Pillow."""
    if image.mode in ("F", "I"):
        raise InputError("floating-point, signed or 32-bit values; save it with 8 or 16 bits")
    if image.mode.startswith("I;16"):
        values = _by_bands(image, lambda band: np.asarray(band).astype(np.uint16))
        # Pillow inverts 8 bits if zero is white, but not 16.
        return Pixels(65535 - values if inverted else values, profile=profile)
    is_grey, has_alpha = image.mode in ("1", "L", "LA"), image.has_transparency_data
    mode = ("L" if is_grey else "RGB") + ("A" if has_alpha else "")
    samples = _by_bands(image, lambda band: np.asarray(band.convert(mode)))
    if has_alpha:
        values = samples[..., 0] if is_grey else samples[..., :3]
        return Pixels(values, samples[..., -1], profile, reduced=reduced)
    # The profile describes the values in the file, not those that were converted.
    return Pixels(samples, None, profile if image.mode == mode else None, reduced=reduced)


def _by_bands(image, convert):
    """Convert some rows at a time: Pillow would copy the entire image, more than once."""
    width, height = image.size
    n_rows = max(1, CHUNK_PIXELS // max(1, width))
    result = None
    for first in range(0, height, n_rows):
        part = convert(image.crop((0, first, width, min(first + n_rows, height))))
        if result is None:
            result = np.empty((height, *part.shape[1:]), part.dtype)
        result[first : first + n_rows] = part
    return result


def _decode_16_bit_colours(stream, name, samples, order):
    """Decode colours, or grey values with opacity, in all 16 bits.

    Pillow keeps one byte of each value: the upper one if its raw mode names the byte order of the
    file, the lower one if it names the other. Grey with opacity has the four bytes of 8-bit RGBA.
    """
    if samples == "LA":  # only in PNG, which is big-endian
        content, info = _decode_bytes(stream, name, "RGBA")
        values = content.view(">u2").astype(np.uint16)
        return Pixels(values[..., 0], values[..., 1], info.get("icc_profile"))
    lower, info = _decode_bytes(stream, name, f"{samples};16{'L' if order == 'B' else 'B'}")
    upper, _ = _decode_bytes(stream, name, f"{samples};16{order}")
    values = upper.astype(np.uint16)
    values <<= 8
    values |= lower
    alpha = values[..., 3] if samples == "RGBA" else None
    if samples == "RGB" and "transparency" in info:
        alpha = np.uint16(65535) * (values != info["transparency"]).any(axis=-1)
    return Pixels(values[..., :3], alpha, info.get("icc_profile"))


def _decode_bytes(stream, name, rawmode):
    """Decode an image by another raw mode; return bytes (height, width, n) and metadata."""
    with _opened(stream, name) as image:
        image.tile = [_with_rawmode(tile, rawmode) for tile in image.tile]
        info = dict(image.info)
        _load_upright(image)
        return _by_bands(image, np.asarray), info


def _rawmode(tiles):
    """Pillow's name for the layout of the samples in a file; empty if there is none."""
    arguments = tiles[0].args if tiles else ""
    return arguments if isinstance(arguments, str) else str(arguments[0])


def _with_rawmode(tile, rawmode):
    others = () if isinstance(tile.args, str) else tile.args[1:]
    return tile._replace(args=(rawmode, *others))
