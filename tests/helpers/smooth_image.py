"""Synthetic images for the tests of restoration."""

import numpy as np


def smooth_image(height=40, width=56, seed=0):
    """Return smooth noise of 8 bits."""
    rng = np.random.default_rng(seed)
    image = rng.standard_normal((height, width))
    for axis in (0, 1):
        for _ in range(2):
            image = image + np.roll(image, 1, axis)
    return np.clip(np.rint(127 + 40 * image / image.std()), 0, 255).astype(np.uint8)
