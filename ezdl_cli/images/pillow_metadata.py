"""What Pillow reports about an image, apart from its pixels and their profile."""

from PIL import ExifTags

from ..errors import InputError
from .exif import checked_dpi
from .guards.tiff_header import check_exif
from .orientation import valid_orientation
from .pixels import Container

RAW_PROFILE = "Raw profile type exif"  # EXIF data as text in PNG files, by ImageMagick
GAIN_MAP = b' hdrgm:Version="'  # in the XMP data of JPEG files
DOTS_PER_INCH, DOTS_PER_CENTIMETRE = 1, 2  # in JPEG files


def forget_unsafe_exif(image):
    """Remove EXIF data that would take too much time or memory to read; return notes on it."""
    try:
        check_exif(image.info)
    except InputError:
        for key in ("exif", RAW_PROFILE):
            image.info.pop(key, None)
        return ("EXIF data were left out (larger than an image needs, or damaged)",)
    return ()


def read_container(image, orientation, notes):
    """Return the Container of an image whose pixels were decoded; notes are added to it."""
    if image.mode == "CMYK":
        notes += ("CMYK colours are converted to RGB without a profile",)
    if image.format == "TIFF":  # the others are read by `metadata`
        return Container(orientation, notes=notes)
    segments = getattr(image, "applist", ())  # of JPEG files
    if any(name == "APP1" and GAIN_MAP in content for name, content in segments):
        notes += ("the gain map for high dynamic range was left out",)
    n_frames = getattr(image, "n_frames", 1)
    return Container(orientation, _exif(image), _dpi(image), n_frames, notes)


def orientation_of(image):
    """Return the orientation; 1 if the EXIF data are damaged, as for images without them."""
    try:
        return valid_orientation(image.getexif().get(ExifTags.Base.Orientation, 1))
    except Exception:  # Pillow raises nearly anything; the EXIF data are read and reported later
        return 1


def orientation_of_tiff(image):
    """Return the orientation of a TIFF that is not decoded yet, None for other formats."""
    tags = getattr(image, "tag_v2", None)
    return None if tags is None else valid_orientation(tags.get(ExifTags.Base.Orientation, 1))


def _exif(image):
    """Return the EXIF data of other formats than TIFF, which are not checked yet."""
    content = image.info.get("exif")
    if isinstance(content, bytes):
        return content
    text = image.info.get(RAW_PROFILE)
    if not isinstance(text, str):
        return b""
    try:
        return bytes.fromhex("".join(text.split("\n")[3:]))
    except ValueError:
        return b"damaged"


def _dpi(image):
    """Return the resolution, if it is not part of the EXIF data."""
    if image.format in ("JPEG", "MPO"):  # Pillow invents one if there is none
        scale = {DOTS_PER_INCH: 1.0, DOTS_PER_CENTIMETRE: 2.54}.get(image.info.get("jfif_unit"))
        density = image.info.get("jfif_density")
        return None if None in (scale, density) else checked_dpi([scale * n for n in density])
    return checked_dpi(image.info["dpi"]) if "dpi" in image.info else None
