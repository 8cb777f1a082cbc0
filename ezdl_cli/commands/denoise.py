"""`ezdl denoise`: measure how well a dictionary removes noise from images."""

from itertools import product

import click
import numpy as np

from .. import io
from ..images.colours import read_colours
from ..images.greyscale import read_grey
from ..restoration.denoising import Denoiser
from ..restoration.quality import SSIM_WINDOW, ssim_and_psnr, to_uint8
from ..samples.patches import image_rng
from ._shared.common_options import quiet_option, seed_option, skip_bad_option
from ._shared.console import echo_skipped, silence_decoders
from ._shared.denoising_options import denoising_options
from ._shared.dictionary_columns import dictionary_columns
from ._shared.grouped_help import new_command, option, path_argument, path_option
from ._shared.image_experiments import (
    atom_side,
    central_crop,
    check_crop,
    collected_rows,
    crop_option,
    save_examples,
    save_image,
    shown_crops,
    stem,
    usable_images,
)
from ._shared.option_errors import option_errors
from ._shared.output_paths import check_outputs
from ._shared.parameter_types import Integer, Number, NumberList
from ._shared.progress_bar import fraction_callback, progress

COLUMNS = (
    "image",
    "sigma",
    "repeat",
    "channels",
    "noisy",
    "results",
    "rules",
    "adapted",
    "window",
    *(f"psnr_{stage}" for stage in ("noisy", "pilot", "final")),
    *(f"ssim_{stage}" for stage in ("noisy", "pilot", "final")),
)
LEVELS_SHOWN = 4
PICTURE_TITLES = ("Original", "Noisy", "Denoised")
STEPS = 100  # of the progress bar, per image
FLOAT, BYTES = "float", "8-bit"
MAIN, IMAGES = "Main options", "Images"


@new_command("ezdl denoise dictionary.npz photos/denoise table.csv --sigma 25")
@path_argument("source", metavar="DICT.npz")
@path_argument("images", metavar="IMAGES")
@path_argument("target", metavar="TABLE.csv")
@option(
    "--sigma",
    NumberList(Number(0.0, 10**4)),
    "2.5,25,50",
    "Standard deviations of the noise, on the scale from 0 (black) to 255 (white).",
    group=MAIN,
)
@option(
    "--repeats",
    Integer(1, 10**6),
    5,
    "Number of noisy versions of each image at each noise level.",
    group=MAIN,
)
@option(
    "--colour/--grey",
    None,
    False,
    "Measure the colours of images, or their grey values.",
    group=MAIN,
)
@option(
    "--noisy",
    click.Choice((FLOAT, BYTES)),
    FLOAT,
    "Noisy images: neither rounded nor clipped, or rounded and clipped to 8 bits as in a file.",
    group=MAIN,
)
@option(
    "--results",
    click.Choice((BYTES, FLOAT)),
    BYTES,
    "Denoised images that are measured: rounded and clipped to 8 bits, or only clipped.",
    group=MAIN,
)
@crop_option(IMAGES)
@path_option(
    "--save-images", "DIR", "Save noisy and denoised images as PNG in this folder.", group=IMAGES
)
@path_option(
    "--picture",
    "OUT.png",
    "Save crops of the first image, noisy and denoised, at up to four noise levels.",
    group=IMAGES,
)
@path_option(
    "--examples",
    "OUT.png",
    "Save the same crops pixel by pixel, for the comparisons in the report.",
    group=IMAGES,
)
@denoising_options
@seed_option
@skip_bad_option
@quiet_option
def command(
    source,
    images,
    target,
    sigma,
    repeats,
    colour,
    crop,
    save_images,
    picture,
    examples,
    skip_bad,
    quiet,
    **settings,
):
    """Add white Gaussian noise to the images in the folder IMAGES, and measure how well it is
    removed.

    TABLE.csv has one row per image, noise level and repetition: PSNR and SSIM of the noisy image,
    of the first estimate (pilot) and of the final one. The PSNR of colours is that of all values,
    their SSIM the mean over the channels. The noise depends only on the seed, the name of the
    image, the noise level, the number of the repetition, and whether it is in colour.
    """
    with option_errors():
        settings["parameters"].check()
    outputs = [target, picture, examples]
    check_outputs(outputs, [source])
    dictionary = io.load_dictionary(source)
    min_side = max(atom_side(source, dictionary), SSIM_WINDOW)
    check_crop(crop, min_side)
    folder = None if save_images is None else io.check_folder(save_images)
    read = read_colours if colour else read_grey
    usable, unusable = usable_images(images, outputs, folder, min_side, skip_bad, stem, read)
    columns, shown = dictionary_columns(source, dictionary), {}
    with (
        collected_rows(target) as rows,
        silence_decoders(),
        progress(STEPS * len(usable) * len(sigma) * repeats, "Denoising images", quiet) as advance,
    ):
        for (name, path), level, number in product(usable, sigma, range(1, repeats + 1)):
            image = central_crop(read(path), crop)
            callback = fraction_callback(advance, STEPS)
            noisy = _noisy(image, level, number, name, settings)
            parameters, seed = settings["parameters"], settings["seed"]
            with option_errors(path, W=source):
                denoiser = Denoiser(noisy, level, dictionary.W, parameters, seed)
            results = _denoise(denoiser, callback, **settings)
            _save_images(folder, f"{stem(name)}-{level:.12g}-{number}", noisy, results[1])
            psnr, ssim = _quality(image, (noisy, *results))
            measured = (name, level, number, *_about(denoiser, settings), *psnr, *ssim)
            rows.append(columns | dict(zip(COLUMNS, measured, strict=True)))
            if name == usable[0][0] and number == 1:
                crops = shown_crops(image, noisy, results[1])
                shown[level] = io.RestorationExample(level, crops, tuple(psnr[::2]))
    save_examples(_some_levels(shown), PICTURE_TITLES, picture, examples)
    echo_skipped(unusable)


