"""The pixels of an image, and its metadata, as decoded from a file or to be written to one."""

from dataclasses import dataclass, field

import numpy as np

from .exif import Exif


@dataclass(frozen=True)
class Container:
    """What decoders report about a file, apart from its pixels and their profile."""

    # The orientation of EXIF, 1 to 8, of the pixels in the file.
    orientation: int = 1
    # EXIF data, which may be damaged.
    exif: bytes = b""
    # Resolution in dots per inch along the rows and columns of the file.
    dpi: tuple[float, float] | None = None
    # Number of frames, or of pictures in a JPEG.
    n_frames: int = 1
    # What was left out by decoding.
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Metadata:
    """Metadata of an upright image, which are written with it."""

    exif: Exif | None = None
    # Resolution in dots per inch, horizontally and vertically.
    dpi: tuple[float, float] | None = None
    # What was left out of a file, each as the end of a message.
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pixels:
    """Everything in an image file that this package uses."""

    # Grey values (height, width) or colours (height, width, 3), uint8 or uint16.
    values: np.ndarray
    # Opacity (height, width), of the same type as the values.
    alpha: np.ndarray | None = None
    # ICC profile, which describes the values.
    profile: bytes | None = None
    # Whether the values were multiplied by the opacity.
    premultiplied: bool = False
    # Whether the file has more bits per value than could be decoded.
    reduced: bool = False
    container: Container = field(default_factory=Container)
    metadata: Metadata = field(default_factory=Metadata)
