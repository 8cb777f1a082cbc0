"""Reading of Netpbm files (PBM, PGM, PPM), binary and plain.

Pillow reduces 16-bit colours to 8 bits, and takes quadratic time for comments in plain files.
"""

import math
import re

import numpy as np

from ..errors import InputError
from .guards.image_size import check_size
from .pixels import Pixels

# Kind, width, height and, unless there is one bit per pixel, the largest value.
NUMBER = rb"(?:\s|#[^\r\n]*[\r\n])+(\d{1,9})"
HEADER = re.compile(rb"P(?:([14])%b%b|([2356])%b%b%b)\s" % (5 * (NUMBER,)))
MAX_HEADER = 1 << 16  # bytes, comments included
MAX_TEXT = 1 << 28  # bytes of a plain file, whose values take up to four times as much memory
COMMENT = re.compile(rb"#[^\r\n]*")


def read_netpbm(stream):
    """Pixels of a Netpbm file, scaled to 8 or 16 bits."""
    header = HEADER.match(stream.read(MAX_HEADER))
    if header is None:
        raise InputError("not a Netpbm image, or its header is damaged")
    kind, width, height, *largest = (int(number) for number in header.groups() if number)
    largest = largest[0] if largest else 1
    check_size(width, height)
    if not 1 <= largest <= 65535:
        raise InputError(f"largest value {largest} in the header of a Netpbm image")
    stream.seek(header.end())
    shape = (height, width, 3) if kind in (3, 6) else (height, width)
    dtype = np.dtype(np.uint8 if largest < 256 else np.uint16)
    values = _read_plain(stream, kind) if kind < 4 else _read_binary(stream, kind, shape, dtype)
    n_values = math.prod(shape)
    if values.size < n_values:
        raise InputError("truncated")
    values = values[:n_values].reshape(shape)
    if kind < 4 and not 0 <= values.min(initial=0) <= values.max(initial=0) <= largest:
        raise InputError(f"values outside the range that the header declares, 0 to {largest}")
    values = _rescale(values.astype(dtype, copy=False), largest)
    return Pixels(255 - values if kind in (1, 4) else values)  # a bit that is set is black


def _read_plain(stream, kind):
    text = stream.read(MAX_TEXT + 1)
    if len(text) > MAX_TEXT:
        raise InputError(f"plain Netpbm image of more than {MAX_TEXT} bytes, which is the limit")
    text = COMMENT.sub(b"", text)
    if kind == 1:  # digits need no space between them
        return np.frombuffer(text.translate(None, b" \t\n\v\f\r"), np.uint8) - ord("0")
    return np.fromstring(text.strip(), np.int64, sep=" ")


def _read_binary(stream, kind, shape, dtype):
    height, width = shape[:2]
    n_bytes = height * -(-width // 8) if kind == 4 else math.prod(shape) * dtype.itemsize
    content = np.empty(n_bytes, np.uint8)
    content = content[: stream.readinto(content.data)]
    if kind == 4:  # rows start at full bytes
        rows = content[: content.size // height * height].reshape(height, -1)
        return np.unpackbits(rows, axis=1)[:, :width].reshape(-1)
    return content[: content.size // dtype.itemsize * dtype.itemsize].view(dtype.newbyteorder(">"))


def _rescale(values, largest):
    """Scale values so that the largest one becomes white, 255 or 65535."""
    white = np.iinfo(values.dtype).max
    if largest == white:
        return values
    table = np.rint(np.arange(white + 1) / largest * white)
    return np.minimum(table, white).astype(values.dtype)[values]
