"""PNG files of several samples a pixel with 16 bits each: Pillow cuts them to 8, writes none."""

import struct
import zlib

import numpy as np

from ..core.jit import kernel
from ..errors import InputError
from .limits import check_size

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {2: 3, 4: 2, 6: 4}  # by the colour type: RGB, grey and alpha, RGB and alpha
MAX_PROFILE = 1 << 24  # bytes
HEADER = 29  # bytes to the end of what says how large it is
BYTES_AT_ONCE = 1 << 20


def is_deep_png(header):
    """Whether a file that begins so is a PNG of colours, or grey and alpha, of 16 bits each."""
    deep = header.startswith(SIGNATURE) and header[24:25] == b"\x10"
    return deep and header[25:26] in map(bytes, ([kind] for kind in CHANNELS))


def read_deep_png(stream):
    """Colours (height, width, 3) or grey values (height, width), alpha or None, profile or None.

    Colours and alpha are of uint16.

    Raises
    ------
    InputError
        If it is damaged or interlaced.
    """
    header = stream.read(HEADER)
    width, height, _, kind, _, _, interlaced = struct.unpack(">IIBBBBB", header[16:])
    check_size(width, height)
    if interlaced:
        raise InputError("is interlaced, with 16 bits a colour; save it without interlacing")
    rows, profile = _unpacked(stream, height, 1 + 2 * CHANNELS[kind] * width)
    if rows[:, 0].max() > 4:
        raise InputError("is damaged: a row has an unknown filter")
    _unfilter(rows, 2 * CHANNELS[kind])
    pixels = np.empty((height, width, CHANNELS[kind]), np.uint16)
    for y in range(height):
        pixels[y] = rows[y, 1:].view(">u2").reshape(width, -1)
    colours = pixels[..., 0] if kind == 4 else pixels[..., :3]
    return colours, None if kind == 2 else pixels[..., -1], profile


def _unpacked(stream, height, length):
    """The rows of a PNG, each with its filter, as bytes (height, length), and its profile."""
    size, place, profile = height * length, 0, None
    rows = np.empty(size, np.uint8)
    unpacker = zlib.decompressobj()
    for name, data in _chunks(stream):
        if name == b"iCCP" and profile is None:
            profile = _profile(data)
        while name == b"IDAT" and data and place <= size:
            part = unpacker.decompress(data, BYTES_AT_ONCE)
            data = unpacker.unconsumed_tail
            rows[place : place + len(part)] = np.frombuffer(part, np.uint8)[: size - place]
            place += len(part)
    if place != size:
        raise InputError("is cut off, or has more data than pixels")
    return rows.reshape(height, length), profile


def write_deep_png(path, colours, alpha=None, profile=None):
    """Write colours (height, width, 3) of uint16; with alpha also grey values (height, width)."""
    height, width = colours.shape[:2]
    channels = colours.reshape(height, width, -1).shape[2] + (alpha is not None)
    kind = next(kind for kind, number in CHANNELS.items() if number == channels)
    with open(path, "wb") as stream:
        stream.write(SIGNATURE)
        _write_chunk(stream, b"IHDR", struct.pack(">IIBBBBB", width, height, 16, kind, 0, 0, 0))
        if profile is not None:
            _write_chunk(stream, b"iCCP", b"ICC Profile\0\0" + zlib.compress(profile))
        for packed in filter(None, _packed(colours, alpha)):
            _write_chunk(stream, b"IDAT", packed)
        _write_chunk(stream, b"IEND", b"")


def _packed(colours, alpha):
    """The rows of pixels without filters, packed, some at a time."""
    height, width = colours.shape[:2]
    packer = zlib.compressobj(6)
    at_once = max(1, BYTES_AT_ONCE // (8 * width))
    for first in range(0, height, at_once):
        band = slice(first, first + at_once)
        pixels = colours[band] if alpha is None else np.dstack([colours[band], alpha[band]])
        rows = pixels.astype(">u2").reshape(len(pixels), -1).view(np.uint8)
        yield packer.compress(np.pad(rows, ((0, 0), (1, 0))))
    yield packer.flush()


def _write_chunk(stream, name, data):
    """Length, name, data and checksum."""
    check = zlib.crc32(data, zlib.crc32(name))
    for part in (struct.pack(">I", len(data)), name, data, struct.pack(">I", check)):
        stream.write(part)


def _chunks(stream):
    """Name and data of each chunk but the last, which has none."""
    stream.seek(len(SIGNATURE))
    while len(start := stream.read(8)) == 8:
        length, name = struct.unpack(">I4s", start)
        data = stream.read(length)
        if stream.read(4) != struct.pack(">I", zlib.crc32(data, zlib.crc32(name))):
            raise InputError("is damaged: a checksum is wrong")
        if name == b"IEND":
            return
        yield name, data


def _profile(data):
    """The ICC profile in its chunk: a name, a zero, the way of packing, packed bytes."""
    return zlib.decompressobj().decompress(data.partition(b"\0")[2][1:], MAX_PROFILE)


@kernel
def _unfilter(rows, step):
    """Undo the filters of the rows, whose first bytes name them; `step` is the bytes of a pixel."""
    height, width = rows.shape
    for y in range(height):
        kind = rows[y, 0]
        for k in range(1, width):
            left = int(rows[y, k - step]) if k > step else 0
            above = int(rows[y - 1, k]) if y > 0 else 0
            corner = int(rows[y - 1, k - step]) if y > 0 and k > step else 0
            if kind == 1:
                guess = left
            elif kind == 2:
                guess = above
            elif kind == 3:
                guess = (left + above) // 2
            elif kind == 4:
                guess = _paeth(left, above, corner)
            else:
                guess = 0
            rows[y, k] = (int(rows[y, k]) + guess) & 255


@kernel(inline=True)
def _paeth(left, above, corner):
    """The neighbour that is nearest to left + above - corner."""
    a, b, c = abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)
    if a <= b and a <= c:
        return left
    return above if b <= c else corner
