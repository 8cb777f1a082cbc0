"""Limits on the headers of TIFF files, and of EXIF data, which have the same form."""

import io
import struct
from contextlib import suppress

from ...errors import InputError
from ..tiff_directories import BIG_TIFF, BYTE_ORDERS, CLASSIC_TIFF, SIZES

MAX_HEADER = 1 << 28  # bytes that the entries of a header may take in memory
MAX_EXIF_TEXT = 1 << 17  # characters of EXIF data that a PNG has as text
# Tiles may have 16 times the pixels of the image, and any number up to 8 million.
MAX_TILE_RATIO, ALWAYS_ALLOWED = 16, 1 << 23

SUBDIRECTORIES = (34665, 34853, 40965)  # tags: EXIF, GPS, interoperability
SHORT_INTEGERS = {1: "B", 2: "H", 4: "I"}  # by their number of bytes
TILE_WIDTH, TILE_LENGTH = 322, 323  # tags
# Values of these types are read as one block of bytes; each of the others becomes an object of
# Python, which takes about this many times more memory and time.
BYTE_TYPES, OBJECT_SIZE = (1, 2, 7), 1000


def check_tiff(stream):
    """Refuse a header that declares more entries or values than an image needs."""
    order = BYTE_ORDERS[stream.read(2)]

    def read(code):
        return struct.unpack(order + code, stream.read(struct.calcsize(order + code)))

    directories, left = [], MAX_HEADER
    with suppress(struct.error):  # truncated: decoders do not see more of it, either
        position, offset, length, head, _ = BIG_TIFF if read("H") == (43,) else CLASSIC_TIFF
        stream.seek(position)
        directories += read(offset)
    while directories:
        # Truncated, or beyond the largest offset of a file; other directories may be complete.
        with suppress(struct.error, OSError, OverflowError):
            stream.seek(directories.pop())
            for _ in range(*read(length)):
                tag, kind, n_values, value = read(head + offset)
                left -= OBJECT_SIZE + n_values * (1 if kind in BYTE_TYPES else OBJECT_SIZE)
                if left < 0:
                    raise InputError("TIFF header or EXIF data larger than an image needs")
                if tag in SUBDIRECTORIES:
                    directories += _pointers(order, kind, struct.pack(order + offset, value))


def _pointers(order, kind, content):
    """Return the offsets that decoders may see in an entry: of its type, or all of its bytes."""
    codes = {SHORT_INTEGERS.get(SIZES.get(kind)), {4: "I", 8: "Q"}[len(content)]} - {None}
    return {struct.unpack_from(order + code, content)[0] for code in codes}


def check_tiles(width, height, tags):
    """Refuse tiles with far more pixels than the image; `tags` are those of Pillow or tifffile."""
    if TILE_WIDTH not in tags or TILE_LENGTH not in tags:
        return
    tile_width, tile_length = (
        getattr(tags[t], "value", tags[t]) for t in (TILE_WIDTH, TILE_LENGTH)
    )
    n_tiles = -(-width // tile_width) * -(-height // tile_length)
    if n_tiles * tile_width * tile_length > max(MAX_TILE_RATIO * width * height, ALWAYS_ALLOWED):
        raise InputError("tiles far larger than the image (a decompression bomb?)")


def check_exif(info):
    """Refuse EXIF data that are too large; `info` is the metadata that Pillow has read."""
    exif = info.get("exif", b"").removeprefix(b"Exif\0\0")
    if exif.startswith(tuple(BYTE_ORDERS)):
        check_tiff(io.BytesIO(exif))
    if len(info.get("Raw profile type exif", "")) > MAX_EXIF_TEXT:
        raise InputError("EXIF data larger than an image needs")
