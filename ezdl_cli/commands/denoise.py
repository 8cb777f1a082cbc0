"""`ezdl denoise`: how well noise is removed with a dictionary."""

from itertools import product
from pathlib import Path

import click

from .. import io
from ..errors import InputError
from ..images.grey import read_grey
from ..restoration.denoising import Job, Picture
from ..restoration.reproduction import WINDOW, compare, to_bytes
from ..samples.patches import image_stream
from ._shared.denoising_options import denoising_options
from ._shared.measuring import (
    atoms_side,
    check_saved_names,
    kept_rows,
    save_picture,
    usable_pictures,
)
from ._shared.options import LEVELS, quiet, say_left_out, seed, skip_bad
from ._shared.progress import by_shares, progress, silent_decoders

COLUMNS = (
    "image",
    "sigma",
    "repeat",
    "adapted",
    "window",
    *(f"psnr_{stage}" for stage in ("noisy", "pilot", "final")),
    *(f"ssim_{stage}" for stage in ("noisy", "pilot", "final")),
)
CROP = 128
LEVELS_DRAWN = 4
STEPS = 100  # of the progress bar, for each picture


@click.command(epilog="Example: ezdl denoise dictionary.npz photos/denoise table.csv --sigma 25")
@click.argument("source", metavar="DICT.npz", type=click.Path())
@click.argument("images", metavar="IMAGES", type=click.Path())
@click.argument("target", metavar="TABLE.csv", type=click.Path())
@click.option(
    "--sigma",
    type=LEVELS,
    default="2.5,25,50",
    show_default=True,
    help="Standard deviation of the noise, white is 255; one or several.",
)
@click.option(
    "--repeats",
    type=click.IntRange(1, 10**6),
    default=5,
    show_default=True,
    help="Noisy versions of each picture and level.",
)
@denoising_options
@click.option(
    "--save-images",
    metavar="DIR",
    type=click.Path(),
    help="Keep noisy and denoised pictures, as PNG.",
)
@click.option(
    "--picture",
    metavar="OUT.png",
    type=click.Path(),
    help="Draw crops of the first picture, noisy and denoised, for up to four levels.",
)
@seed
@skip_bad
@quiet
def command(
    source,
    images,
    target,
    sigma,
    repeats,
    parameters,
    adapt,
    tile,
    save_images,
    picture,
    seed,
    skip_bad,
    quiet,
):
    """Add white Gaussian noise to the pictures below the folder IMAGES, and remove it.

    TABLE.csv has a row for each picture, noise level and repeat: PSNR and SSIM of the noisy
    picture, of the pilot and of the final result. The last two are clipped and rounded to 8 bits,
    the noisy one is neither. The noise depends on the seed, the picture's name, the level and the
    number of the repeat alone.
    """
    _check_targets(source, target, picture)
    dictionary = io.load_dictionary(source)
    side = atoms_side(source, dictionary)
    folder = None if save_images is None else io.check_folder(save_images)
    good, bad = usable_pictures(images, target, source, folder, max(side, WINDOW), skip_bad)
    if picture is not None:
        io.check_not_among(picture, [Path(images) / name for name, _ in (*good, *bad)])
    if folder is not None:
        check_saved_names([name for name, _ in good], _stem)
    tasks = product(good, sigma, range(repeats))
    n_tasks = len(good) * len(sigma) * repeats
    crops = {}
    with (
        kept_rows(target, source, dictionary, COLUMNS) as rows,
        silent_decoders(),
        progress(STEPS * n_tasks, "Denoising images", quiet) as advance,
    ):
        for (name, path), level, number in tasks:
            image = read_grey(path)
            noisy = image + level * _noise(seed, name, level, number, image.shape)
            try:
                job = Job(Picture(noisy), level, dictionary.W, parameters, adapt, seed)
            except ValueError as error:
                raise InputError(f"{path}: {error}") from None
            pilot, final = _whole(job, tile, by_shares(advance, STEPS))
            stem = f"{_stem(name)}-{level:.12g}-{number + 1}"
            save_picture(folder, f"{stem}-noisy", to_bytes(noisy))
            save_picture(folder, stem, final)
            psnr, ssim = _quality(image, (noisy, pilot, final))
            rows.append((name, level, number + 1, int(adapt), parameters.window, *psnr, *ssim))
            if name == good[0][0] and number == 0:
                crops[level] = ([_crop(part) for part in (image, noisy, final)], psnr[::2])
    if picture is not None:
        _draw(picture, crops)
    say_left_out(bad)


def _check_targets(source, target, picture):
    """Refuse names under which nothing can be written, or what is read or written already."""
    targets = [path for path in (target, picture) if path]
    for path in targets:
        io.check_target(path)
        io.check_not_among(path, [source])
    if len({Path(path).resolve() for path in targets}) < len(targets):
        raise InputError(f"{picture}: is the name of the table, too; give another one")


def _stem(name):
    """A picture's name without its ending."""
    return name.rpartition(".")[0]


def _noise(seed, name, level, number, shape):
    """Standard normal noise of a picture, a level and a repeat."""
    stream = image_stream(seed, f"{_stem(name)} {level:.12g} {number + 1}.png")
    return stream.standard_normal(shape)


def _whole(job, tile, advance):
    """Pilot and final result, in 8 bits."""
    pilot = to_bytes(job.picture.image)
    final = pilot.copy()
    for region, first, second in job.tiles(tile, advance):
        pilot[region.slices], final[region.slices] = to_bytes(first), to_bytes(second)
    return pilot, final


def _quality(image, results):
    """PSNR of several results, and SSIM."""
    measured = [compare(image, result) for result in results]
    return [psnr for _, psnr in measured], [ssim for ssim, _ in measured]


def _crop(image):
    """The middle of an image."""
    top, left = (max(0, (length - CROP) // 2) for length in image.shape)
    return image[top : top + CROP, left : left + CROP]


def _draw(path, crops):
    """Draw the crops of some levels, from the least noise to the most."""
    from ..figures.crops import draw_crops
    from ..figures.style import encode

    levels = sorted(crops)
    if len(levels) > LEVELS_DRAWN:
        last = len(levels) - 1
        levels = [levels[round(i * last / (LEVELS_DRAWN - 1))] for i in range(LEVELS_DRAWN)]
    figure = draw_crops([(level, *crops[level]) for level in levels])
    io.save_bytes(path, encode(figure, "png"))
