"""`ezdl deblur`: sharpen an image that was blurred by a known kernel."""

import click

from ..restoration.blurred_noise import estimate_blurred_noise
from ..restoration.blurring import normalised_kernel
from ..restoration.deblurring import BOUNDARIES, DICTIONARY_SCHEDULE, SCHEDULE, deblur
from ._shared.common_options import quiet_option
from ._shared.console import echo_stderr
from ._shared.grouped_help import new_command, option, path_argument
from ._shared.image_files import open_images
from ._shared.kernel_argument import kernel_from
from ._shared.noise_options import estimated_sigma_option
from ._shared.option_errors import option_errors
from ._shared.restoration_command import MAIN, restoration_dictionary_option, run_restoration
from ._shared.schedule_options import schedule_options


@new_command("ezdl deblur blurred.png gaussian:1.6 sharp.png")
@path_argument("source", metavar="IMAGE")
@path_argument("kernel")
@path_argument("target", metavar="OUT")
@estimated_sigma_option(MAIN)
@option(
    "--boundary",
    click.Choice(BOUNDARIES),
    BOUNDARIES[0],
    "What lies beyond the borders of IMAGE. Images that were blurred by multiplication "
    "in the Fourier domain are periodic.",
    group=MAIN,
)
@restoration_dictionary_option
@schedule_options({"": SCHEDULE, "with --dictionary": DICTIONARY_SCHEDULE})
@quiet_option
def command(source, kernel, target, sigma, boundary, dictionary, choose_schedule, quiet):
    """Sharpen IMAGE, which was blurred by a known KERNEL, and write OUT.

    KERNEL is the blurred picture of a point: a small grey image in which transparent parts count as
    black, a .npy file with a matrix of numbers, or one of

    \b
    gaussian:SIGMA       standard deviation in pixels
    motion:LENGTH:ANGLE  length in pixels, counter-clockwise angle in degrees
    disk:RADIUS          lens out of focus, radius in pixels
    box:SIDE             average over a square, odd side in pixels

    Its weights are divided by their sum. Images may be grey or in colour, with 8 or 16 bits per
    channel. Transparency is not changed; ICC profile, EXIF data and resolution are kept as far as
    the format of OUT can hold them.
    """
    files = open_images(source, target, [kernel, dictionary])
    weights = kernel_from(kernel, files.pixels.values.shape[:2])
    is_estimated = sigma is None
    if is_estimated:
        with option_errors(source):
            sigma = estimate_blurred_noise(files.pixels.values, normalised_kernel(weights))
    schedule = choose_schedule(SCHEDULE if dictionary is None else DICTIONARY_SCHEDULE)
    settings = {"sigma": sigma, "boundary": boundary, "schedule": schedule}
    sharp = run_restoration(
        *("Deblurring", quiet, deblur, files, dictionary, weights),
        named={"kernel": kernel},
        **settings,
    )
    files.echo_notes()
    if is_estimated and not quiet:
        echo_stderr(f"{source}: estimated noise level {sigma:.4g}")
    files.write(sharp)
