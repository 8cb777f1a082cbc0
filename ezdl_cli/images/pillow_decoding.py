"""Decoding by Pillow, with all bits of 16-bit colours, for which Pillow has no mode."""

import logging
import sys
import warnings
from contextlib import contextmanager

import numpy as np
from PIL import Image

from ..errors import InputError
from .guards.image_size import check_size
from .guards.tiff_header import check_tiles
from .icc_profiles import GREY, RGB, fitting_profile
from .orientation import as_stored
from .pillow_metadata import forget_unsafe_exif, orientation_of, orientation_of_tiff, read_container
from .pixels import Pixels

CHUNK_PIXELS = 1 << 18
BITS_PER_SAMPLE, PHOTOMETRIC, PLANAR_CONFIGURATION = 258, 262, 284  # tags of TIFF
# Colour spaces of the modes that are converted without a change of colours.
SPACES = dict.fromkeys(("1", "L", "LA"), GREY)
SPACES |= dict.fromkeys(("P", "PA", "RGB", "RGBA", "RGBX", "YCbCr"), RGB)
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
        return _pixels(image, _load(image), inverted, reduced)


@contextmanager
def _opened(stream, name):
    """Open an image and check its size; the pixels are not decoded yet."""
    stream.seek(0)
    with Image.open(stream, formats=(name,)) as image:
        check_size(*image.size)
        if name == "TIFF":
            check_tiles(*image.size, image.tag_v2)
        yield image


def _load(image, space=None):
    """Decode the pixels.

    `space` is the colour space of profiles that describe them, if it does not follow from the mode.

    Returns
    -------
    orientation : int
        That of the decoded pixels.
    about : dict
        Profile and container, as arguments of Pixels.
    """
    in_file = orientation_of_tiff(image)
    image.load()  # turns TIFF, but not the others
    notes = forget_unsafe_exif(image)
    if space is None:
        space = GREY if image.mode.startswith("I;16") else SPACES.get(image.mode)
    profile, more_notes = fitting_profile(image.info.get("icc_profile"), space)
    notes += more_notes
    left = orientation_of(image)
    return left, {"profile": profile, "container": read_container(image, in_file or left, notes)}


def _pixels(image, loaded, inverted, reduced):
    """Convert a decoded image to Pixels, depending on its mode in Pillow."""
    orientation, about = loaded
    if image.mode in ("F", "I"):
        raise InputError("floating-point, signed or 32-bit values; save it with 8 or 16 bits")
    if image.mode.startswith("I;16"):
        values = _by_bands(image, orientation, lambda band: np.asarray(band).astype(np.uint16))
        # Pillow inverts 8 bits if zero is white, but not 16.
        return Pixels(65535 - values if inverted else values, **about)
    is_grey, has_alpha = image.mode in ("1", "L", "LA"), image.has_transparency_data
    mode = ("L" if is_grey else "RGB") + ("A" if has_alpha else "")
    samples = _by_bands(image, orientation, lambda band: np.asarray(band.convert(mode)))
    alpha = None
    if has_alpha:
        samples, alpha = samples[..., 0] if is_grey else samples[..., :3], samples[..., -1]
    return Pixels(samples, alpha, reduced=reduced, **about)


def _by_bands(image, orientation, convert):
    """Convert some rows at a time: Pillow would copy the entire image, more than once.

    The result is upright.
    """
    width, height = image.size
    n_rows = max(1, CHUNK_PIXELS // max(1, width))
    result = stored = None
    for first in range(0, height, n_rows):
        part = convert(image.crop((0, first, width, min(first + n_rows, height))))
        if result is None:
            shape = (width, height) if orientation >= 5 else (height, width)
            result = np.empty((*shape, *part.shape[2:]), part.dtype)
            stored = as_stored(result, orientation)
        stored[first : first + n_rows] = part
    return result


def _decode_16_bit_colours(stream, name, samples, order):
    """Decode colours, or grey values with opacity, in all 16 bits.

    Pillow keeps one byte of each value: the upper one if its raw mode names the byte order of the
    file, the lower one if it names the other. Grey with opacity has the four bytes of 8-bit RGBA.
    """
    if samples == "LA":  # only in PNG, which is big-endian
        content, about, _ = _decode_bytes(stream, name, "RGBA", GREY)
        values = content.view(">u2").astype(np.uint16)
        return Pixels(values[..., 0], values[..., 1], **about)
    other = f"{samples};16{'L' if order == 'B' else 'B'}"
    lower, about, transparent = _decode_bytes(stream, name, other, RGB)
    upper, _, _ = _decode_bytes(stream, name, f"{samples};16{order}", RGB)
    values = upper.astype(np.uint16)
    values <<= 8
    values |= lower
    alpha = values[..., 3] if samples == "RGBA" else None
    if samples == "RGB" and transparent is not None:
        alpha = np.uint16(65535) * (values != transparent).any(axis=-1)
    return Pixels(values[..., :3], alpha, **about)


def _decode_bytes(stream, name, rawmode, space):
    """Decode an image by another raw mode.

    Returns
    -------
    array (height, width, n) of uint8
    about : dict
        Profile and container, as arguments of Pixels.
    transparent : tuple of int or None
        The transparent colour.
    """
    with _opened(stream, name) as image:
        image.tile = [_with_rawmode(tile, rawmode) for tile in image.tile]
        transparent = image.info.get("transparency")
        orientation, about = _load(image, space)
        return _by_bands(image, orientation, np.asarray), about, transparent


def _rawmode(tiles):
    """Pillow's name for the layout of the samples in a file; empty if there is none."""
    arguments = tiles[0].args if tiles else ""
    return arguments if isinstance(arguments, str) else str(arguments[0])


def _with_rawmode(tile, rawmode):
    others = () if isinstance(tile.args, str) else tile.args[1:]
    return tile._replace(args=(rawmode, *others))
