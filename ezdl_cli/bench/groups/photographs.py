"""Real data for the benchmarks: photographs that ship with the package's dependencies."""

from functools import cache

import numpy as np

from ...images.builtin import photographs
from ...images.colours import read_colours
from ...images.greyscale import read_grey
from ...samples.patches import extract_patches
from ...samples.store import Samples

N_PATCHES = 30_000


@cache
def photograph(name):
    """Return the grey values of a built-in photograph, such as denoise/camera.png."""
    return read_grey(_content(name))


@cache
def colour_photograph(name):
    """Return the colours of a built-in photograph, such as denoise/coffee.png."""
    return read_colours(_content(name))


def _content(name):
    return next(one.read() for one in photographs() if one.name == name)


@cache
def patches(side):
    """Return samples: patches of side² pixels of all built-in photographs for training."""
    names = [one.name for one in photographs() if one.name.startswith("train/")]
    count = N_PATCHES // len(names)
    drawn = [extract_patches(photograph(name), side, count, seed=k) for k, name in enumerate(names)]
    return Samples(np.concatenate(drawn), "patches")
