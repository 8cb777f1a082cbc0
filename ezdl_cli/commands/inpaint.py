"""`ezdl inpaint`: fill in the missing pixels of an image."""

from ..images.masks import read_mask
from ..restoration.inpainting import DICTIONARY_SCHEDULE, SCHEDULE, inpaint
from ._shared.common_options import quiet_option
from ._shared.console import echo_stderr, silence_decoders
from ._shared.grouped_help import new_command, option, path_argument
from ._shared.image_files import open_images
from ._shared.noise_options import known_sigma_option
from ._shared.parameter_types import Number
from ._shared.restoration_command import MAIN, restoration_dictionary_option, run_restoration
from ._shared.schedule_options import schedule_options


@new_command("ezdl inpaint scratched.png mask.png clean.png")
@path_argument("source", metavar="IMAGE")
@path_argument("mask")
@path_argument("target", metavar="OUT")
@option(
    "--threshold",
    Number(0.0, 1.0, max_open=True),
    0.0,
    "Brightness above which a pixel of an image MASK is missing, as a share of the brightest one "
    "in MASK. Raise it to ignore dark pixels next to the marks, which JPEG compression causes.",
    group=MAIN,
)
@known_sigma_option(
    MAIN, "If it is 0, known pixels do not change; otherwise, they are denoised, too."
)
@restoration_dictionary_option
@schedule_options({"": SCHEDULE, "with --dictionary": DICTIONARY_SCHEDULE})
@quiet_option
def command(source, mask, target, threshold, sigma, dictionary, choose_schedule, quiet):
    """Fill in the missing pixels of IMAGE, such as scratches and text, and write OUT.

    MASK is an image of the same size in which all pixels that are missing are white, or of any
    other colour but black; transparent parts count as black. It can also be a .npy file with a
    matrix of booleans or integers, where nonzero entries are missing.

    Images may be grey or in colour, with 8 or 16 bits per channel. Transparency is not changed;
    ICC profile, EXIF data and resolution are kept as far as the format of OUT can hold them.
    """
    files = open_images(source, target, [mask, dictionary])
    with silence_decoders():
        marks = read_mask(mask, files.pixels.values.shape[:2], threshold)
    schedule = choose_schedule(SCHEDULE if dictionary is None else DICTIONARY_SCHEDULE)
    settings = {"sigma": sigma, "schedule": schedule, "named": {"mask": mask}}
    filled = run_restoration(
        "Inpainting", quiet, inpaint, files, dictionary, marks.missing, **settings
    )
    files.echo_notes()
    _echo_marks(mask, marks, threshold, quiet)
    files.write(filled)


def _echo_marks(mask, marks, threshold, quiet):
    """Print if no pixel is missing, and if a mask has grey pixels."""
    if not marks.missing.any():
        echo_stderr(f"{mask}: no pixel is missing")
    elif marks.n_grey and not quiet:
        share = marks.missing.mean()
        echo_stderr(
            f"{mask}: {marks.n_grey} pixels are neither black nor white; with --threshold "
            f"{threshold:g}, {share:.1%} of all pixels are missing"
        )
