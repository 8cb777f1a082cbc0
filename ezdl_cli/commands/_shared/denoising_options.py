"""Options of the commands that denoise."""

from ...restoration.denoising import TILE_SIZE
from ...restoration.denoising_parameters import DenoisingParameters
from .grouped_help import add_parameters, flag, option
from .parameter_options import parameter_options
from .parameter_types import Integer

_CODING = "Sparse coding"
_GROUPS = {
    "Search for similar patches": {
        "window": "Half width of the search window, in pixels.",
        "spacing": "Do not start a group at a patch that is in the group of a patch within this "
        "many pixels. Larger is faster.",
        "group_size": "Maximum number of patches in a group.",
        "min_group_size": "Minimum number of patches in a group; the nearest ones, similar or not.",
        "distance": "Maximum mean squared difference between similar patches, divided by the "
        "noise level.",
    },
    _CODING: {
        "confidence": "Stop coding a patch when its residual falls below this quantile of the "
        "energy of the noise, between 0 and 1.",
        "noise_share": "Fraction of the energy of the noise that is left to the residual of a "
        "group, above 0 and at most 2.",
        "shrink": "Shrink the coefficients of each group by the noise that they contain.",
    },
}

denoising_options = add_parameters(
    parameter_options(
        DenoisingParameters,
        _GROUPS,
        min_group_size={"name": "--least"},
        noise_share={"show_default": "0.92 σ² / (σ² + 64)"},
    ),
    flag(
        "--adapt",
        "Train the dictionary further on each noisy image: slower, but better.",
        group=_CODING,
    ),
    option(
        "--tile",
        Integer(min=1),
        TILE_SIZE,
        "Side of the tiles that are processed one by one, in pixels. Bounds the memory; the "
        "result is the same.",
        group="Memory",
    ),
)
