"""Samples for the learners' tests."""

import numpy as np


def patches(n=3000, side=4, seed=0):
    """Pieces of a smooth random picture, as bytes."""
    rng = np.random.default_rng(seed)
    picture = rng.standard_normal((200, 200))
    for axis in (0, 1):
        for _ in range(3):
            picture = picture + np.roll(picture, 1, axis)
    picture = 127 + 40 * picture / picture.std()
    rows, columns = rng.integers(0, 200 - side, (2, n))
    windows = np.lib.stride_tricks.sliding_window_view(picture, (side, side))
    return np.clip(windows[rows, columns].reshape(n, -1), 0, 255).astype(np.uint8)
