"""Small photographs as files, for the tests of the commands that restore an image."""

import numpy as np
from helpers.exif_data import camera_exif
from PIL import Image
from skimage import data

from ezdl_cli.images.decoding import read_pixels
from ezdl_cli.images.image_writing import format_for, write_pixels
from ezdl_cli.images.pixels import Pixels

HEIGHT, WIDTH = 30, 36


def photograph(n_channels=3, dtype=np.uint8):
    """Return grey values or colours; those of 16 bits are not multiples of 257."""
    values = data.astronaut()[100 : 100 + HEIGHT, 200 : 200 + WIDTH]
    values = values if n_channels == 3 else values[..., 1]
    if dtype == np.uint8:
        return np.ascontiguousarray(values)
    noise = np.random.default_rng(0).integers(0, 200, values.shape)
    return (values * 256.0 + noise).astype(dtype)


def ramp(dtype=np.uint8):
    """Return an opacity that rises from left to right."""
    row = np.linspace(0, np.iinfo(dtype).max, WIDTH)
    return np.rint(row * np.ones((HEIGHT, 1))).astype(dtype)


def save(path, values, alpha=None):
    """Write an image without loss."""
    pixels = Pixels(values, alpha)
    write_pixels(path, format_for(path, pixels), pixels)


def save_with_metadata(path):
    """Write a colour image with EXIF data that turn it, and with a resolution; JPEG."""
    Image.fromarray(photograph()).save(path, exif=camera_exif(), dpi=(300, 150), quality=95)


def rounded(values, dtype=np.uint8):
    """Return the result of a function as a file has it."""
    return np.clip(np.rint(values), 0, np.iinfo(dtype).max).astype(dtype)


def values_of(path):
    """Return the grey values or colours in a file."""
    return read_pixels(path).values
