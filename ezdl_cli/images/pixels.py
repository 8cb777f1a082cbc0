"""The pixels of an image, as decoded from a file or to be written to one."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Pixels:
    """Everything in an image file that this package uses."""

    values: np.ndarray
    """grey values (height, width) or colours (height, width, 3), uint8 or uint16"""
    alpha: np.ndarray | None = None
    """opacity (height, width), of the same type as the values"""
    profile: bytes | None = None
    """ICC profile"""
    premultiplied: bool = False
    """whether the values were multiplied by the opacity"""
    reduced: bool = False
    """whether the file has more bits per value than could be decoded"""

    @property
    def white(self):
        """The largest possible value."""
        return np.iinfo(self.values.dtype).max
