"""TIFF files with 16 bits a sample, which Pillow cuts to 8 or does not know."""

import logging
import math
import os
import zlib

import numpy as np
import tifffile

from ..errors import InputError
from .grey import grey
from .limits import MAX_BYTES, check_file, check_size, check_tiles

# Samples that hold colours, by the meaning of the colours.
COLOURS = {
    tifffile.PHOTOMETRIC.RGB: 3,
    tifffile.PHOTOMETRIC.MINISBLACK: 1,
    tifffile.PHOTOMETRIC.MINISWHITE: 1,
}
DEFLATE = (tifffile.COMPRESSION.ADOBE_DEFLATE, tifffile.COMPRESSION.DEFLATE)
KNOWN = (tifffile.COMPRESSION.NONE, tifffile.COMPRESSION.PACKBITS, *DEFLATE)
WHITE = 65535
NOTHING = (None, None, None, None)

logging.getLogger("tifffile").addHandler(logging.NullHandler())


def read_deep_tiff(stream):
    """Grey values (height, width) of the first page if it has 16 bits a sample, else None.

    None also for a file that this cannot read; Pillow may, or says what is wrong.
    """
    colour, alpha, premultiplied, _ = read_deep_colours(stream)
    if colour is None:
        return None
    return grey(colour, alpha, WHITE, premultiplied)


def read_deep_colours(stream):
    """Grey values or colours, alpha or None, whether those were multiplied by it, ICC profile.

    The first two are of uint16. All four are None where `read_deep_tiff` gives None.
    """
    try:
        check_file(stream)
        with tifffile.TiffFile(stream) as file:
            page = file.pages[0]
            colours = COLOURS.get(page.photometric)
            if page.bitspersample != 16 or page.compression not in KNOWN or colours is None:
                return NOTHING
            if page.dtype != np.dtype(np.uint16) or page.imagedepth != 1:
                return NOTHING
            check_size(page.imagewidth, page.imagelength)
            if page.nbytes > MAX_BYTES:
                raise InputError(f"has {page.nbytes} bytes, more than {MAX_BYTES}, the limit")
            if page.is_tiled:
                size = page.imagewidth, page.imagelength
                check_tiles(*size, page.tilewidth, page.tilelength)
            _check_segments(page, stream)
            pixels = page.asarray()
            if pixels.size == 0:  # a page without data
                return NOTHING
            samples = page.samplesperpixel
            extra = page.extrasamples
            planes_first = page.planarconfig == tifffile.PLANARCONFIG.SEPARATE
            white_is_zero = page.photometric == tifffile.PHOTOMETRIC.MINISWHITE
            orientation = int(page.tags.valueof(274, default=1))
            profile = page.tags.valueof(34675)
    except InputError:
        raise
    except Exception:
        return NOTHING
    if samples == 1:
        pixels = pixels[..., np.newaxis]
    elif planes_first:
        pixels = np.moveaxis(pixels, 0, -1)
    return *_parts(upright(pixels, orientation), colours, extra, white_is_zero), profile


def _parts(pixels, colours, extra, white_is_zero):
    """Colour, alpha and how they belong together, of an array (height, width, samples)."""
    colour = pixels[..., :3] if colours == 3 else pixels[..., 0]
    if white_is_zero:
        colour = WHITE - colour
    kinds = [int(kind) for kind in extra]
    alpha = next((i for i, kind in enumerate(kinds) if kind in (1, 2)), None)
    if alpha is None:
        return colour, None, False
    return colour, pixels[..., colours + alpha], kinds[alpha] == 1


def _check_segments(page, stream):
    """Refuse data that are cut off, or unpack to more than the picture has."""
    segments = list(zip(page.dataoffsets, page.databytecounts, strict=True))
    if max(first + count for first, count in segments) > stream.seek(0, os.SEEK_END):
        raise InputError("is cut off")
    if page.compression not in DEFLATE:
        return
    largest = 2 * math.prod(page.chunks) + 1024
    for first, count in segments:
        stream.seek(first)
        size = len(zlib.decompressobj().decompress(stream.read(count), largest + 1))
        if size > largest:
            raise InputError("unpacks to more than the picture has (a decompression bomb?)")


def upright(pixels, orientation):
    """Turn an array (height, width, …) as the orientation of EXIF says, 1 to 8."""
    if orientation >= 5:
        pixels = pixels.swapaxes(0, 1)
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    return np.ascontiguousarray(pixels)
