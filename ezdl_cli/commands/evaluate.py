"""`ezdl evaluate`: measure how well a dictionary reproduces images."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from .. import io
from ..errors import InputError
from ..images.greyscale import read_grey
from ..parallel import in_order
from ..restoration.quality import SSIM_WINDOW, ssim_and_psnr
from ..restoration.reproduction import crop_to_blocks, reproductions
from ._shared.common_options import quiet_option, skip_bad_option
from ._shared.console import echo_skipped, silence_decoders
from ._shared.dictionary_columns import dictionary_columns
from ._shared.grouped_help import new_command, option, path_argument, path_option
from ._shared.image_experiments import (
    atom_side,
    central_crop,
    check_crop,
    collected_rows,
    crop_option,
    save_image,
    usable_images,
)
from ._shared.output_paths import check_outputs
from ._shared.parameter_types import COUNT, FRACTION, NumberList
from ._shared.progress_bar import progress

COLUMNS = ("image", "sigma_i", "iterations", "ssim", "psnr")


@new_command("ezdl evaluate dictionary.npz photos/reproduce table.csv")
@path_argument("sources", metavar="DICT.npz...", nargs=-1, required=True)
@path_argument("images", metavar="IMAGES")
@path_argument("target", metavar="TABLE.csv")
@option(
    "--sparseness",
    NumberList(FRACTION),
    "0.75,0.85,0.99",
    "Degrees of sparseness of the codes, each between 0 and 1.",
)
@option(
    "--iterations",
    NumberList(COUNT),
    "1,10,100",
    "Numbers of Landweber iterations after which the reproduction is measured.",
)
@crop_option()
@path_option(
    "--save-images", "DIR", "Save the reproductions by a single dictionary as PNG in this folder."
)
@skip_bad_option
@quiet_option
def command(sources, images, target, sparseness, iterations, crop, save_images, skip_bad, quiet):
    """Reproduce the images in the folder IMAGES from sparse codes, and measure the quality.

    Images are divided into blocks of the size of the atoms, and cropped to complete blocks.
    TABLE.csv has one row per dictionary, image, sparseness and number of iterations: SSIM and PSNR
    of the reproduction, rounded to 8 bits.
    """
    check_outputs([target], sources)
    if save_images is not None and len(sources) > 1:
        raise InputError("--save-images: is for a single dictionary; leave it out, or the others")
    dictionaries = [_EvaluatedDictionary.load(source) for source in sources]
    folder = None if save_images is None else io.check_folder(save_images)
    # The window of the SSIM must fit into the complete blocks of an image.
    min_side = max(-(-SSIM_WINDOW // one.side) * one.side for one in dictionaries)
    check_crop(crop, min_side)
    usable, unusable = usable_images(images, [target], folder, min_side, skip_bad, _stem)
    tasks = list(product(dictionaries, usable, sparseness))
    stops = sorted(set(iterations))
    with (
        collected_rows(target) as rows,
        silence_decoders(),
        progress(len(tasks), "Reproducing images", quiet) as advance,
        in_order(lambda task: _measure(*task, crop, stops, folder), tasks) as done,
    ):
        for measured in done:
            rows += measured
            advance(1)
    echo_skipped(unusable)


@dataclass(frozen=True)
class _EvaluatedDictionary:
    """Atoms, the side of their patches, and the columns that describe them."""

    W: np.ndarray
    side: int
    columns: dict

    @classmethod
    def load(cls, source):
        dictionary = io.load_dictionary(source)
        side = atom_side(source, dictionary)
        return cls(dictionary.W, side, dictionary_columns(source, dictionary))


def _stem(name):
    """Return the name of an image without the suffix .png."""
    return name.removesuffix(".png")


def _measure(dictionary, source, sparseness, crop, stops, folder):
    """Return the rows of the table for a dictionary, an image and a sparseness."""
    name, path = source
    image = crop_to_blocks(central_crop(read_grey(path), crop), dictionary.side)
    rows = []
    made = reproductions(image, dictionary.W, sparseness, stops, as_uint8=True)
    for iterations, picture in zip(stops, made, strict=True):
        measured = (name, sparseness, iterations, *ssim_and_psnr(image, picture))
        rows.append(dictionary.columns | dict(zip(COLUMNS, measured, strict=True)))
        save_image(folder, f"{_stem(name)}-{sparseness}-{iterations}", picture)
    return rows
