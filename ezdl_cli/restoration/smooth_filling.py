"""A smooth estimate of missing pixels."""

import numpy as np


def fill_smoothly(channels, missing, improve=None):
    """Return channels (n, height, width) whose missing pixels are interpolated from known ones.

    Means of the known ones among 2 × 2 pixels form the next level of a pyramid. Pixels that are
    missing at one level are interpolated linearly from the next. If given, `improve` returns a
    better estimate of each level but the first, from its known and missing pixels and the estimate.
    """
    if not missing.any():
        return channels
    known = _sums_of_four(np.where(missing, 0.0, 1.0))
    coarse = _sums_of_four(np.where(missing, 0.0, channels)) / np.maximum(known, 1.0)
    estimate = fill_smoothly(coarse, known == 0.0, improve)
    if improve is not None and not known.all():
        estimate = improve(coarse, known == 0.0, estimate)
    return np.where(missing, _enlarge(estimate, missing.shape), channels)


def _sums_of_four(x):
    """Return sums over squares of 2 × 2 pixels, which are cut at the right and lower border."""
    height, width = x.shape[-2:]
    x = np.pad(x, [(0, 0)] * (x.ndim - 2) + [(0, height % 2), (0, width % 2)])
    return x[..., ::2, ::2] + x[..., 1::2, ::2] + x[..., ::2, 1::2] + x[..., 1::2, 1::2]


def _enlarge(x, shape):
    """Return an image enlarged by two with linear interpolation, cut to a shape."""
    for axis in (-2, -1):
        before, after = (
            np.take(x, _neighbours(x.shape[axis], step), axis=axis) for step in (-1, 1)
        )
        halves = np.stack([0.75 * x + 0.25 * before, 0.75 * x + 0.25 * after], axis=-1)
        halves = np.moveaxis(halves, -1, axis if axis == -1 else -2)
        x = halves.reshape(*x.shape[:axis], 2 * x.shape[axis], *x.shape[len(x.shape) + axis + 1 :])
    return x[..., : shape[0], : shape[1]]


def _neighbours(n, step):
    """Return the index of the neighbour of each of n pixels; those at the end are their own."""
    return np.clip(np.arange(n) + step, 0, n - 1)
