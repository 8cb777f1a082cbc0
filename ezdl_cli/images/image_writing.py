"""Writing of images: grey or colour, 8 or 16 bits, with transparency and metadata."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from ..errors import InputError
from .exif import HEADER, Exif, encode_exif, with_movable_notes
from .formats import BY_SUFFIX, DPI, EXIF, PROFILE
from .png16 import write_png16
from .tiff_writing import write_tiff

MAX_JPEG_EXIF = 65_000  # bytes; the limit of a segment is 65 533, with a header


def format_for(path, pixels):
    """The format by the ending of a file name; refuse one that cannot hold these pixels.

    Only the shapes and types of `pixels` matter.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in BY_SUFFIX:
        raise InputError(f"{path}: the file name must end in one of {', '.join(BY_SUFFIX)}")
    chosen = BY_SUFFIX[suffix]
    if 8 * pixels.values.itemsize > chosen.bits:
        raise InputError(f"{path}: 16 bits can be written only to .png and .tif files")
    if pixels.alpha is not None and not chosen.alpha:
        raise InputError(f"{path}: transparency can be written only to .png, .tif and .webp files")
    if suffix == ".pgm" and pixels.values.ndim == 3:
        raise InputError(f"{path}: colours cannot be written to .pgm files; use .ppm or .png")
    height, width = pixels.values.shape[:2]
    if max(height, width) > chosen.max_side:
        raise InputError(
            f"{path}: {width} × {height} pixels are too many for {chosen.name} files (at most "
            f"{chosen.max_side} per side); use .png or .tif"
        )
    return chosen


def fit_metadata(file_format, pixels):
    """Return Pixels with the metadata that a format can hold, and with notes on the others."""
    metadata, notes = pixels.metadata, []
    exif, profile = metadata.exif, pixels.profile
    if exif is not None and EXIF not in file_format.metadata:
        exif = None
        notes.append(f"EXIF data were left out: {file_format.name} files cannot hold them")
    if exif is not None and file_format.name == "JPEG":
        exif = _fit_jpeg(exif, metadata.dpi, pixels.values.shape)
        if exif is None:
            notes.append(f"EXIF data were left out: above {MAX_JPEG_EXIF} bytes, JPEG's limit")
    if profile is not None and PROFILE not in file_format.metadata:
        profile = None
        notes.append(f"the ICC profile was left out: {file_format.name} files cannot hold it")
    if profile is not None and file_format.name == "WEBP" and pixels.values.ndim == 2:
        profile = None
        notes.append("the ICC profile was left out: WEBP files have no grey values")
    if metadata.dpi is not None and not {EXIF, DPI}.intersection(file_format.metadata):
        notes.append(f"the resolution was left out: {file_format.name} files cannot hold it")
    metadata = replace(metadata, exif=exif, notes=(*metadata.notes, *notes))
    return replace(pixels, profile=profile, metadata=metadata)


def _fit_jpeg(exif, dpi, shape):
    """Return EXIF data that fit into a JPEG file, or None."""
    choices = (exif, with_movable_notes(exif))
    fits = (each for each in choices if len(encode_exif(each, dpi, shape)) <= MAX_JPEG_EXIF)
    return next(fits, None)


def write_pixels(path, file_format, pixels):
    """Write an image in a format, whatever the ending of the file name.

    The format must be able to hold the pixels and their metadata: see `format_for` and
    `fit_metadata`.
    """
    values, alpha, metadata = pixels.values, pixels.alpha, pixels.metadata
    samples = values if alpha is None else np.dstack([values, alpha])
    if file_format.name == "TIFF":
        write_tiff(path, samples, 3 if values.ndim == 3 else 1, pixels.profile, metadata)
        return
    exif = _encoded_exif(file_format, pixels)
    if samples.ndim == 3 and samples.itemsize == 2:
        write_png16(path, samples, pixels.profile, metadata.dpi, exif)
        return
    known = {"icc_profile": pixels.profile, "dpi": metadata.dpi}
    if exif is not None:
        known["exif"] = HEADER + exif  # Pillow expects it, and removes it where it must not be
    options = {name: value for name, value in known.items() if value is not None}
    Image.fromarray(samples).save(path, file_format.name, **options, **file_format.options)


def _encoded_exif(file_format, pixels):
    """Return encoded EXIF data, or None.

    Formats that can hold the resolution only as EXIF data have some if there is a resolution.
    """
    exif, dpi = pixels.metadata.exif, pixels.metadata.dpi
    if exif is None and dpi is not None and DPI not in file_format.metadata:
        exif = Exif() if EXIF in file_format.metadata else None
    return None if exif is None else encode_exif(exif, dpi, pixels.values.shape)
