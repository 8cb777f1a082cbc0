"""`ezdl denoise-image`: remove the noise of an image."""

from dataclasses import replace

import numpy as np

from .. import io
from ..errors import InputError
from ..images.decoding import read_pixels
from ..images.image_writing import fit_metadata, format_for, write_pixels
from ..restoration.denoising import Denoiser
from ._shared.common_options import quiet_option, seed_option
from ._shared.console import echo_stderr, silence_decoders
from ._shared.denoising_options import denoising_options
from ._shared.grouped_help import new_command, option, path_argument, path_option
from ._shared.image_experiments import atom_side
from ._shared.option_errors import option_errors
from ._shared.output_paths import check_outputs
from ._shared.parameter_types import Number, NumberOrWord
from ._shared.progress_bar import fraction_callback, progress

AUTO = "auto"
STEPS = 1000  # of the progress bar

MAIN = "Main options"


@new_command("ezdl denoise-image noisy.png clean.png --sigma 25")
@path_argument("source", metavar="NOISY")
@path_argument("target", metavar="CLEAN")
@option(
    "--sigma",
    NumberOrWord(Number(min=0.0), AUTO),
    AUTO,
    "Standard deviation of the noise, in the units of the image, where white is 255 (8 bits) or "
    "65535 (16 bits). auto estimates it from the image and prints the estimate.",
    group=MAIN,
)
@path_option(
    "--dictionary",
    "DICT.npz",
    "Dictionary of patches, from `ezdl train`.",
    show_default="the dictionary of the package",
    group=MAIN,
)
@denoising_options
@seed_option
@quiet_option
def command(source, target, sigma, dictionary, parameters, tile, seed, quiet):
    """Remove white Gaussian noise from the image NOISY and write CLEAN.

    Images may be grey or in colour, with 8 or 16 bits per channel. Colour images are denoised as
    luminance and two colour differences. Transparency is not changed; ICC profile, EXIF data and
    resolution are kept as far as the format of CLEAN can hold them.
    """
    with option_errors():
        parameters.check()
    check_outputs([target], [source, *filter(None, [dictionary])])
    try:
        with silence_decoders():
            pixels = read_pixels(source)
    except InputError as error:
        raise InputError(f"{source}: {error}") from None
    file_format = format_for(target, pixels)
    pixels = fit_metadata(file_format, pixels)
    W = io.default_dictionary() if dictionary is None else _load_atoms(dictionary)
    level = None if sigma == AUTO else sigma
    with option_errors(source, W=dictionary):
        denoiser = Denoiser(pixels.values, level, W, parameters, seed)
    for note in pixels.metadata.notes:
        echo_stderr(f"{source}: {note}")
    if level is None and not quiet:
        _echo_noise(source, denoiser)
    clean = _denoise(denoiser, tile, quiet)
    with io.complete_file(target) as temporary:
        write_pixels(temporary, file_format, replace(pixels, values=clean))


def _echo_noise(source, denoiser):
    """Print the estimated noise level, and a warning if the noise is not white."""
    luminance, *chroma = (f"{value:.4g}" for value in denoiser.sigmas)
    differences = f" (luminance), {' and '.join(chroma)} (colour differences)" if chroma else ""
    echo_stderr(f"{source}: estimated noise level {luminance}{differences}")
    if not denoiser.noise.is_white:
        echo_stderr(
            f"{source}: the noise is not white, as after JPEG compression or resizing, so that its "
            "level is less certain. If noise remains or detail is lost, pass a larger or smaller "
            f"--sigma than {denoiser.noise.sigma:.4g}."
        )


def _load_atoms(path):
    """Return the atoms of a dictionary of patches."""
    dictionary = io.load_dictionary(path)
    atom_side(path, dictionary)
    return dictionary.W


def _denoise(denoiser, tile, quiet):
    """Return the estimate, in the data type of the image."""
    image = denoiser.pixels
    clean = np.empty_like(image)
    with progress(STEPS, "Denoising", quiet) as advance:
        for region, _, estimate in denoiser.tiles(tile, fraction_callback(advance, STEPS)):
            rounded = np.clip(np.rint(estimate), 0, np.iinfo(image.dtype).max)
            clean[region.slices] = rounded
    return clean
