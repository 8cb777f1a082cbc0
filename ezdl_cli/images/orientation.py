"""The orientation of images as in EXIF: 1 for upright, 2 to 8 for flipped or turned."""

import numpy as np


def apply_orientation(pixels, orientation):
    """Turn an array (height, width, …) upright."""
    if orientation >= 5:
        pixels = pixels.swapaxes(0, 1)
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    return np.ascontiguousarray(pixels)


def as_stored(upright, orientation):
    """Return a view of an upright array that is indexed by the pixels in the file."""
    if orientation in (2, 3, 6, 7):
        upright = upright[:, ::-1]
    if orientation in (3, 4, 7, 8):
        upright = upright[::-1]
    return upright.swapaxes(0, 1) if orientation >= 5 else upright


def valid_orientation(value):
    """Return an orientation from a file; 1 if it is none."""
    return int(value) if value in range(1, 9) else 1
