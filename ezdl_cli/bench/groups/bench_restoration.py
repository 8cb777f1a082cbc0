"""Benchmarks of inpainting, upscaling and deblurring: time and PSNR, beside simple methods."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...restoration.bicubic import downscale, enlarge
from ...restoration.blurring import blur, gaussian_kernel
from ...restoration.deblurring import deblur
from ...restoration.denoising import denoise
from ...restoration.inpainting import inpaint
from ...restoration.quality import ssim_and_psnr
from ...restoration.upscaling import upscale
from ..benchmark_group import BenchmarkGroup, Quality
from ..interleaved_timing import PEER, Candidate
from .machine_limits import matrix_product, sorting
from .peers import deconvolutions, inpaint_biharmonic
from .photographs import photograph
from .thread_counts import with_all_cores

IMAGE = "denoise/camera.png"
CORNER = 100
"""Row and column of the top left corner of the crop, which shows both edges and smooth areas."""
MISSING = 0.5
"""Share of the pixels that are missing, at random positions."""
FACTOR = 2
BLUR, NOISE = 1.6, 2.0
"""Standard deviations of the Gaussian blur in pixels, and of the noise that is added to it."""
DENOISING_NOISE = 25.0
N_ROUNDS = {64: 5, 256: 3, 512: 2}
"""Number of rounds by the size of the crop: the large ones take many seconds."""


@dataclass(frozen=True)
class Task:
    """A crop of a photograph and functions that restore it after a degradation."""

    original: np.ndarray
    restore: Callable
    """Function of no arguments that returns our result."""
    peers: dict
    """Functions of other methods, by name."""
    text: str
    """What was done to the crop, as the predicate of a sentence."""


def inpainting_task(size):
    """A crop without half of its pixels."""
    image = _crop(size)
    mask = np.random.default_rng(0).random(image.shape) < MISSING
    known = np.where(mask, 0.0, image)
    return Task(
        image,
        lambda: inpaint(known, mask),
        {"biharmonic": lambda: inpaint_biharmonic(known, mask)},
        f"has lost {100 * MISSING:g} % of its pixels",
    )


def upscaling_task(size):
    """A crop after bicubic reduction."""
    image = _crop(size)
    small = downscale(image, FACTOR).round()
    return Task(
        image,
        lambda: upscale(small, FACTOR),
        {"bicubic": lambda: enlarge(small, FACTOR)},
        f"was reduced by a factor of {FACTOR}",
    )


def deblurring_task(size):
    """A crop with blur and noise."""
    kernel = gaussian_kernel(BLUR)
    reach = len(kernel) // 2
    image = _crop(size, reach)
    blurred = blur(image, kernel)
    blurred += np.random.default_rng(0).normal(0.0, NOISE, blurred.shape)
    return Task(
        image[reach:-reach, reach:-reach],
        lambda: deblur(blurred, kernel, NOISE),
        deconvolutions(blurred, kernel),
        f"has Gaussian blur (σ = {BLUR:g} pixels) and white noise (σ = {NOISE:g})",
    )


TASKS = {"inpainting": inpainting_task, "upscaling": upscaling_task, "deblurring": deblurring_task}


def restoration_on_one_core(size):
    """All tasks, on one core."""
    tasks = {name: make(size) for name, make in TASKS.items()}

    def qualities():
        return {
            f"{name}, PSNR": Quality(_psnr(task, task.restore), "dB")
            for name, task in tasks.items()
        }

    degraded = "; ".join(f"it {task.text} ({name})" for name, task in tasks.items())
    candidates = [Candidate(name, task.restore) for name, task in tasks.items()]
    return BenchmarkGroup(
        [*candidates, matrix_product(), sorting()],
        "picture",
        qualities,
        n_rounds=N_ROUNDS[size],
        about=f"A part of {size} × {size} pixels of a photograph is restored: {degraded}.",
    )


def restoration_on_all_cores(name, size):
    """A task on all cores, compared with denoising of the same size and with simple methods."""
    task = TASKS[name](size)
    noise = np.random.default_rng(0).normal(0.0, DENOISING_NOISE, task.original.shape)
    noisy = task.original + noise

    def qualities():
        found = {"PSNR": Quality(_psnr(task, task.restore), "dB")}
        for peer, run in task.peers.items():
            found[f"PSNR of {peer}"] = Quality(_psnr(task, run), "dB", peer)
        return found

    candidates = [
        Candidate(name, with_all_cores(task.restore)),
        Candidate("denoising", with_all_cores(lambda: denoise(noisy, DENOISING_NOISE))),
        *(Candidate(peer, run, kind=PEER) for peer, run in task.peers.items()),
    ]
    about = (
        f"A part of {size} × {size} pixels of a photograph {task.text}, and is restored on all "
        f"cores. Denoising (σ = {DENOISING_NOISE:g}) of a picture of the same size is measured "
        "beside it."
    )
    return BenchmarkGroup(candidates, "picture", qualities, n_rounds=N_ROUNDS[size], about=about)


def _crop(size, margin=0):
    """A square crop of a photograph, with a margin; its mirror image is beyond its borders."""
    image = photograph(IMAGE).astype(np.float64)
    corner = min(CORNER, min(image.shape) - size)
    inner = slice(corner, corner + size + 2 * margin)
    return np.pad(image, margin, "symmetric")[inner, inner]


def _psnr(task, restore):
    return ssim_and_psnr(task.original, restore())[1]
