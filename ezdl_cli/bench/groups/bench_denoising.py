"""Denoising: time and PSNR, on one core against limits, on all cores against `bm3d`."""

import os
from contextlib import contextmanager, suppress

import numpy as np

from ...restoration.denoising import denoise
from ...restoration.passes import Parameters
from ...restoration.reproduction import compare
from ..group import Group, Quality
from ..interleaved_timing import PEER, Candidate
from .limits import responses, sorting
from .peers import bm3d
from .photographs import picture

PICTURE = "denoise/camera.png"
CORNER = 100  # of a part of the picture, where there is a bit of everything
# What takes most of the time.
MIXTURES = {
    "default": Parameters(),
    "mostly searching": Parameters(window=48, group_size=12),
    "mostly coding": Parameters(window=8),
}


def _noisy(size, sigma):
    """A part of a photograph, and the same with noise."""
    whole = picture(PICTURE)
    corner = min(CORNER, min(whole.shape) - size)
    image = whole[corner : corner + size, corner : corner + size].astype(np.float64)
    return image, image + np.random.default_rng(0).normal(0.0, sigma, image.shape)


def on_one_core(size, sigma, names=tuple(MIXTURES)):
    """The default, and mixtures of its parts."""
    image, noisy = _noisy(size, sigma)

    def with_parameters(name):
        return lambda: denoise(noisy, sigma, parameters=MIXTURES[name])

    ours = [Candidate(name, with_parameters(name)) for name in names]

    def qualities():
        ssim, psnr = compare(image, denoise(noisy, sigma))
        return {"PSNR": Quality(psnr, "dB"), "SSIM": Quality(ssim, "SSIM")}

    return Group([*ours, responses(), sorting()], "picture", qualities)


def on_all_cores(size, sigma):
    """Beside `bm3d`, which uses all cores as well."""
    image, noisy = _noisy(size, sigma)
    other = bm3d()

    def run():
        with _all_cores():
            denoise(noisy, sigma)

    candidates = [Candidate("denoising", run)]
    if other is not None:
        candidates.append(Candidate("bm3d", lambda: other(noisy, sigma), kind=PEER))

    def qualities():
        found = {"PSNR": Quality(compare(image, denoise(noisy, sigma))[1], "dB")}
        with suppress(Exception):  # what it raises is no matter of ours
            psnr = compare(image, other(noisy, sigma))[1]
            found["PSNR of bm3d"] = Quality(psnr, "dB", "bm3d")
        return found

    return Group(candidates, "picture", qualities)


@contextmanager
def _all_cores():
    """All cores that the process may use."""
    before = os.environ.pop("EZDL_THREADS", None)
    try:
        yield
    finally:
        if before is not None:
            os.environ["EZDL_THREADS"] = before
