"""The pixels of an image, as decoded from a file or to be written to one."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Pixels:
    """Everything in an image file that this package uses."""

    # Grey values (height, width) or colours (height, width, 3), uint8 or uint16.
    values: np.ndarray
    # Opacity (height, width), of the same type as the values.
    alpha: np.ndarray | None = None
    # ICC profile.
    profile: bytes | None = None
    # Whether the values were multiplied by the opacity.
    premultiplied: bool = False
    # Whether the file has more bits per value than could be decoded.
    reduced: bool = False
