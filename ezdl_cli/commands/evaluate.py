"""`ezdl evaluate`: how well a dictionary reproduces entire images."""

from pathlib import Path

import click
from PIL import Image

from .. import io
from ..errors import InputError
from ..experiments.reproduction import WINDOW, compare, reproductions, to_bytes, whole_blocks
from ..images.collection import list_images, report_bad
from ..images.grey import read_grey
from ..learn.atoms import patch_side
from ..parallel import in_order
from .facts import facts_of
from .options import Shares, WholeNumbers, quiet, say_left_out, skip_bad
from .progress import progress, silent_decoders


@click.command(epilog="Example: ezdl evaluate dictionary.npz photos/reproduce table.csv")
@click.argument("source", metavar="DICT.npz", type=click.Path())
@click.argument("images", metavar="IMAGES", type=click.Path())
@click.argument("target", metavar="TABLE.csv", type=click.Path())
@click.option(
    "--sparseness",
    type=Shares(),
    default="0.75,0.85,0.99",
    show_default=True,
    help="Of the codes; one or several.",
)
@click.option(
    "--iterations",
    type=WholeNumbers(),
    default="1,10,100",
    show_default=True,
    help="Landweber iterations; one or several.",
)
@click.option("--save-images", metavar="DIR", type=click.Path(), help="Keep what was made, as PNG.")
@skip_bad
@quiet
def command(source, images, target, sparseness, iterations, save_images, skip_bad, quiet):
    """Reproduce the pictures below the folder IMAGES from sparse codes of their blocks.

    TABLE.csv has a row for each picture, sparseness and number of iterations: the SSIM index and
    the PSNR of the reproduction, rounded to 8 bits. Only whole blocks count: what is left of a
    picture at the right and below is left out.
    """
    io.check_target(target)
    dictionary = io.load_dictionary(source)
    side = _side(source, dictionary)
    folder = None if save_images is None else io.check_folder(save_images)
    pictures = list_images(images)
    io.check_not_among(target, [source, *(path for _, path in pictures)])
    if folder is not None and folder.resolve().is_relative_to(Path(images).resolve()):
        raise InputError(f"{folder}: is in the folder of pictures; give another one")
    with silent_decoders(), in_order(lambda p: _problem(*p, side), pictures) as problems:
        bad = [(name, reason) for name, reason in problems if reason is not None]
    unusable = {name for name, _ in bad}
    good = [picture for picture in pictures if picture[0] not in unusable]
    report_bad(bad, [name for name, _ in good], skip_bad)
    about = facts_of(source, dictionary)
    tasks = [(name, path, share) for name, path in good for share in sparseness]
    stops = sorted(set(iterations))
    rows = []
    try:
        with (
            silent_decoders(),
            progress(len(tasks), "Reproducing images", quiet) as advance,
            in_order(lambda task: _measure(task, dictionary.W, side, stops, folder), tasks) as done,
        ):
            for measured in done:
                rows += measured
                advance(1)
        io.save_table(target, _table(about, rows))
    except BaseException:
        if rows:
            partial = Path(target).with_suffix(".partial.csv")
            io.save_table(partial, _table(about, rows))
            click.echo(f"ezdl: the {len(rows)} rows so far are in {partial}", err=True)
        raise
    say_left_out(bad)


def _side(source, dictionary):
    """Height and width of the atoms."""
    if dictionary.matrices:
        raise InputError(f"{source}: was learned from whitened samples; give one of raw patches")
    try:
        return patch_side(dictionary.W.shape[1])
    except ValueError as error:
        raise InputError(f"{source}: {error}") from None


def _problem(name, path, side):
    """A picture's name, and what is wrong with it or None."""
    try:
        height, width = read_grey(path).shape
    except InputError as error:
        return name, str(error)
    least = -(-WINDOW // side) * side
    if min(height, width) < least:
        return name, f"is {width} × {height} pixels; at least {least} × {least} are needed"
    return name, None


def _measure(task, W, side, stops, folder):
    """Rows of the table for a picture and a sparseness."""
    name, path, sparseness = task
    image = whole_blocks(read_grey(path), side)
    rows = []
    made = reproductions(image, W, sparseness, stops)
    for iterations, picture in zip(stops, map(to_bytes, made), strict=True):
        ssim, psnr = compare(image, picture)
        rows.append((name, sparseness, iterations, ssim, psnr))
        if folder is not None:
            path = folder / f"{name.removesuffix('.png')}-{sparseness}-{iterations}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            with io.complete_file(path) as temporary:
                Image.fromarray(picture).save(temporary, "PNG")
    return rows


def _table(about, rows):
    """Columns of the table."""
    names = ("image", "inference_sparseness", "iterations", "ssim", "psnr")
    measured = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    return {name: [value] * len(rows) for name, value in about.items()} | measured
