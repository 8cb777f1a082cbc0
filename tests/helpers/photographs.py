"""Crops of the photographs of scikit-image, and how far an image is from another."""

import numpy as np
from skimage import data

CROPS = {
    "camera": lambda: data.camera()[60:156, 180:276],
    "astronaut": lambda: data.astronaut()[60:156, 170:266],
    "coffee": lambda: data.coffee()[100:196, 200:296],
    "chelsea": lambda: data.chelsea()[90:186, 120:216],
}


def crop(name, *, grey=False):
    """Return a crop as float64, of 96 × 96 pixels; the green channel only if it shall be grey."""
    pixels = CROPS[name]().astype(np.float64)
    return pixels[..., 1] if grey and pixels.ndim == 3 else pixels


def by_channel(function, image):
    """Apply a function of grey images to each channel of an image."""
    if image.ndim == 2:
        return function(image)
    return np.stack([function(channel) for channel in np.moveaxis(image, -1, 0)], axis=-1)


def psnr(image, other):
    """Return the peak signal-to-noise ratio in dB, for images from 0 to 255."""
    return 10.0 * np.log10(255.0**2 / np.mean((image - other) ** 2))
