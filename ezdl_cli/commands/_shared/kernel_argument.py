"""Blur kernels on the command line: a file, or a description such as gaussian:1.6."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ...errors import InputError
from ...images.formats import SUFFIXES
from ...images.kernel_files import check_kernel_size, read_kernel
from ...restoration.blur_kernels import box_kernel, disk_kernel, motion_kernel
from ...restoration.blurring import gaussian_kernel, normalised_kernel
from .console import silence_decoders


@dataclass(frozen=True)
class Shape:
    """A kind of kernel that is described by numbers, the first of which is its size."""

    usage: str
    # The range of the numbers.
    limits: str
    minimum: float
    maximum: float
    kernel: Callable


SHAPES = {
    "gaussian": Shape("gaussian:SIGMA", "a standard deviation", 0.1, 100.0, gaussian_kernel),
    "motion": Shape(
        "motion:LENGTH:ANGLE", "an angle in degrees and a length", 0.1, 999.0, motion_kernel
    ),
    "disk": Shape("disk:RADIUS", "a radius", 0.1, 499.0, disk_kernel),
    "box": Shape("box:SIDE", "an odd side", 1.0, 999.0, lambda side: box_kernel(int(side))),
}
USAGES = ", ".join(shape.usage for shape in SHAPES.values())


def kernel_from(text, shape):
    """Return the kernel that an argument of a command means; a file of that name comes first.

    It must fit into an image of a shape (height, width).

    Raises
    ------
    InputError
        If it is neither a usable file nor a valid description, or larger than the image.
    """
    name, *numbers = text.split(":")
    if Path(text).exists() or Path(text).suffix.lower() in (*SUFFIXES, ".npy"):
        return _kernel_of_file(text, shape)
    if name not in SHAPES:
        raise InputError(f"{text}: no such file, and not one of {USAGES}")
    kind = SHAPES[name]
    values = [_number(number) for number in numbers]
    if len(values) != kind.usage.count(":") or not _is_valid(name, *values):
        raise InputError(
            f"{text}: must have the form {kind.usage}, with {kind.limits} in pixels from "
            f"{kind.minimum:g} to {kind.maximum:g}"
        )
    kernel = kind.kernel(*values)
    check_kernel_size(text, kernel, shape)
    return kernel


def _kernel_of_file(path, shape):
    with silence_decoders():
        kernel = read_kernel(path, shape)
    try:
        normalised_kernel(kernel)  # refuses what cannot be used
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None
    return kernel


def _number(text):
    """Return a number; NaN for any other text."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _is_valid(name, size, *others):
    """Return whether the numbers after the name of a shape can be used."""
    is_in_range = SHAPES[name].minimum <= size <= SHAPES[name].maximum
    is_in_range &= all(map(math.isfinite, others))
    return is_in_range and (name != "box" or size % 2 == 1)
