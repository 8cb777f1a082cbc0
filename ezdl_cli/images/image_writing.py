"""Writing of images: grey or colour, 8 or 16 bits, with transparency and ICC profile."""

from pathlib import Path

import numpy as np
import tifffile
from PIL import Image

from ..errors import InputError
from .formats import BY_SUFFIX
from .png16 import write_png16


def format_for(path, pixels):
    """The format by the ending of a file name; refuse one that cannot hold these pixels."""
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
    return chosen


def write_pixels(path, file_format, pixels):
    """Write an image in a format, whatever the ending of the file name."""
    values, alpha = pixels.values, pixels.alpha
    samples = values if alpha is None else np.dstack([values, alpha])
    if samples.ndim == 2 or samples.itemsize == 1:
        image = Image.fromarray(samples)
        image.save(path, file_format.name, icc_profile=pixels.profile, **file_format.options)
    elif file_format.name == "PNG":
        write_png16(path, samples, pixels.profile)
    else:
        tifffile.imwrite(
            path,
            samples,
            photometric="rgb" if values.ndim == 3 else "minisblack",
            extrasamples=None if alpha is None else ["unassalpha"],
            planarconfig="contig",
            iccprofile=pixels.profile,
        )
