"""What a picture may have at most: files that are small and take for ever are refused unread.

Decoders are linear in the pixels, but for things of which a file can have any number: scans of a
progressive JPEG, comments in a PPM, strips of a TIFF.
"""

import io
import re
import struct
from contextlib import suppress

from ..errors import InputError

MAX_BYTES = 1 << 30
MAX_PIXELS = 1 << 27
MAX_SIDE = 1 << 18
MAX_SCANS = 100  # encoders make about ten
MAX_COMMENTS = 1000
MAX_SEGMENTS = 10_000  # of a JPEG
MAX_HEADER = 1 << 28  # bytes, of a TIFF
MAX_MARGIN, ALWAYS_ALLOWED = 16, 1 << 23  # pixels of tiles for each of the picture, and in all
LONGEST_TEXT = 1 << 17  # of EXIF data as text
AT_ONCE = 1 << 20

# A PPM begins with its kind, width, height and, unless it has one bit a pixel, the largest value.
NUMBER = rb"(?:(?:\s|#[^\r\n]*[\r\n])+\d+)"
PPM_HEADER = re.compile(rb"P(?:[14]%b{2}|[2356]%b{3})(?:\s|#)" % (NUMBER, NUMBER))
LONGEST_HEADER = 1 << 16
PLAIN = (b"P1", b"P2", b"P3")

SCAN, END = 0xDA, 0xD9
# What begins a segment of a JPEG; within a scan, other markers can stand, which have no length.
MARKER = re.compile(rb"\xff([^\x00-\xbf\xd0-\xd8\xff])")

TIFF = (b"II", b"MM")
# Where a TIFF says where its first folder is, and how; the folder's length; an entry of it.
CLASSIC_TIFF, BIG_TIFF = (4, "I", "H", "HHII"), (8, "Q", "Q", "HHQQ")
FOLDERS = (34665, 34853, 40965)  # tags of further ones: EXIF, GPS, interoperability
# Types of values that stay together as they are; others become objects of Python, which take so
# many times more memory and time.
BYTES, OBJECT = (1, 2, 7), 1000


def check_size(width, height):
    """Refuse a picture with more pixels than the limit, before it is decoded."""
    if width * height > MAX_PIXELS:
        raise InputError(
            f"has {width} × {height} pixels, more than {MAX_PIXELS}, which is the limit"
        )
    if max(width, height) > MAX_SIDE:
        raise InputError(f"has {width} × {height} pixels; a side has at most {MAX_SIDE}")


def beginning(stream, length):
    """The first bytes of a file, which is then at its beginning again."""
    start = stream.read(length)
    stream.seek(0)
    return start


def check_file(stream):
    """Refuse a file that was made to take for ever; the stream is then at its beginning again."""
    start = beginning(stream, 2)
    if start.startswith(b"\xff\xd8"):
        _check_jpeg(stream)
    elif start.startswith(b"P"):
        _check_ppm(stream)
    elif start.startswith(TIFF):
        _check_tiff(stream)
    stream.seek(0)


def _check_jpeg(stream):
    """Refuse too many scans, each of which goes over all pixels, and too many other segments."""
    n_scans = 0
    for n_segments, kind in enumerate(_markers(stream)):
        n_scans += kind == SCAN
        if n_scans > MAX_SCANS or n_segments > MAX_SEGMENTS:
            raise InputError(f"has more than {MAX_SCANS} scans, or {MAX_SEGMENTS} segments")


def _markers(stream):
    """The kinds of the segments of a JPEG, where libjpeg finds them."""
    place, first, window = 2, 0, b""  # the window begins at the byte `first`
    while True:
        found = MARKER.search(window, max(0, place - first))
        if found and found.end() + 2 <= len(window):
            kind = found[1][0]
            if kind == END:
                return
            yield kind
            length = int.from_bytes(window[found.end() : found.end() + 2], "big")
            place = first + found.end() + max(2, length)
            continue
        # Half of a marker may be at the end of the window.
        place = first = max(place, first + (found.start() if found else len(window) - 1))
        stream.seek(first)
        window = stream.read(AT_ONCE)
        if len(window) < 4:
            return


def _check_ppm(stream):
    """Refuse a long header, and comments among numbers: Pillow copies the rest for each."""
    header = PPM_HEADER.match(stream.read(LONGEST_HEADER))
    if header is None:
        raise InputError("is no picture of a known kind, or damaged at its beginning")
    if header[0][:2] in PLAIN:
        stream.seek(header.end())
        n_comments = sum(part.count(b"#") for part in iter(lambda: stream.read(AT_ONCE), b""))
        if n_comments > MAX_COMMENTS:
            raise InputError(f"has more than {MAX_COMMENTS} comments, which is the limit")


def _check_tiff(stream):
    """Refuse a header that says more of layers, strips or tiles than a picture can have."""
    order = {b"II": "<", b"MM": ">"}[stream.read(2)]

    def read(code):
        content = stream.read(struct.calcsize(order + code))
        return struct.unpack(order + code, content)

    folders, left = [], MAX_HEADER
    with suppress(struct.error):  # it is cut off, and decoders see no more of it, either
        place, offset, length, entry = BIG_TIFF if read("H") == (43,) else CLASSIC_TIFF
        stream.seek(place)
        folders += read(offset)
    while folders:
        stream.seek(folders.pop())
        with suppress(struct.error):  # the same of this folder; others may be whole
            for _ in range(*read(length)):
                tag, kind, n_values, value = read(entry)
                left -= OBJECT + n_values * (1 if kind in BYTES else OBJECT)
                if left < 0:
                    raise InputError("has a header that is larger than that of any picture")
                if tag in FOLDERS:
                    folders.append(value)


def check_tiles(width, height, tile_width, tile_height):
    """Refuse a TIFF whose tiles have far more pixels than the picture itself."""
    n_tiles = -(-width // tile_width) * -(-height // tile_height)
    if n_tiles * tile_width * tile_height > max(MAX_MARGIN * width * height, ALWAYS_ALLOWED):
        raise InputError("has tiles far larger than the picture (a decompression bomb?)")


def check_exif(info):
    """The same of what Pillow knows of a decoded picture: EXIF data have the form of a TIFF."""
    exif = info.get("exif", b"").removeprefix(b"Exif\0\0")
    if exif.startswith(TIFF):
        _check_tiff(io.BytesIO(exif))
    if len(info.get("Raw profile type exif", "")) > LONGEST_TEXT:
        raise InputError("has EXIF data that are larger than those of any picture")
