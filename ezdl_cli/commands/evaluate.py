"""`ezdl evaluate`: how well a dictionary reproduces entire images."""

import click

from .. import io
from ..images.grey import read_grey
from ..parallel import in_order
from ..restoration.reproduction import WINDOW, compare, reproductions, whole_blocks
from ._shared.measuring import (
    atoms_side,
    check_saved_names,
    kept_rows,
    save_picture,
    usable_pictures,
)
from ._shared.options import SHARES, WHOLE_NUMBERS, quiet, say_left_out, skip_bad
from ._shared.progress import progress, silent_decoders

COLUMNS = ("image", "inference_sparseness", "iterations", "ssim", "psnr")


@click.command(epilog="Example: ezdl evaluate dictionary.npz photos/reproduce table.csv")
@click.argument("source", metavar="DICT.npz", type=click.Path())
@click.argument("images", metavar="IMAGES", type=click.Path())
@click.argument("target", metavar="TABLE.csv", type=click.Path())
@click.option(
    "--sparseness",
    type=SHARES,
    default="0.75,0.85,0.99",
    show_default=True,
    help="Of the codes; one or several.",
)
@click.option(
    "--iterations",
    type=WHOLE_NUMBERS,
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
    side = atoms_side(source, dictionary)
    folder = None if save_images is None else io.check_folder(save_images)
    least = -(-WINDOW // side) * side
    good, bad = usable_pictures(images, target, source, folder, least, skip_bad)
    if folder is not None:
        check_saved_names([name for name, _ in good], _stem)
    tasks = [(name, path, share) for name, path in good for share in sparseness]
    stops = sorted(set(iterations))
    with (
        kept_rows(target, source, dictionary, COLUMNS) as rows,
        silent_decoders(),
        progress(len(tasks), "Reproducing images", quiet) as advance,
        in_order(lambda task: _measure(task, dictionary.W, side, stops, folder), tasks) as done,
    ):
        for measured in done:
            rows += measured
            advance(1)
    say_left_out(bad)


def _stem(name):
    """A picture's name without its ending, if that is ours."""
    return name.removesuffix(".png")


def _measure(task, W, side, stops, folder):
    """Rows of the table for a picture and a sparseness."""
    name, path, sparseness = task
    image = whole_blocks(read_grey(path), side)
    rows = []
    made = reproductions(image, W, sparseness, stops, as_bytes=True)
    for iterations, picture in zip(stops, made, strict=True):
        rows.append((name, sparseness, iterations, *compare(image, picture)))
        save_picture(folder, f"{_stem(name)}-{sparseness}-{iterations}", picture)
    return rows
