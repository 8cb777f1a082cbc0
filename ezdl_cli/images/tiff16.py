"""Reading of TIFF files with 16 bits per sample, which Pillow reduces to 8 or does not support."""

import logging
import math
import os
import zlib

import numpy as np
import tifffile

from ..errors import InputError
from .guards.image_size import MAX_BYTES, check_size
from .guards.tiff_header import check_tiles
from .pixels import Pixels

# Number of samples per pixel that hold grey values or colours.
N_COLOURS = {
    tifffile.PHOTOMETRIC.RGB: 3,
    tifffile.PHOTOMETRIC.MINISBLACK: 1,
    tifffile.PHOTOMETRIC.MINISWHITE: 1,
}
DEFLATE = (tifffile.COMPRESSION.ADOBE_DEFLATE, tifffile.COMPRESSION.DEFLATE)
COMPRESSIONS = (tifffile.COMPRESSION.NONE, tifffile.COMPRESSION.PACKBITS, *DEFLATE)
PREMULTIPLIED, ALPHA = 1, 2  # kinds of extra samples
ORIENTATION, ICC_PROFILE = 274, 34675  # tags
BIG_ENDIAN_BIGTIFF = b"MM\0+"

logging.getLogger("tifffile").addHandler(logging.NullHandler())


def read_tiff16(stream):
    """Pixels of the first page; None unless it has 16 bits per sample that tifffile can decode."""
    start = stream.read(4)
    stream.seek(0)
    try:
        with tifffile.TiffFile(stream) as file:
            pixels = _read_page(file.pages[0], stream)
    except InputError:
        raise
    except Exception:  # damaged, or not supported by tifffile: Pillow reports the reason
        pixels = None
    if pixels is None and start == BIG_ENDIAN_BIGTIFF:  # Pillow takes it for a classic TIFF
        raise InputError("big-endian BigTIFF without 16 bits; save it in another format")
    return pixels


def _read_page(page, stream):
    n_colours = N_COLOURS.get(page.photometric)
    if page.bitspersample != 16 or page.compression not in COMPRESSIONS or n_colours is None:
        return None
    if page.dtype != np.dtype(np.uint16) or page.imagedepth != 1:
        return None
    check_size(page.imagewidth, page.imagelength)
    if page.nbytes > MAX_BYTES:
        raise InputError(f"{page.nbytes} bytes of pixels, above the limit of {MAX_BYTES}")
    check_tiles(page.imagewidth, page.imagelength, page.tags)
    _check_segments(page, stream)
    samples = page.asarray()
    if page.samplesperpixel == 1:
        samples = samples[..., np.newaxis]
    elif page.planarconfig == tifffile.PLANARCONFIG.SEPARATE:
        samples = np.moveaxis(samples, 0, -1)
    shape = page.imagelength, page.imagewidth, page.samplesperpixel
    if samples.size == 0 or samples.shape != shape or shape[2] < n_colours:  # tags that contradict
        return None
    samples = apply_orientation(samples, int(page.tags.valueof(ORIENTATION, default=1)))
    values = samples[..., :3] if n_colours == 3 else samples[..., 0]
    if page.photometric == tifffile.PHOTOMETRIC.MINISWHITE:
        values = 65535 - values
    kinds = [int(kind) for kind in page.extrasamples]
    first = next((i for i, kind in enumerate(kinds) if kind in (PREMULTIPLIED, ALPHA)), None)
    alpha = None if first is None else samples[..., n_colours + first]
    premultiplied = first is not None and kinds[first] == PREMULTIPLIED
    return Pixels(values, alpha, page.tags.valueof(ICC_PROFILE), premultiplied)


def _check_segments(page, stream):
    """Refuse strips or tiles that are truncated or decompress to more than the image has."""
    segments = list(zip(page.dataoffsets, page.databytecounts, strict=True))
    if max(start + length for start, length in segments) > stream.seek(0, os.SEEK_END):
        raise InputError("truncated")
    if page.compression not in DEFLATE:
        return
    largest = 2 * math.prod(page.chunks) + 1024
    for start, length in segments:
        stream.seek(start)
        size = len(zlib.decompressobj().decompress(stream.read(length), largest + 1))
        if size > largest:
            raise InputError("decompresses to more than the image has (a decompression bomb?)")


def apply_orientation(pixels, orientation):
    """Turn an array (height, width, …) upright; `orientation` is that of EXIF, 1 to 8."""
    if orientation >= 5:
        pixels = pixels.swapaxes(0, 1)
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    return np.ascontiguousarray(pixels)
