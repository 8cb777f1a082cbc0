"""Writing of PNG files with 16 bits per sample and several samples per pixel: Pillow cannot."""

import struct
import zlib

import numpy as np

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOUR_TYPES = {2: 4, 3: 2, 4: 6}  # by samples per pixel: grey and alpha, RGB, RGB and alpha
CHUNK_BYTES = 1 << 20
METRES_PER_INCH = 0.0254
METRE = 1  # a unit of resolutions


def write_png16(path, samples, profile=None, dpi=None, exif=None):
    """Write an array (height, width, 2 … 4) of uint16.

    Parameters
    ----------
    path : path
    samples : array
    profile : bytes, optional
        ICC profile.
    dpi : (float, float), optional
        Horizontal and vertical resolution in dots per inch.
    exif : bytes, optional
        Encoded EXIF data.
    """
    height, width, n_samples = samples.shape
    header = (width, height, 16, COLOUR_TYPES[n_samples], 0, 0, 0)
    with open(path, "wb") as stream:
        stream.write(SIGNATURE)
        _write_chunk(stream, b"IHDR", struct.pack(">IIBBBBB", *header))
        if profile is not None:
            _write_chunk(stream, b"iCCP", b"ICC Profile\0\0" + zlib.compress(profile))
        if dpi is not None:
            per_metre = (round(value / METRES_PER_INCH) for value in dpi)
            _write_chunk(stream, b"pHYs", struct.pack(">IIB", *per_metre, METRE))
        if exif is not None:
            _write_chunk(stream, b"eXIf", exif)
        for data in filter(None, _compress(samples)):
            _write_chunk(stream, b"IDAT", data)
        _write_chunk(stream, b"IEND", b"")


def _compress(samples):
    """Compress the rows without filters, some at a time."""
    compressor = zlib.compressobj(6)
    n_rows = max(1, CHUNK_BYTES // samples[0].nbytes)
    for first in range(0, len(samples), n_rows):
        rows = samples[first : first + n_rows].astype(">u2")
        rows = rows.reshape(len(rows), -1).view(np.uint8)
        yield compressor.compress(np.pad(rows, ((0, 0), (1, 0))))  # filter 0: none
    yield compressor.flush()


def _write_chunk(stream, name, data):
    """Write length, name, data and checksum."""
    checksum = zlib.crc32(data, zlib.crc32(name))
    for part in (struct.pack(">I", len(data)), name, data, struct.pack(">I", checksum)):
        stream.write(part)
