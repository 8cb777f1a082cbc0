"""Samples for the tests of the learners."""

import numpy as np


def patches(n=3000, side=4, seed=0):
    """Return patches of a smooth random image, uint8."""
    rng = np.random.default_rng(seed)
    image = rng.standard_normal((200, 200))
    for axis in (0, 1):
        for _ in range(3):
            image = image + np.roll(image, 1, axis)
    image = 127 + 40 * image / image.std()
    rows, columns = rng.integers(0, 200 - side, (2, n))
    windows = np.lib.stride_tricks.sliding_window_view(image, (side, side))
    return np.clip(windows[rows, columns].reshape(n, -1), 0, 255).astype(np.uint8)
