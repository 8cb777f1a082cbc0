"""`ezdl evaluate`: measure how well a dictionary reproduces images."""

from .. import io
from ..images.greyscale import read_grey
from ..parallel import in_order
from ..restoration.quality import SSIM_WINDOW, ssim_and_psnr
from ..restoration.reproduction import crop_to_blocks, reproductions
from ._shared.common_options import quiet_option, skip_bad_option
from ._shared.console import echo_skipped, silence_decoders
from ._shared.grouped_help import new_command, option, path_argument, path_option
from ._shared.image_experiments import (
    atom_side,
    collected_rows,
    save_image,
    usable_images,
)
from ._shared.output_paths import check_outputs
from ._shared.parameter_types import COUNT, FRACTION, NumberList
from ._shared.progress_bar import progress

COLUMNS = ("image", "sigma_i", "iterations", "ssim", "psnr")


@new_command("ezdl evaluate dictionary.npz photos/reproduce table.csv")
@path_argument("source", metavar="DICT.npz")
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
@path_option("--save-images", "DIR", "Save the reproductions as PNG files in this folder.")
@skip_bad_option
@quiet_option
def command(source, images, target, sparseness, iterations, save_images, skip_bad, quiet):
    """Reproduce the images in the folder IMAGES from sparse codes, and measure the quality.

    Images are divided into blocks of the size of the atoms, and cropped to complete blocks.
    TABLE.csv has one row per image, sparseness and number of iterations: SSIM and PSNR of the
    reproduction, rounded to 8 bits.
    """
    check_outputs([target], [source])
    dictionary = io.load_dictionary(source)
    side = atom_side(source, dictionary)
    folder = None if save_images is None else io.check_folder(save_images)
    # The window of the SSIM must fit into the complete blocks of an image.
    min_side = -(-SSIM_WINDOW // side) * side
    usable, unusable = usable_images(images, [target], folder, min_side, skip_bad, _stem)
    tasks = [(name, path, degree) for name, path in usable for degree in sparseness]
    stops = sorted(set(iterations))
    with (
        collected_rows(target, source, dictionary, COLUMNS) as rows,
        silence_decoders(),
        progress(len(tasks), "Reproducing images", quiet) as advance,
        in_order(lambda task: _measure(task, dictionary.W, side, stops, folder), tasks) as done,
    ):
        for measured in done:
            rows += measured
            advance(1)
    echo_skipped(unusable)


def _stem(name):
    """Return the name of an image without the suffix .png."""
    return name.removesuffix(".png")


def _measure(task, W, side, stops, folder):
    """Return the rows of the table for an image and a sparseness."""
    name, path, sparseness = task
    image = crop_to_blocks(read_grey(path), side)
    rows = []
    made = reproductions(image, W, sparseness, stops, as_uint8=True)
    for iterations, picture in zip(stops, made, strict=True):
        rows.append((name, sparseness, iterations, *ssim_and_psnr(image, picture)))
        save_image(folder, f"{_stem(name)}-{sparseness}-{iterations}", picture)
    return rows
