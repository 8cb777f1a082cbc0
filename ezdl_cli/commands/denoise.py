"""`ezdl denoise`: measure how well a dictionary removes noise from images."""

from itertools import product

from .. import io
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
    save_image,
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
    "rules",
    "adapted",
    "window",
    *(f"psnr_{stage}" for stage in ("noisy", "pilot", "final")),
    *(f"ssim_{stage}" for stage in ("noisy", "pilot", "final")),
)
DRAWN_SIDE = 128  # pixels of an image that are drawn
LEVELS_DRAWN = 4
STEPS = 100  # of the progress bar, per image
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
@denoising_options
@seed_option
@skip_bad_option
@quiet_option
def command(
    source, images, target, sigma, repeats, crop, save_images, picture, skip_bad, quiet, **settings
):
    """Add white Gaussian noise to the images in the folder IMAGES, and measure how well it is
    removed.

    TABLE.csv has one row per image, noise level and repetition: PSNR and SSIM of the noisy image,
    of the first estimate (pilot) and of the final one. Both estimates are rounded to 8 bits, the
    noisy image is not. The noise depends only on the seed, the name of the image, the noise level
    and the number of the repetition.
    """
    with option_errors():
        settings["parameters"].check()
    check_outputs([target, picture], [source])
    dictionary = io.load_dictionary(source)
    min_side = max(atom_side(source, dictionary), SSIM_WINDOW)
    check_crop(crop, min_side)
    folder = None if save_images is None else io.check_folder(save_images)
    usable, unusable = usable_images(images, [target, picture], folder, min_side, skip_bad, _stem)
    columns, crops = dictionary_columns(source, dictionary), {}
    with (
        collected_rows(target) as rows,
        silence_decoders(),
        progress(STEPS * len(usable) * len(sigma) * repeats, "Denoising images", quiet) as advance,
    ):
        for (name, path), level, number in product(usable, sigma, range(1, repeats + 1)):
            image = central_crop(read_grey(path), crop)
            rng = image_rng(settings["seed"], f"{_stem(name)} {level:.12g} {number}.png")
            noisy = image + level * rng.standard_normal(image.shape)
            callback = fraction_callback(advance, STEPS)
            with option_errors(path):
                pilot, final = _denoise(noisy, level, dictionary.W, callback, **settings)
            stem = f"{_stem(name)}-{level:.12g}-{number}"
            save_image(folder, f"{stem}-noisy", to_uint8(noisy))
            save_image(folder, stem, final)
            psnr, ssim = _quality(image, (noisy, pilot, final))
            parameters = settings["parameters"]
            about = (parameters.rules, int(settings["adapt"]), parameters.window)
            measured = (name, level, number, *about, *psnr, *ssim)
            rows.append(columns | dict(zip(COLUMNS, measured, strict=True)))
            if name == usable[0][0] and number == 1:
                parts = [central_crop(part, DRAWN_SIDE) for part in (image, noisy, final)]
                crops[level] = (parts, psnr[::2])
    if picture is not None:
        _draw(picture, crops)
    echo_skipped(unusable)


def _stem(name):
    """Return the name of an image without its suffix."""
    return name.rpartition(".")[0]


def _denoise(noisy, level, W, advance, parameters, adapt, tile, seed):
    """Return the pilot and the final estimate, rounded to 8 bits."""
    denoiser = Denoiser(noisy, level, W, parameters, adapt, seed)
    pilot = to_uint8(noisy)
    final = pilot.copy()
    for region, first, second in denoiser.tiles(tile, advance):
        pilot[region.slices], final[region.slices] = to_uint8(first), to_uint8(second)
    return pilot, final


def _quality(image, results):
    """Return the PSNR of each of several results, and their SSIM."""
    measured = [ssim_and_psnr(image, result) for result in results]
    return [psnr for _, psnr in measured], [ssim for ssim, _ in measured]


def _draw(path, crops):
    """Draw the crops of up to four noise levels, in increasing order."""
    from ..figures.crops import draw_crops
    from ..figures.style import encode

    levels = sorted(crops)
    if len(levels) > LEVELS_DRAWN:
        last = len(levels) - 1
        levels = [levels[round(i * last / (LEVELS_DRAWN - 1))] for i in range(LEVELS_DRAWN)]
    figure = draw_crops([(level, *crops[level]) for level in levels])
    io.save_bytes(path, encode(figure, "png"))
