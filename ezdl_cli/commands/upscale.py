"""`ezdl upscale`: enlarge an image."""

from ..restoration.bicubic import enlarge
from ..restoration.upscaling import DICTIONARY_SCHEDULE, FACTORS, SCHEDULE, upscale
from ._shared.common_options import quiet_option
from ._shared.grouped_help import new_command, option, path_argument
from ._shared.image_files import open_images
from ._shared.noise_options import known_sigma_option
from ._shared.parameter_types import Integer
from ._shared.restoration_command import MAIN, restoration_dictionary_option, run_restoration
from ._shared.schedule_options import schedule_options


@new_command("ezdl upscale small.png large.png --factor 3")
@path_argument("source", metavar="IMAGE")
@path_argument("target", metavar="OUT")
@option(
    "--factor",
    Integer(min(FACTORS), max(FACTORS)),
    2,
    "Height and width of OUT, divided by those of IMAGE: 2, 3 or 4.",
    group=MAIN,
)
@known_sigma_option(MAIN, "It is removed, too.")
@restoration_dictionary_option
@schedule_options({"": SCHEDULE, "with --dictionary": DICTIONARY_SCHEDULE})
@quiet_option
def command(source, target, factor, sigma, dictionary, choose_schedule, quiet):
    """Enlarge IMAGE and write OUT, with sharper edges than interpolation has.

    The bicubic reduction of the result is IMAGE, apart from rounding. Images may be grey or in
    colour, with 8 or 16 bits per channel. Transparency is enlarged by bicubic interpolation; ICC
    profile, EXIF data and resolution (dots per inch) are kept as far as the format of OUT can hold
    them.
    """
    files = open_images(source, target, [dictionary], factor)
    schedule = choose_schedule(SCHEDULE if dictionary is None else DICTIONARY_SCHEDULE)
    settings = {"sigma": sigma, "schedule": schedule}
    values = run_restoration("Upscaling", quiet, upscale, files, dictionary, factor, **settings)
    files.echo_notes()
    alpha = files.pixels.alpha
    files.write(values, None if alpha is None else enlarge(alpha, factor))
