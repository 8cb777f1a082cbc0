"""Reading of TIFF files with 16 bits per sample, which Pillow reduces to 8 or does not support."""

import logging
import math
import os
import zlib

import numpy as np
import tifffile

from ..errors import InputError
from . import icc_profiles
from .guards.image_size import MAX_BYTES, check_size
from .guards.tiff_header import check_tiles
from .orientation import apply_orientation, valid_orientation
from .pixels import Container, Pixels

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
    orientation = valid_orientation(page.tags.valueof(ORIENTATION))
    samples = apply_orientation(samples, orientation)
    values = samples[..., :3] if n_colours == 3 else samples[..., 0]
    if page.photometric == tifffile.PHOTOMETRIC.MINISWHITE:
        values = 65535 - values
    kinds = [int(kind) for kind in page.extrasamples]
    first = next((i for i, kind in enumerate(kinds) if kind in (PREMULTIPLIED, ALPHA)), None)
    alpha = None if first is None else samples[..., n_colours + first]
    premultiplied = first is not None and kinds[first] == PREMULTIPLIED
    space = icc_profiles.RGB if n_colours == 3 else icc_profiles.GREY
    profile, notes = icc_profiles.fitting_profile(page.tags.valueof(ICC_PROFILE), space)
    container = Container(orientation, notes=notes)
    return Pixels(values, alpha, profile, premultiplied, container=container)


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
