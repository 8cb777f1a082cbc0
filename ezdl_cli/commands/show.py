"""`ezdl show`: the atoms of a dictionary as a picture."""

from pathlib import Path

import click

from .. import io
from ..errors import InputError
from ..figures.atom_tiles import tile, to_grey

SIZE = 1000
MAX_PIXELS = 1 << 28


@click.command(epilog="Example: ezdl show dictionary.npz dictionary.png")
@click.argument("source", metavar="DICT.npz", type=click.Path())
@click.argument("target", metavar="OUT.png", type=click.Path())
@click.option(
    "--scale",
    type=click.IntRange(min=1),
    help=f"Enlarge each pixel so many times [to about {SIZE} pixels in all].",
)
def command(source, target, scale):
    """Draw the atoms side by side: 0 is mid-grey, the largest magnitude of each black or white.

    Atoms of topographic dictionaries are in the order of their grid; those of whitened samples are
    brought back to pixels.
    """
    if Path(target).suffix.lower() != ".png":
        raise InputError(f"{target}: the name of a picture must end with .png")
    io.check_target(target)
    io.check_not_among(target, [source])
    dictionary = io.load_dictionary(source)
    if dictionary.pixels.size > MAX_PIXELS // 8:
        raise InputError(f"{source}: is too large to be shown")
    try:
        picture = to_grey(tile(dictionary.pixels, dictionary.grid))
    except ValueError as error:
        raise InputError(f"{source}: cannot be shown ({error})") from None
    height, width = picture.shape
    scale = scale or max(1, round(SIZE / max(picture.shape)))
    if height * width * scale**2 > MAX_PIXELS:
        size = f"{width * scale}x{height * scale}"
        raise InputError(f"{target}: would be too large, {size} pixels; give a smaller --scale")
    enlarged = picture.repeat(scale, axis=0).repeat(scale, axis=1)
    io.save_png(target, enlarged)
