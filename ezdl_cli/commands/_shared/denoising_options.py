"""Options of the commands that denoise."""

from dataclasses import fields
from functools import wraps

from ...restoration.denoising import TILE_SIZE
from ...restoration.denoising_parameters import DenoisingParameters
from .grouped_help import option_group
from .option_errors import option_errors
from .parameter_types import Integer

_search = option_group("Search for similar patches")
_coding = option_group("Sparse coding")

_OPTIONS = (
    _search(
        "--window",
        default=DenoisingParameters.window,
        help="Half width of the window in which similar patches are searched for, in pixels.",
    ),
    _search(
        "--spacing",
        default=DenoisingParameters.spacing,
        help="Do not start a group at a patch that is already in the group of a patch within this "
        "many pixels. Larger is faster.",
    ),
    _search(
        "--group-size",
        default=DenoisingParameters.group_size,
        help="Maximum number of patches in a group.",
    ),
    _search(
        "--least",
        "min_group_size",
        default=DenoisingParameters.min_group_size,
        help="Minimum number of patches in a group; filled with the nearest patches.",
    ),
    _search(
        "--distance",
        default=DenoisingParameters.distance,
        help="Maximum mean squared difference between similar patches, divided by the noise level.",
    ),
    _coding(
        "--confidence",
        default=DenoisingParameters.confidence,
        help="Stop coding a patch when its residual falls below this quantile of the energy of the "
        "noise, between 0 and 1.",
    ),
    _coding(
        "--noise-share",
        type=float,
        default=DenoisingParameters.noise_share,
        show_default="0.92 σ² / (σ² + 64)",
        help="Fraction of the energy of the noise that is left to the residual of a group, above 0 "
        "and at most 2.",
    ),
    _coding(
        "--shrink/--no-shrink",
        default=DenoisingParameters.shrink,
        help="Shrink the coefficients of each group by the noise that they contain.",
    ),
    _coding(
        "--adapt",
        is_flag=True,
        help="Train the dictionary further on each noisy image: slower, but better.",
    ),
    option_group("Memory")(
        "--tile",
        type=Integer(min=1),
        default=TILE_SIZE,
        help="Side of the tiles that are processed one by one, in pixels. Does not change the "
        "result.",
    ),
)


def denoising_options(command):
    """Add the options to a command, which gets them as `parameters`, `adapt` and `tile`."""

    @wraps(command)
    def with_parameters(**given):
        names = [field.name for field in fields(DenoisingParameters)]
        parameters = DenoisingParameters(**{name: given.pop(name) for name in names})
        with option_errors():
            parameters.check()
        return command(parameters=parameters, **given)

    for option in reversed(_OPTIONS):
        with_parameters = option(with_parameters)
    return with_parameters