def _noisy(image, level, number, name, settings):
    """Return an image with noise, as float64."""
    rng = image_rng(settings["seed"], f"{stem(name)} {level:.12g} {number}.png")
    noisy = image + level * rng.standard_normal(image.shape)
    return to_uint8(noisy).astype(np.float64) if settings["noisy"] == BYTES else noisy


def _denoise(denoiser, advance, tile, results, **_):
    """Return the pilot and the final estimate, clipped, and rounded unless `results` is FLOAT."""
    finish = to_uint8 if results == BYTES else _clipped
    pilot = finish(denoiser.pixels)
    final = pilot.copy()
    for region, first, second in denoiser.tiles(tile, advance):
        pilot[region.slices], final[region.slices] = finish(first), finish(second)
    return pilot, final


def _clipped(image):
    """Return values between black and white."""
    return np.clip(image, 0.0, 255.0)


def _about(denoiser, settings):
    """Return the columns that state how an image was measured, without those of the noise."""
    channels = 1 if denoiser.pixels.ndim == 2 else denoiser.pixels.shape[2]
    parameters = settings["parameters"]
    chosen = (parameters.rules, int(denoiser.is_adapted), parameters.window)
    return channels, settings["noisy"], settings["results"], *chosen


def _save_images(folder, name, noisy, final):
    """Save the noisy and the denoised image, unless `folder` is None."""
    save_image(folder, f"{name}-noisy", to_uint8(noisy))
    save_image(folder, name, to_uint8(final))


def _quality(image, results):
    """Return the PSNR of each of several results, and their SSIM."""
    measured = [ssim_and_psnr(image, result) for result in results]
    return [psnr for _, psnr in measured], [ssim for ssim, _ in measured]


def _some_levels(examples):
    """Return the examples of up to four noise levels, in increasing order."""
    levels = sorted(examples)
    if len(levels) > LEVELS_SHOWN:
        last = len(levels) - 1
        levels = [levels[round(i * last / (LEVELS_SHOWN - 1))] for i in range(LEVELS_SHOWN)]
    return [examples[level] for level in levels]
