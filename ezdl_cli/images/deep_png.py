"""PNG files of several samples a pixel with 16 bits each: Pillow cuts them to 8, writes none."""

import struct
import zlib

import numpy as np

from ..core.jit import kernel
from ..errors import InputError
from .grey import check_size

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {2: 3, 4: 2, 6: 4}  # by the colour type: RGB, grey and alpha, RGB and alpha
MAX_PROFILE = 1 << 24  # bytes


def is_deep_png(content):
    """Whether this is a PNG of colours, or of grey and alpha, with 16 bits a sample."""
    header = content[:26]
    deep = header.startswith(SIGNATURE) and header[24:25] == b"\x10"
    return deep and header[25:] in map(bytes, ([kind] for kind in CHANNELS))


def read_deep_png(content):
    """Colours (height, width, 3) or grey values (height, width), alpha or None, profile or None.

    Colours and alpha are of uint16.

    Raises
    ------
    InputError
        If it is damaged or interlaced.
    """
    width, height, _, kind, _, _, interlaced = struct.unpack(">IIBBBBB", content[16:29])
    check_size(width, height)
    if interlaced:
        raise InputError("is interlaced, with 16 bits a colour; save it without interlacing")
    bytes_per_pixel = 2 * CHANNELS[kind]
    size = height * (1 + width * bytes_per_pixel)
    unpacker = zlib.decompressobj()
    chunks = list(_chunks(content))
    packed = b"".join(data for name, data in chunks if name == b"IDAT")
    rows = unpacker.decompress(packed, size + 1)
    if len(rows) != size:
        raise InputError("is cut off, or has more data than pixels")
    rows = np.frombuffer(rows, np.uint8).reshape(height, -1).copy()
    if rows[:, 0].max() > 4:
        raise InputError("is damaged: a row has an unknown filter")
    _unfilter(rows, bytes_per_pixel)
    pixels = rows[:, 1:].copy().view(">u2").astype(np.uint16).reshape(height, width, -1)
    colours = pixels[..., 0] if kind == 4 else pixels[..., :3]
    return colours, None if kind == 2 else pixels[..., -1], _profile(chunks)


def write_deep_png(path, colours, alpha=None, profile=None):
    """Write colours (height, width, 3) of uint16; with alpha also grey values (height, width)."""
    height, width = colours.shape[:2]
    pixels = colours if alpha is None else np.dstack([colours, alpha])
    kind = next(kind for kind, channels in CHANNELS.items() if channels == pixels.shape[2])
    rows = np.zeros((height, 1 + 2 * width * pixels.shape[2]), np.uint8)
    rows[:, 1:] = pixels.astype(">u2").reshape(height, -1).view(np.uint8)
    header = struct.pack(">IIBBBBB", width, height, 16, kind, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b"")]
    if profile is not None:
        chunks.insert(1, (b"iCCP", b"ICC Profile\0\0" + zlib.compress(profile)))
    with open(path, "wb") as stream:
        stream.write(SIGNATURE)
        for name, data in chunks:
            stream.write(struct.pack(">I", len(data)) + name + data)
            stream.write(struct.pack(">I", zlib.crc32(name + data)))


def _chunks(content):
    """Name and data of each chunk."""
    place = len(SIGNATURE)
    while place + 12 <= len(content):
        (length,) = struct.unpack(">I", content[place : place + 4])
        name, data = content[place + 4 : place + 8], content[place + 8 : place + 8 + length]
        check = content[place + 8 + length : place + 12 + length]
        if check != struct.pack(">I", zlib.crc32(name + data)):
            raise InputError("is damaged: a checksum is wrong")
        yield name, data
        place += 12 + length


def _profile(chunks):
    """The ICC profile, if there is one: a name, a zero, the way of packing, packed bytes."""
    packed = next((data.partition(b"\0")[2][1:] for name, data in chunks if name == b"iCCP"), None)
    return None if packed is None else zlib.decompressobj().decompress(packed, MAX_PROFILE)


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
