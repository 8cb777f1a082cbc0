"""Table of the supported image formats: how they are recognised, guarded, read and written."""

from collections.abc import Callable
from dataclasses import dataclass, field

from .guards.image_size import MAX_SIDE
from .guards.jpeg_scans import check_jpeg
from .guards.tiff_header import check_tiff
from .netpbm import read_netpbm
from .tiff16 import read_tiff16


@dataclass(frozen=True)
class Format:
    """One format. Pillow decodes and writes it, except as stated here."""

    # Name in Pillow.
    name: str
    # Endings of file names.
    suffixes: tuple[str, ...]
    # First bytes of files.
    signatures: tuple[bytes, ...]
    # Guard: a function of the stream that refuses files that are too expensive to decode.
    check: Callable | None = None
    # Own reader: a function of the stream that returns Pixels, or None to let Pillow try.
    read: Callable | None = None
    # Largest number of bits per value, and whether transparency can be written.
    bits: int = 8
    alpha: bool = False
    # Largest height and width that can be written.
    max_side: int = MAX_SIDE
    # Metadata that can be written.
    metadata: tuple[str, ...] = ()
    # Options of Pillow for writing with as little loss as possible.
    options: dict = field(default_factory=dict)


TIFF = (b"II", b"MM")
JPEG = (b"\xff\xd8",)
NETPBM = (b"P1", b"P2", b"P3", b"P4", b"P5", b"P6")
EXIF, PROFILE, DPI = "EXIF", "profile", "resolution"
ALL = (EXIF, PROFILE, DPI)
LOSSLESS = {"lossless": True}
HIGH_QUALITY = {"quality": 95, "subsampling": 0}

FORMATS = (
    Format("TIFF", (".tif", ".tiff"), TIFF, check_tiff, read_tiff16, 16, alpha=True, metadata=ALL),
    Format(
        "JPEG",
        (".jpg", ".jpeg"),
        JPEG,
        check_jpeg,
        max_side=65_500,  # of libjpeg
        metadata=ALL,
        options=HIGH_QUALITY,
    ),
    Format("PNG", (".png",), (b"\x89PNG",), bits=16, alpha=True, metadata=ALL),
    Format(
        "WEBP",
        (".webp",),
        (b"RIFF",),
        alpha=True,
        max_side=16_383,  # of the format
        metadata=ALL[:2],
        options=LOSSLESS,
    ),
    Format("BMP", (".bmp",), (b"BM",), metadata=(DPI,)),
    Format("PPM", (".pgm", ".ppm"), NETPBM, read=read_netpbm),
)

SUFFIXES = tuple(suffix for each in FORMATS for suffix in each.suffixes)
BY_SUFFIX = {suffix: each for each in FORMATS for suffix in each.suffixes}


def recognise(start):
    """The format of a file that begins with these bytes, or None."""
    return next((each for each in FORMATS if start.startswith(each.signatures)), None)
