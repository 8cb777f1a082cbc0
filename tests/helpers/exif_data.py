"""EXIF data as cameras write them, encoded by Pillow and by hand."""

import io
import struct

from PIL import Image, TiffImagePlugin

MAKE, ORIENTATION, X_RESOLUTION, Y_RESOLUTION, UNIT = 271, 274, 282, 283, 296
EXIF, GPS, INTEROPERABILITY = 34665, 34853, 40965
EXPOSURE, MAKER_NOTE, COMMENT, WIDTH, HEIGHT = 33434, 37500, 37510, 40962, 40963
SUBJECT = 37396
NOTE = b"maker\0" + bytes(range(200))
RATIO = TiffImagePlugin.IFDRational
THUMBNAIL = b"\xff\xd8thumbnail of the noisy picture\xff\xd9"


def camera_exif(orientation=6, interoperability=True, shape=(24, 36), dpi=(300, 150)):
    """EXIF data of a picture of this shape in the file, with a header and a thumbnail."""
    exif = Image.Exif()
    exif[MAKE] = "Camera"
    exif[ORIENTATION] = orientation
    exif[X_RESOLUTION], exif[Y_RESOLUTION] = (RATIO(value, 1) for value in dpi)
    exif[UNIT] = 2
    details = exif.get_ifd(EXIF)
    details |= {EXPOSURE: RATIO(1, 60), MAKER_NOTE: NOTE, COMMENT: b"ASCII\0\0\0a comment"}
    details |= {WIDTH: shape[1], HEIGHT: shape[0], SUBJECT: (3, 4)}
    if interoperability:
        details[INTEROPERABILITY] = {1: "R98"}
    exif[EXIF] = details
    exif[GPS] = {1: "N", 2: (RATIO(48), RATIO(8), RATIO(15, 2))}
    return _with_thumbnail(exif.tobytes())


def _with_thumbnail(content):
    """Append a second directory and a thumbnail."""
    exif = bytearray(content.removeprefix(b"Exif\0\0"))
    order = "<" if exif[:2] == b"II" else ">"
    (first,) = struct.unpack(order + "I", exif[4:8])
    (number,) = struct.unpack(order + "H", exif[first : first + 2])
    position = first + 2 + 12 * number
    exif += bytes(len(exif) % 2)
    second = len(exif)
    exif[position : position + 4] = struct.pack(order + "I", second)
    exif += struct.pack(order + "H", 2)
    exif += struct.pack(order + "HHII", 513, 4, 1, second + 2 + 24 + 4)
    exif += struct.pack(order + "HHII", 514, 4, 1, len(THUMBNAIL)) + bytes(4)
    return b"Exif\0\0" + bytes(exif) + THUMBNAIL


def read_with_pillow(source):
    """Return EXIF data as dicts by the name of the directory, and the resolution."""
    with Image.open(io.BytesIO(source) if isinstance(source, bytes) else source) as image:
        image.load()
        exif = image.getexif()
        parts = {"main": dict(exif), "gps": dict(exif.get_ifd(GPS))}
        details = dict(exif.get_ifd(EXIF))
        if INTEROPERABILITY in details and image.format != "TIFF":
            parts["interoperability"] = dict(exif.get_ifd(INTEROPERABILITY))
        return parts | {"details": details, "dpi": image.info.get("dpi")}
