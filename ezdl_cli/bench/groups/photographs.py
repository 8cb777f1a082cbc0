"""Real data for the benchmarks: photographs that come with the package's dependencies."""

from functools import cache

import numpy as np

from ...images.builtin import photographs
from ...images.grey import read_grey
from ...samples.patches import extract_patches
from ...samples.store import Samples

N_PATCHES = 30_000


@cache
def picture(name):
    """Grey values of a built-in photograph, such as denoise/camera.png."""
    found, _ = photographs()
    return read_grey(next(one.read() for one in found if one.name == name))


@cache
def patches(side):
    """Samples: patches of all built-in photographs to learn from."""
    names = [one.name for one in photographs()[0] if one.name.startswith("train/")]
    count = N_PATCHES // len(names)
    drawn = [extract_patches(picture(name), side, count, seed=k) for k, name in enumerate(names)]
    return Samples(np.concatenate(drawn), "patches")
