"""Writing of TIFF files with 8 or 16 bits per sample, and with EXIF data."""

import os
import struct

import tifffile

from .exif import EXIF, GPS, detail_directory, ratio
from .tiff_directories import LONG, TiffReader, encode_directory

ASCII, UTF8 = 2, 129  # types of values; TIFF has no UTF-8
FRACTIONS = {5: "I", 10: "i"}  # types of numerator and denominator
# tifffile writes pointers to directories only under their names; it cannot write directories.
POINTERS = {"ExifTag": EXIF, "GPSTag": GPS}


def write_tiff(path, samples, n_colours, profile, metadata):
    """Write an array (height, width) or (height, width, n_samples) with its metadata."""
    exif = metadata.exif
    below = {} if exif is None else {EXIF: detail_directory(exif, samples.shape), GPS: exif.gps}
    below = {tag: directory for tag, directory in below.items() if directory}
    n_samples = 1 if samples.ndim == 2 else samples.shape[2]
    tifffile.imwrite(
        path,
        samples,
        byteorder="<" if exif is None else exif.order,
        photometric="rgb" if n_colours == 3 else "minisblack",
        extrasamples=None if n_samples == n_colours else ["unassalpha"],
        planarconfig="contig",
        resolution=None if metadata.dpi is None else tuple(map(ratio, metadata.dpi)),
        resolutionunit=None if metadata.dpi is None else "inch",
        iccprofile=profile,
        metadata=None,
        software=False,
        extratags=[
            *([] if exif is None else (_tag(item, exif.order) for item in exif.main.items())),
            *((name, LONG, 1, 0, True) for name, tag in POINTERS.items() if tag in below),
        ],
    )
    for tag, directory in below.items():
        _append_directory(path, tag, directory)


def _tag(item, order):
    """Return a tag as an argument of tifffile."""
    tag, entry = item
    if entry.kind in FRACTIONS:  # tifffile counts them twice if they are bytes
        n_values = len(entry.content) // 8
        integers = struct.unpack(f"{order}{2 * n_values}{FRACTIONS[entry.kind]}", entry.content)
        return tag, entry.kind, n_values, integers, True
    kind = ASCII if entry.kind == UTF8 else entry.kind
    return tag, kind, 0, entry.content, True


def _append_directory(path, tag, directory):
    """Append a directory to a file, and let a tag of its first directory point to it."""
    with open(path, "r+b") as stream:
        reader = TiffReader(stream)
        content, offset = encode_directory(directory, reader.order, stream.seek(0, os.SEEK_END))
        stream.write(content)
        stream.seek(reader.position(reader.first, tag))
        stream.write(struct.pack(reader.order + "I", offset))
