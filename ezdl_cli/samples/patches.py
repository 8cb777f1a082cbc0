"""Patches of images, at random places."""

import hashlib
import os

import numpy as np

from ..errors import InputError

BYTES_AT_ONCE = 1 << 22


def image_stream(seed, name):
    """The random numbers of one image, the same whatever other images there are.

    The ending of the name does not count, so that converted images give the same patches.
    """
    digest = hashlib.sha256(os.fsencode(os.path.splitext(name)[0])).digest()
    words = np.frombuffer(digest, dtype="<u4").tolist()
    return np.random.default_rng([seed, *words])


def varied_positions(image, patch_size):
    """Where patches have variance: places of their upper left pixels, in raster order.

    Parameters
    ----------
    image : array (height, width)
    patch_size : int

    Returns
    -------
    array (n,) of int32, row · (width - patch_size + 1) + column

    Raises
    ------
    InputError
        If the image is smaller than a patch or no patch has variance.
    """
    height, width = image.shape
    if min(height, width) < patch_size:
        raise InputError(
            f"is {width} × {height} pixels, smaller than a patch of {patch_size} × {patch_size}"
        )
    # A patch is constant if no pixel in it differs from its neighbour to the right or below.
    right = _any_in_window(image[:, 1:] != image[:, :-1], patch_size, patch_size - 1)
    below = _any_in_window(image[1:] != image[:-1], patch_size - 1, patch_size)
    places = np.flatnonzero(right | below).astype(np.int32)
    if places.size == 0:
        raise InputError(f"has no patch of {patch_size} × {patch_size} with variance")
    return places


def _any_in_window(flags, height, width):
    """Whether a flag is set in each window of a size; the window doubles until it fits."""
    for length in (height, width):
        reach = 1
        while reach < length:
            step = min(reach, length - reach)
            flags = flags[:-step] | flags[step:]
            reach += step
        flags = flags.T
    return flags


def draw_patches(image, places, patch_size, n_patches, stream):
    """Patches at random places of an image, some at a time.

    Parameters
    ----------
    image : array (height, width)
    places : array of int32
        What `varied_positions` gives.
    patch_size, n_patches : int
    stream : numpy.random.Generator

    Yields
    ------
    array (m, patch_size²), patches as rows
    """
    windows = np.lib.stride_tricks.sliding_window_view(image, (patch_size, patch_size))
    at_once = max(1, BYTES_AT_ONCE // (image.itemsize * patch_size**2))
    for first in range(0, n_patches, at_once):
        count = min(at_once, n_patches - first)
        rows, columns = np.divmod(
            places[stream.integers(places.size, size=count)], windows.shape[1]
        )
        yield windows[rows, columns].reshape(count, -1)


def extract_patches(image, patch_size, n_patches, seed=0):
    """Patches with variance at random places of an image.

    Parameters
    ----------
    image : array (height, width)
    patch_size : int
        Height and width of a patch, at least 2.
    n_patches : int
    seed : int or numpy.random.Generator

    Returns
    -------
    array (n_patches, patch_size²), one patch a row, of the image's type

    Raises
    ------
    ValueError
        If the image has no such patch.
    """
    image = np.asarray(image)
    if image.ndim != 2:
        raise ValueError(f"image must have two axes, not {image.ndim}")
    if patch_size < 2 or n_patches < 1:
        raise ValueError("patch_size must be at least 2 and n_patches at least 1")
    places = varied_positions(image, patch_size)
    stream = np.random.default_rng(seed)
    return np.concatenate(list(draw_patches(image, places, patch_size, n_patches, stream)))
