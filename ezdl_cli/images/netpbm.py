"""Reading of Netpbm files (PBM, PGM, PPM), binary and plain.

Pillow reduces 16-bit colours to 8 bits, and takes quadratic time for comments in plain files.
"""

import math
import re

import numpy as np

from ..errors import InputError
from .guards.image_size import check_size
from .pixels import Pixels

SIGNATURES = (b"P1", b"P2", b"P3", b"P4", b"P5", b"P6")
# Kind, width, height and, unless there is one bit per pixel, the largest value.
NUMBER = rb"(?:\s|#[^\r\n]*[\r\n])+(\d{1,9})"
HEADER = re.compile(rb"P(?:([14])%b%b|([2356])%b%b%b)\s" % (5 * (NUMBER,)))
MAX_HEADER = 1 << 16  # bytes, comments included
MAX_TEXT = 1 << 28  # bytes of a plain file, whose values take up to four times as much memory
COMMENT = re.compile(rb"#[^\r\n]*")
WHITESPACE = b" \t\n\v\f\r"


def read_netpbm(stream):
    """Pixels of a Netpbm file, scaled to 8 or 16 bits."""
    header = HEADER.match(stream.read(MAX_HEADER))
    if header is None:
        raise InputError("not a Netpbm image, or its header is damaged")
    kind, width, height, *largest = (int(number) for number in header.groups() if number)
    check_size(width, height)
    stream.seek(header.end())
    if kind in (1, 4):
        bits = _read_digits(stream) if kind == 1 else _read_bits(stream, width, height)
        return Pixels(255 * (1 - _shaped(bits, (height, width), 1)).astype(np.uint8))
    if not 1 <= largest[0] <= 65535:
        raise InputError(f"largest value {largest[0]} in the header of a Netpbm image")
    shape = (height, width, 3) if kind in (3, 6) else (height, width)
    return Pixels(_read_values(stream, shape, largest[0], is_plain=kind < 4))


def _read_values(stream, shape, largest, is_plain):
    dtype = np.dtype(np.uint8 if largest < 256 else np.uint16)
    white = np.iinfo(dtype).max
    if is_plain:
        values = np.fromstring(_read_text(stream), np.int64, sep=" ")
        values = _shaped(values, shape, largest).astype(dtype)
    else:
        values = np.empty(math.prod(shape), dtype.newbyteorder(">"))
        n_bytes = stream.readinto(values.data.cast("B"))
        values = _shaped(values[: n_bytes // dtype.itemsize], shape, white).astype(
            dtype, copy=False
        )
    if largest == white:
        return values
    scaled = np.rint(np.arange(white + 1) / largest * white)
    return np.minimum(scaled, white).astype(dtype)[values]


def _read_bits(stream, width, height):
    row = -(-width // 8)
    content = np.frombuffer(stream.read(row * height), np.uint8)
    content = _shaped(content, (height, row), 255)
    return np.unpackbits(content, axis=1, count=width)


def _read_digits(stream):
    return np.frombuffer(_read_text(stream).translate(None, WHITESPACE), np.uint8) - ord("0")


def _read_text(stream):
    text = stream.read(MAX_TEXT + 1)
    if len(text) > MAX_TEXT:
        raise InputError(f"plain Netpbm image of more than {MAX_TEXT} bytes, which is the limit")
    return COMMENT.sub(b"", text).strip()


def _shaped(values, shape, largest):
    """The first values as an array; refuse too few, or any outside of 0 … largest."""
    count = math.prod(shape)
    values = values.reshape(-1)[:count]
    if values.size < count:
        raise InputError("truncated")
    if values.size and not (values.min() >= 0 and values.max() <= largest):
        raise InputError(f"values above the largest one that the header declares, {largest}")
    return values.reshape(shape)
