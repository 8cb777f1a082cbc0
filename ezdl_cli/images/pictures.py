"""Pictures with all that is in them, to read and to write: grey or colour, 8 or 16 bits."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tifffile
from PIL import Image

from ..errors import InputError
from .deep_png import HEADER, is_deep_png, read_deep_png, write_deep_png
from .deep_tiff import read_deep_colours
from .grey import by_bands, decoding, deep_grey, open_file, open_image, turn
from .limits import TIFF, beginning

# Kinds of files that can be written, by the ending: bits, and whether they have transparency.
KINDS = {
    ".png": ("PNG", 16, True),
    ".tif": ("TIFF", 16, True),
    ".tiff": ("TIFF", 16, True),
    ".webp": ("WEBP", 8, True),
    ".jpg": ("JPEG", 8, False),
    ".jpeg": ("JPEG", 8, False),
    ".bmp": ("BMP", 8, False),
    ".pgm": ("PPM", 8, False),
    ".ppm": ("PPM", 8, False),
}
LOSSLESS = {"WEBP": {"lossless": True}, "JPEG": {"quality": 95, "subsampling": 0}}


@dataclass(frozen=True)
class Pixels:
    """What is in a picture."""

    values: np.ndarray
    """(height, width) or (height, width, 3), of uint8 or uint16"""
    alpha: np.ndarray | None = None
    """(height, width) of the same type, if there is transparency"""
    profile: bytes | None = None
    """what the colours mean (ICC)"""


def read_pixels(path):
    """All that is in a picture, turned as its EXIF data say.

    Raises
    ------
    InputError
        If it cannot be read; the message is the reason alone.
    """
    with open_file(path) as stream, decoding():
        start = beginning(stream, HEADER)
        if start[:2] in TIFF:
            values, alpha, premultiplied, profile = read_deep_colours(stream)
            if premultiplied:
                raise InputError("has premultiplied transparency; save it without")
            if values is not None:
                return Pixels(values, alpha, profile)
            stream.seek(0)
        if is_deep_png(start):
            return Pixels(*read_deep_png(stream))
        with open_image(stream) as image:
            _check_depth(image)
            white_is_zero = image.format == "TIFF" and image.tag_v2.get(262) == 0
            profile = image.info.get("icc_profile")
            turn(image)
            return _of_image(image, image.format, white_is_zero, profile)


def _check_depth(image):
    """Refuse colours that Pillow would cut to 8 bits: the noise level is in units of all bits."""
    depth = 8
    if image.format == "TIFF":
        depth = max(image.tag_v2.get(258, (1,)))
    elif image.format == "PPM" and isinstance(image.tile[0].args, tuple):
        depth = int(image.tile[0].args[1]).bit_length()
    if depth > 8 and image.mode[0] not in "IF":
        raise InputError(f"has {depth} bits a colour, packed in a way not known; save it as PNG")


def _of_image(image, kind, white_is_zero, profile):
    """What is in a decoded picture, by its mode."""
    if image.mode[0] in "IF":
        deep = by_bands(image, lambda band: deep_grey(band, kind, white_is_zero))
        return Pixels(deep, profile=profile)
    if image.mode == "LA" or image.has_transparency_data:
        mode = "LA" if image.mode in ("1", "L", "LA") else "RGBA"
        values = by_bands(image, lambda band: np.asarray(band.convert(mode)))
        colours = values[..., 0] if mode == "LA" else values[..., :3]
        return Pixels(colours, values[..., -1], profile)
    mode = "L" if image.mode in ("1", "L") else "RGB"
    values = by_bands(image, lambda band: np.asarray(band.convert(mode)))
    return Pixels(values, profile=profile if image.mode == mode else None)


def check_pixels_target(path, pixels):
    """Refuse a name under which these pixels cannot be written; InputError says why."""
    suffix = Path(path).suffix.lower()
    if suffix not in KINDS:
        raise InputError(f"{path}: the name must end with {', '.join(KINDS)}")
    _, bits, transparency = KINDS[suffix]
    if pixels.values.dtype.itemsize * 8 > bits:
        raise InputError(f"{path}: 16 bits need a name that ends with .png or .tif")
    if pixels.alpha is not None and not transparency:
        raise InputError(f"{path}: transparency needs a name that ends with .png, .tif or .webp")
    if suffix == ".pgm" and pixels.values.ndim == 3:
        raise InputError(f"{path}: colours need a name that ends with .ppm, or .png")


def write_pixels(path, kind, pixels):
    """Write a picture of a kind, "PNG" for instance, under any name."""
    values, alpha = pixels.values, pixels.alpha
    deep = values.dtype.itemsize == 2
    several = values.ndim == 3 or alpha is not None
    if deep and several and kind == "PNG":
        write_deep_png(path, values, alpha, pixels.profile)
        return
    if deep and several:
        together = values if alpha is None else np.dstack([values, alpha])
        extra = None if alpha is None else ["unassalpha"]
        meaning = "rgb" if values.ndim == 3 else "minisblack"
        tifffile.imwrite(
            path,
            together,
            photometric=meaning,
            extrasamples=extra,
            planarconfig="contig",
            iccprofile=pixels.profile,
        )
        return
    image = Image.fromarray(values if alpha is None else np.dstack([values, alpha]))
    options = LOSSLESS.get(kind, {})
    image.save(path, kind, icc_profile=pixels.profile, **options)
