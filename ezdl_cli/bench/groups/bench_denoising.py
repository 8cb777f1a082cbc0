"""Benchmarks of denoising: time and PSNR, on one core against limits, on all cores against bm3d."""

from contextlib import suppress

import numpy as np

from ...restoration.denoising import denoise
from ...restoration.denoising_parameters import DenoisingParameters
from ...restoration.quality import ssim_and_psnr
from ..benchmark_group import BenchmarkGroup, Quality
from ..interleaved_timing import PEER, Candidate
from .machine_limits import matrix_product, sorting
from .peers import denoise_bm3d
from .photographs import colour_photograph, photograph
from .thread_counts import with_all_cores

IMAGE = "denoise/camera.png"
COLOUR_IMAGE = "denoise/coffee.png"
CORNER = 100
"""Row and column of the top left corner of the crop, which shows both edges and smooth areas."""
VARIANTS = {
    "default": DenoisingParameters(),
    "mostly searching": DenoisingParameters(window=48, group_size=12),
    "mostly coding": DenoisingParameters(window=8),
}
"""DenoisingParameters that shift the computing time between block matching and sparse coding."""


def _noisy_crop(size, sigma, colour=False):
    """A square crop of a photograph, without and with noise."""
    image = colour_photograph(COLOUR_IMAGE) if colour else photograph(IMAGE)
    corner = min(CORNER, min(image.shape[:2]) - size)
    crop = image[corner : corner + size, corner : corner + size].astype(np.float64)
    return crop, crop + np.random.default_rng(0).normal(0.0, sigma, crop.shape)


def _noisy_text(size, sigma, colour=False):
    """Say in words what `_noisy_crop` returns."""
    kind = "a colour" if colour else "a"
    return f"A part of {size} × {size} pixels of {kind} photograph with white noise (σ = {sigma:g})"


def denoising_on_one_core(size, sigma, names=tuple(VARIANTS)):
    """Variants of the parameters, on one core."""
    image, noisy = _noisy_crop(size, sigma)

    def with_parameters(name):
        return lambda: denoise(noisy, sigma, parameters=VARIANTS[name])

    def qualities():
        ssim, psnr = ssim_and_psnr(image, denoise(noisy, sigma))
        return {"PSNR": Quality(psnr, "dB"), "SSIM": Quality(ssim, "SSIM")}

    ours = [Candidate(name, with_parameters(name)) for name in names]
    about = (
        f"{_noisy_text(size, sigma)} is denoised on one core, by default and, where listed, with "
        "parameters that shift the work to searching or coding. Quality: of the default."
    )
    candidates = [*ours, matrix_product(), sorting()]
    return BenchmarkGroup(candidates, "picture", qualities, about=about)


def denoising_on_all_cores(size, sigma, colour=False):
    """The default parameters, compared with bm3d."""
    image, noisy = _noisy_crop(size, sigma, colour)

    def qualities():
        found = {"PSNR": Quality(ssim_and_psnr(image, denoise(noisy, sigma))[1], "dB")}
        with suppress(Exception):  # not installed, or it fails
            psnr = ssim_and_psnr(image, denoise_bm3d(noisy, sigma))[1]
            found["PSNR of bm3d"] = Quality(psnr, "dB", "bm3d")
        return found

    candidates = [
        Candidate("denoising", with_all_cores(lambda: denoise(noisy, sigma))),
        Candidate("bm3d", lambda: denoise_bm3d(noisy, sigma), kind=PEER),
    ]
    about = f"{_noisy_text(size, sigma, colour)} is denoised on all cores."
    return BenchmarkGroup(candidates, "picture", qualities, about=about)
