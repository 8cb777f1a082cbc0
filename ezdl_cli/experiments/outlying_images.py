"""Limits to the influence of single images that differ from all others.

An image is outlying if it is more than three robust standard deviations (1.4826 times the median
absolute deviation) from the median, and then counts as if it were at that distance. If more than a
tenth of the images, and more than one, are far off, they are part of what is measured, and none is
limited.
"""

import numpy as np

MAX_DEVIATION = 3.0  # robust standard deviations from the median; images beyond it count as that
MAX_SHARE = 0.1  # of the images that may be far off; if there are more, none is outlying
MIN_IMAGES = 4  # fewer images are too few to tell which one is outlying


def limit_cells(values):
    """Limit how far single values (n_seeds, n_images) are from what seed and image have in common.

    A seed that differs for most images is not outlying.
    """
    if values.shape[1] < MIN_IMAGES:
        return values
    common = values.mean(axis=0) + np.zeros_like(values)
    common += np.median(values - common, axis=1, keepdims=True)
    deviations = values - common
    if _are_many(_is_far_off(deviations).any(axis=0)):
        return values
    return common + _clipped(deviations)


def clamp(values):
    """Limit the values of outlying images (n_images,)."""
    if values.size < MIN_IMAGES or _are_many(_is_far_off(values)):
        return values
    return _clipped(values)


def _clipped(values):
    """Limit values to a number of robust standard deviations from their median."""
    if not np.isfinite(values).all():
        return values
    middle, reach = np.median(values), _reach(values)
    return np.clip(values, middle - reach, middle + reach)


def _is_far_off(values):
    """Whether values are outlying by a multiple of what is allowed, so that it is not chance."""
    return np.abs(values - np.median(values)) > 2 * _reach(values)


def _reach(values):
    """Return how far values may be from their median; more than by rounding errors."""
    rounding = 1e-12 + 1e-9 * np.median(np.abs(values))
    return max(MAX_DEVIATION * 1.4826 * np.median(np.abs(values - np.median(values))), rounding)


def _are_many(far_off):
    """Whether so many images are far off that they are part of what is measured."""
    return far_off.sum() > max(1, MAX_SHARE * far_off.size)
