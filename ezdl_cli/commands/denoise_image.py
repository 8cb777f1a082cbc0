"""`ezdl denoise-image`: remove the noise of an image."""

import numpy as np

from .. import io
from ..restoration.denoising import Denoiser
from ._shared.common_options import quiet_option, seed_option
from ._shared.denoising_options import denoising_options
from ._shared.grouped_help import new_command, path_argument, path_option
from ._shared.image_files import as_type, load_atoms, open_images
from ._shared.noise_options import echo_noise, estimated_sigma_option
from ._shared.option_errors import option_errors
from ._shared.progress_bar import fraction_callback, progress

STEPS = 1000  # of the progress bar

MAIN = "Main options"


@new_command("ezdl denoise-image noisy.png clean.png --sigma 25")
@path_argument("source", metavar="NOISY")
@path_argument("target", metavar="CLEAN")
@estimated_sigma_option(MAIN)
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
    files = open_images(source, target, [dictionary])
    W = io.default_dictionary() if dictionary is None else load_atoms(dictionary)
    with option_errors(source, W=dictionary):
        denoiser = Denoiser(files.pixels.values, sigma, W, parameters, seed)
    files.echo_notes()
    if sigma is None and not quiet:
        echo_noise(source, denoiser.noise)
    files.write(_denoise(denoiser, tile, quiet))


def _denoise(denoiser, tile, quiet):
    """Return the estimate, in the data type of the image."""
    image = denoiser.pixels
    clean = np.empty_like(image)
    with progress(STEPS, "Denoising", quiet) as advance:
        for region, _, estimate in denoiser.tiles(tile, fraction_callback(advance, STEPS)):
            clean[region.slices] = as_type(estimate, image.dtype)
    return clean
