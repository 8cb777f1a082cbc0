"""`ezdl show`: the atoms of a dictionary as an image."""

import math

from .. import io
from ..errors import InputError
from ..figures.atom_tiles import tile, to_grey
from ._shared.grouped_help import new_command, option, path_argument
from ._shared.option_errors import reject_option
from ._shared.output_paths import check_outputs
from ._shared.parameter_types import Integer

TARGET_SIZE = 1000  # pixels, a width that fits most screens
MAX_PIXELS = 1 << 28  # of the image: 256 MiB


@new_command("ezdl show dictionary.npz dictionary.png")
@path_argument("source", metavar="DICT.npz")
@path_argument("target", metavar="OUT.png")
@option(
    "--scale",
    Integer(min=1),
    None,
    "Factor by which each pixel is enlarged.",
    show_default=f"for a width of about {TARGET_SIZE} pixels",
)
def command(source, target, scale):
    """Draw the atoms of a dictionary as an image.

    Zero is mid-grey; the largest magnitude in each atom is black or white. Topographic dictionaries
    are arranged on their grid. Atoms of whitened samples are transformed back to pixels.
    """
    io.check_target(target, ".png")
    check_outputs([target], [source])
    dictionary = io.load_dictionary(source)
    if dictionary.pixels.size > MAX_PIXELS // 8:
        raise InputError(f"{source}: has too many pixels to be drawn as one image")
    try:
        image = to_grey(tile(dictionary.pixels, dictionary.grid))
    except ValueError as error:
        raise InputError(f"{source}: cannot be drawn ({error})") from None
    height, width = image.shape
    scale = scale or max(1, round(TARGET_SIZE / max(image.shape)))
    max_scale = math.isqrt(MAX_PIXELS // (height * width))
    if scale > max_scale:
        problem = f"must be at most {max_scale} for atoms on {width}x{height} pixels, not {scale}"
        reject_option("--scale", problem)
    enlarged = image.repeat(scale, axis=0).repeat(scale, axis=1)
    io.save_png(target, enlarged)
