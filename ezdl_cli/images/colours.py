"""Any colour image as 8-bit colours: the encoded values of its channels, over white."""

from dataclasses import replace

import numpy as np

from ..errors import InputError
from .decoding import decode
from .greyscale import to_grey


def read_colours(path):
    """Read an image file as an array (height, width, 3) of uint8.

    16 bits are rounded to 8, and transparent images are laid over white, as `read_grey` does. ICC
    profiles are not applied.

    Raises
    ------
    InputError
        If the file cannot be read, or has grey values; the message is the reason alone.
    """
    pixels = decode(path)
    if pixels.values.ndim == 2:
        raise InputError("a grey image; leave it out to measure colours")
    if pixels.values.itemsize == 1 and pixels.alpha is None:
        return pixels.values
    channels = [to_grey(replace(pixels, values=pixels.values[..., i])) for i in range(3)]
    return np.stack(channels, axis=-1)
