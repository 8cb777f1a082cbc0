"""Benchmarks of sample preparation: extracting patches, picking them, whitening."""

import numpy as np

from ...samples.patches import extract_patches
from ...samples.whitening import fit_whitening
from ..benchmark_group import BenchmarkGroup
from ..interleaved_timing import Candidate
from .machine_limits import copying, sorting
from .photographs import patches, photograph

N_SAMPLES = 8192
N_COMPONENTS = 128


def sample_preparation(side=16):
    """Patches of side² pixels."""
    image = photograph("train/grass.png")
    samples = patches(side)
    indices = np.random.default_rng(3).integers(len(samples), size=N_SAMPLES)
    some = samples.array[:N_SAMPLES]
    out = samples.pick(indices)
    about = (
        f"{N_SAMPLES} patches of {side} × {side} pixels are cut out of a photograph (extraction), "
        "drawn from stored ones and normalised (picking), and used to compute a whitening to "
        f"{N_COMPONENTS} components (whitening)."
    )
    return BenchmarkGroup(
        [
            Candidate("extraction", lambda: extract_patches(image, side, N_SAMPLES), N_SAMPLES),
            Candidate("picking", lambda: samples.pick(indices, out), N_SAMPLES),
            Candidate("whitening", lambda: fit_whitening(some, N_COMPONENTS), N_SAMPLES),
            copying(out),
            sorting(),
        ],
        "sample",
        about=about,
    )
