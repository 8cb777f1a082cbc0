"""EXIF data that describe a picture: what is kept of them, and how they are written again.

The thumbnail is not kept, since it shows the picture as it was, nor is anything about the layout of
the file.
"""

import io
import struct
from dataclasses import dataclass, field, replace
from fractions import Fraction

from .tiff_directories import (
    LONG,
    MAX_SIZE,
    RATIONAL,
    SHORT,
    Entry,
    TiffReader,
    TooLargeError,
    encode_directory,
    integer,
)

ORIENTATION, X_RESOLUTION, Y_RESOLUTION, RESOLUTION_UNIT = 274, 282, 283, 296
RESOLUTION = (X_RESOLUTION, Y_RESOLUTION, RESOLUTION_UNIT)
INCH, CENTIMETRE = 2, 3
EXIF, GPS, INTEROPERABILITY = 34665, 34853, 40965  # directories within another one
WIDTH, HEIGHT, MAKER_NOTE = 40962, 40963, 37500
PLACES = (37396, 41492)  # subject area and location, in pixels of the file
# Tags of the first directory: description, make, model, software, date, artist, computer, white
# point, chromaticities, rating, copyright, and texts of Windows.
DESCRIPTIVE = frozenset((270, 271, 272, 305, 306, 315, 316, 318, 319, 18246, 18249, 33432))
DESCRIPTIVE |= frozenset(range(40091, 40096))
HEADER = b"Exif\0\0"  # of EXIF data in JPEG files
NOT_PORTABLE = (13, 16, 17, 18)  # types of values
MIN_DPI, MAX_DPI = 0.6, 65535.0  # JPEG files have integers, to which these are rounded


@dataclass(frozen=True)
class Exif:
    """Directories of EXIF data, without resolution and orientation."""

    order: str = "<"
    main: dict = field(default_factory=dict)
    details: dict = field(default_factory=dict)
    gps: dict = field(default_factory=dict)
    interoperability: dict = field(default_factory=dict)


def read_exif(source):
    """Read EXIF data, or those of a TIFF file.

    Parameters
    ----------
    source : bytes or stream

    Returns
    -------
    exif : Exif or None
        None if there is nothing to keep.
    dpi : (float, float) or None
    n_damaged : int
        Number of entries that could not be read, and are left out.

    Raises
    ------
    ValueError
        If they are too large or too damaged.
    """
    stream = io.BytesIO(source.removeprefix(HEADER)) if isinstance(source, bytes) else source
    reader = TiffReader(stream)
    parts, n_damaged = _read_parts(reader)
    dpi = _dpi(reader.order, *(parts["main"].pop(tag, None) for tag in RESOLUTION))
    if stream is source:  # its offsets are those of another file
        parts["details"] = {tag: replace(e, offset=0) for tag, e in parts["details"].items()}
    parts = {name: _portable(part) for name, part in parts.items()}
    return Exif(reader.order, **parts) if any(parts.values()) else None, dpi, n_damaged


def _read_parts(reader):
    """Read the directories, by their names in Exif; count damaged entries and directories."""
    parts = {name: {} for name in ("details", "gps", "interoperability")}
    wanted = {*DESCRIPTIVE, *RESOLUTION, EXIF, GPS}
    parts["main"], _, n_damaged = reader.directory(reader.first, wanted)
    for name, parent, pointer in (
        ("details", "main", EXIF),
        ("gps", "main", GPS),
        ("interoperability", "details", INTEROPERABILITY),
    ):
        entry = parts[parent].pop(pointer, None)
        if entry is None:
            continue
        offset = reader.pointer(entry)
        try:
            parts[name], _, n_more = ({}, 0, 1) if offset is None else reader.directory(offset)
            n_damaged += n_more
        except TooLargeError:
            raise
        except ValueError:
            n_damaged += 1
    return parts, n_damaged


def _portable(directory):
    """Return the entries that can be copied: neither offsets nor the integers of BigTIFF."""
    return {tag: entry for tag, entry in directory.items() if entry.kind not in NOT_PORTABLE}


def _dpi(order, x, y, unit):
    """Return the resolution in dots per inch, or None."""
    unit = INCH if unit is None else integer(order, unit)
    if x is None or y is None or unit not in (INCH, CENTIMETRE):
        return None
    if (x.kind, y.kind, len(x.content), len(y.content)) != (RATIONAL, RATIONAL, 8, 8):
        return None
    ratios = [struct.unpack(order + "II", entry.content) for entry in (x, y)]
    scale = 2.54 if unit == CENTIMETRE else 1.0
    return checked_dpi([scale * a / b if b else 0.0 for a, b in ratios])


def checked_dpi(values):
    """Return the resolution along both axes as floats; None unless it is sensible."""
    try:
        x, y = (float(value) for value in values)
    except (TypeError, ValueError, ZeroDivisionError):
        return None
    return (x, y) if all(MIN_DPI <= value <= MAX_DPI for value in (x, y)) else None


def turned_upright(exif, orientation):
    """Return the EXIF data of an image after it was turned: places of the subject are lost."""
    if orientation == 1:
        return exif
    details = {tag: entry for tag, entry in exif.details.items() if tag not in PLACES}
    return replace(exif, details=details)


def with_movable_notes(exif):
    """Return the EXIF data without the place of the notes of cameras, which may take much space."""
    details = dict(exif.details)
    if MAKER_NOTE in details:
        details[MAKER_NOTE] = replace(details[MAKER_NOTE], offset=0)
    return replace(exif, details=details)


def ratio(dpi):
    """Return a resolution as numerator and denominator."""
    return Fraction(dpi).limit_denominator(10_000).as_integer_ratio()


def detail_directory(exif, shape):
    """Return the directory of details of an image (height, width), with one below it."""
    details = dict(exif.details)
    for tag, length in ((WIDTH, shape[1]), (HEIGHT, shape[0])):
        if tag in details:
            details[tag] = Entry(LONG, struct.pack(exif.order + "I", length))
    if exif.interoperability:
        details[INTEROPERABILITY] = exif.interoperability
    return details


def encode_exif(exif, dpi, shape):
    """Encode the EXIF data of an upright image (height, width)."""
    main = exif.main | {ORIENTATION: Entry(SHORT, struct.pack(exif.order + "H", 1))}
    if dpi is not None:
        for tag, value in zip((X_RESOLUTION, Y_RESOLUTION), dpi, strict=True):
            main[tag] = Entry(RATIONAL, struct.pack(exif.order + "II", *ratio(value)))
        main[RESOLUTION_UNIT] = Entry(SHORT, struct.pack(exif.order + "H", INCH))
    below = {EXIF: detail_directory(exif, shape), GPS: exif.gps}
    main |= {tag: directory for tag, directory in below.items() if directory}
    # Notes of cameras may contain offsets, which remain valid if the notes do not move.
    note = exif.details.get(MAKER_NOTE)
    fixed = note if note is not None and 8 <= note.offset <= MAX_SIZE else None
    content, offset = encode_directory(main, exif.order, 8, fixed)
    header = {"<": b"II*\0", ">": b"MM\0*"}[exif.order]
    return header + struct.pack(exif.order + "I", offset) + content
