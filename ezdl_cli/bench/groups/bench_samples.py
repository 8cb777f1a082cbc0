"""Samples before they are learned from: drawn from pictures, picked, whitened."""

import numpy as np

from ...samples.patches import extract_patches
from ...samples.whitening import fit_whitening
from ..group import Group
from ..interleaved_timing import Candidate
from .limits import copying, sorting
from .photographs import patches, picture

N_SAMPLES = 8192
N_COMPONENTS = 128


def preparing(side=16):
    """Patches of 16 × 16 pixels."""
    image = picture("train/grass.png")
    samples = patches(side)
    indices = np.random.default_rng(3).integers(len(samples), size=N_SAMPLES)
    some = samples.array[:N_SAMPLES]
    out = samples.pick(indices)
    return Group(
        [
            Candidate("extraction", lambda: extract_patches(image, side, N_SAMPLES), N_SAMPLES),
            Candidate("picking", lambda: samples.pick(indices, out), N_SAMPLES),
            Candidate("whitening", lambda: fit_whitening(some, N_COMPONENTS), N_SAMPLES),
            copying(out),
            sorting(),
        ],
        "sample",
    )
