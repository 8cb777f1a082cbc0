"""`ezdl denoise-image`: remove the noise of a picture."""

from dataclasses import replace
from pathlib import Path

import click
import numpy as np

from .. import io
from ..errors import InputError
from ..images.pictures import KINDS, check_pixels_target, read_pixels, write_pixels
from ..restoration.denoising import Job, Picture
from ._shared.denoising_options import denoising_options
from ._shared.measuring import atoms_side
from ._shared.options import quiet, seed
from ._shared.progress import by_shares, progress, silent_decoders, tell

AUTO = "auto"
STEPS = 1000


class Level(click.ParamType):
    """A noise level, or "auto"."""

    name = "N"

    def convert(self, value, parameter, context):
        if value is None or value == AUTO or isinstance(value, float):
            return value
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if not 0.0 <= number < np.inf:
            self.fail(f"{value!r} is neither a noise level nor {AUTO}", parameter, context)
        return number


@click.command(epilog="Example: ezdl denoise-image noisy.png clean.png --sigma 25")
@click.argument("source", metavar="NOISY", type=click.Path())
@click.argument("target", metavar="CLEAN", type=click.Path())
@click.option(
    "--sigma",
    type=Level(),
    default=AUTO,
    show_default=True,
    help="Standard deviation of the noise, in the picture's own units: white is 255 or 65535.",
)
@click.option(
    "--dictionary",
    metavar="DICT.npz",
    type=click.Path(),
    help="To denoise with  [default: the one that ships with the package]",
)
@denoising_options
@seed
@quiet
def command(source, target, sigma, dictionary, parameters, adapt, tile, seed, quiet):
    """Remove white Gaussian noise from the picture NOISY and write CLEAN.

    Pictures are grey or in colour, of 8 or 16 bits; transparency stays as it is. In colour, the
    luminance and two differences of colours are denoised, each by itself. What the noise level was
    taken for is said on standard error if it had to be estimated.
    """
    io.check_target(target)
    io.check_not_among(target, [path for path in (source, dictionary) if path])
    try:
        with silent_decoders():
            pixels = read_pixels(source)
    except InputError as error:
        raise InputError(f"{source}: {error}") from None
    check_pixels_target(target, pixels)
    W = io.default_dictionary() if dictionary is None else _atoms(dictionary)
    level = None if sigma == AUTO else sigma
    try:
        job = Job(Picture(pixels.values), level, W, parameters, adapt, seed)
    except ValueError as error:
        raise InputError(f"{source}: {error}") from None
    if level is None and not quiet:
        found = ", ".join(f"{value:.4g}" for value in job.sigmas)
        tell(f"noise level {found}")
    clean = _denoised(job, tile, quiet)
    with io.complete_file(target) as temporary:
        kind, _, _ = KINDS[Path(target).suffix.lower()]
        write_pixels(temporary, kind, replace(pixels, values=clean))


def _atoms(path):
    """The atoms of a dictionary of patches."""
    dictionary = io.load_dictionary(path)
    atoms_side(path, dictionary)
    return dictionary.W


def _denoised(job, tile, quiet):
    """The estimate, in the type of the picture."""
    image = job.picture.image
    clean = np.empty_like(image)
    with progress(STEPS, "Denoising", quiet) as advance:
        for region, _, estimate in job.tiles(tile, by_shares(advance, STEPS)):
            rounded = np.clip(np.rint(estimate), 0, np.iinfo(image.dtype).max)
            clean[region.slices] = rounded
    return clean
