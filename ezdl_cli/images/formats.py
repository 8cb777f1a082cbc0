"""Table of the supported image formats: how they are recognised, guarded, read and written."""

from collections.abc import Callable
from dataclasses import dataclass, field

from . import netpbm
from .guards import tiff_header
from .guards.jpeg_scans import check_jpeg
from .tiff16 import read_tiff16


@dataclass(frozen=True)
class Format:
    """One format. Pillow decodes and writes it, except as stated here."""

    name: str
    """name in Pillow"""
    suffixes: tuple[str, ...]
    """endings of file names"""
    signatures: tuple[bytes, ...]
    """what files start with"""
    check: Callable | None = None
    """guard: a function of the stream that refuses files that are too expensive to decode"""
    read: Callable | None = None
    """reader of our own: a function of the stream that returns Pixels, or None to let Pillow try"""
    bits: int = 8
    """bits per value that can be written"""
    alpha: bool = False
    """whether transparency can be written"""
    options: dict = field(default_factory=dict)
    """options of Pillow for writing with as little loss as possible"""


FORMATS = (
    Format(
        "TIFF",
        (".tif", ".tiff"),
        tiff_header.SIGNATURES,
        check=tiff_header.check_tiff,
        read=read_tiff16,
        bits=16,
        alpha=True,
    ),
    Format(
        "JPEG",
        (".jpg", ".jpeg"),
        (b"\xff\xd8",),
        check=check_jpeg,
        options={"quality": 95, "subsampling": 0},
    ),
    Format("PNG", (".png",), (b"\x89PNG",), bits=16, alpha=True),
    Format("WEBP", (".webp",), (b"RIFF",), alpha=True, options={"lossless": True}),
    Format("BMP", (".bmp",), (b"BM",)),
    Format("PPM", (".pgm", ".ppm"), netpbm.SIGNATURES, read=netpbm.read_netpbm),
)

SUFFIXES = tuple(suffix for each in FORMATS for suffix in each.suffixes)
BY_SUFFIX = {suffix: each for each in FORMATS for suffix in each.suffixes}


def recognise(start):
    """The format of a file that begins with these bytes, or None."""
    return next((each for each in FORMATS if start.startswith(each.signatures)), None)
