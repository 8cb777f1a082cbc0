"""Patches at random positions of an image."""

import hashlib
import os
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from ..core.input_validation import as_real_array
from ..core.parameter_validation import check_positive_integer, is_integer
from ..errors import InputError

CHUNK_BYTES = 1 << 22


def image_rng(seed, name):
    """Random number generator of one image, independent of which other images there are.

    The ending of the name is ignored, so that converted images give the same patches.
    """
    digest = hashlib.sha256(os.fsencode(os.path.splitext(name)[0])).digest()
    words = np.frombuffer(digest, dtype="<u4").tolist()
    return np.random.default_rng([seed, *words])


def varied_positions(image, patch_size):
    """Find the upper left corners of all patches of an image that are not constant.

    They are in raster order, as int32: row · (width - patch_size + 1) + column.
    """
    height, width = image.shape
    if min(height, width) < patch_size:
        raise InputError(
            f"{width} × {height} pixels, smaller than a patch of {patch_size} × {patch_size}"
        )
    # A patch is constant if no pixel in it differs from its neighbour to the right or below.
    right = _any_in_window(image[:, 1:] != image[:, :-1], patch_size, patch_size - 1)
    below = _any_in_window(image[1:] != image[:-1], patch_size - 1, patch_size)
    positions = np.flatnonzero(right | below).astype(np.int32)
    if positions.size == 0:
        raise InputError(f"all patches of {patch_size} × {patch_size} pixels are constant")
    return positions


def _any_in_window(flags, height, width):
    """Whether a flag is set in each window; the window grows by doubling, one axis at a time."""
    for length in (height, width):
        reach = 1
        while reach < length:
            step = min(reach, length - reach)
            flags = flags[:-step] | flags[step:]
            reach += step
        flags = flags.T
    return flags


def draw_patches(image, positions, patch_size, n_patches, rng):
    """Yield chunks (m, patch_size²) of patches, one per row, at randomly chosen positions.

    `positions` are as returned by `varied_positions`.
    """
    windows = np.lib.stride_tricks.sliding_window_view(image, (patch_size, patch_size))
    chunk = max(1, CHUNK_BYTES // (image.itemsize * patch_size**2))
    for first in range(0, n_patches, chunk):
        count = min(chunk, n_patches - first)
        drawn = positions[rng.integers(positions.size, size=count)]
        rows, columns = np.divmod(drawn, windows.shape[1])
        yield windows[rows, columns].reshape(count, -1)


def extract_patches(
    image: ArrayLike, patch_size: int, n_patches: int, seed: int | Generator = 0
) -> NDArray[Any]:
    """Extract patches at random positions of an image; constant patches are not drawn.

    Parameters
    ----------
    image : array_like of shape (height, width)
        Grey values.
    patch_size : int
        Height and width of a patch, at least 2.
    n_patches : int
        Number of patches; a patch can be drawn several times.
    seed : int or numpy.random.Generator, default=0
        Random seed of the positions.

    Returns
    -------
    patches : ndarray of shape (n_patches, patch_size²)
        One patch per row, of the image's type.

    Raises
    ------
    TypeError
        If the image is sparse.
    ValueError
        If the image is smaller than a patch, or all patches are constant.

    Examples
    --------
    >>> import numpy as np
    >>> import ezdl_cli as ez
    >>> ez.extract_patches(np.arange(12).reshape(3, 4), patch_size=2, n_patches=2)
    array([[ 6,  7, 10, 11],
           [ 4,  5,  8,  9]])
    """
    image = as_real_array(image, "image")
    if image.ndim != 2:
        raise ValueError(f"image must have two axes, not {image.ndim}")
    if not is_integer(patch_size) or patch_size < 2:
        raise ValueError(f"patch_size must be an integer of at least 2, not {patch_size!r}")
    check_positive_integer("n_patches", n_patches)
    try:
        rng = np.random.default_rng(seed)
    except (TypeError, ValueError):
        raise ValueError(f"seed must be an integer of at least 0, not {seed!r}") from None
    positions = varied_positions(image, patch_size)
    return np.concatenate(list(draw_patches(image, positions, patch_size, n_patches, rng)))
