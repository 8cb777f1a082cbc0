"""Options of the commands that denoise."""

import click

from ...restoration.denoising import TILE_SIZE
from ...restoration.denoising_parameters import RULES, DenoisingParameters
from .grouped_help import add_parameters, option
from .parameter_options import parameter_options
from .parameter_types import Integer

ON = "on; authors: off"
_GROUPS = {
    "Main options": {
        "rules": "Rules that set the defaults of other options: those of ezdl, or the method of "
        "Mairal et al. (2009), without adaptation and refinement. In colour, they see "
        "σ / √3, the noise of the luminance. Options that are given override them.",
    },
    "Search for similar patches": {
        "window": "Half width of the search window, in pixels.",
        "spacing": "Do not start a group at a patch that is in the group of a patch within this "
        "many pixels. Larger is faster.",
        "stride": "Encode only patches at this distance from each other, in pixels. Larger is "
        "faster.",
        "group_size": "Maximum number of patches in a group.",
        "min_group_size": "Minimum number of patches in a group; the nearest ones, similar or not.",
        "distance": "Maximum mean squared difference between similar patches, divided by the "
        "noise level.",
    },
    "Sparse coding": {
        "confidence": "Stop coding a patch when its residual falls below this quantile of the "
        "energy of the noise, between 0 and 1.",
        "noise_share": "Fraction of the energy of the noise that is left to the residual of a "
        "group, above 0 and at most 2.",
        "shrink": "Shrink the coefficients of each group by the noise that they contain.",
        "adapt": "Train the dictionary further on each noisy image: better, but slower.",
    },
    "Refinement": {
        "refine": "Estimate similar patches once more, by their mean and covariance in the result: "
        "better, above all in colour.",
    },
}


def _default_text(name):
    """Return the values of a parameter by both rules."""
    return f"{getattr(RULES['ezdl'], name)}; authors: {getattr(RULES['authors'], name)}"


denoising_options = add_parameters(
    parameter_options(
        DenoisingParameters,
        _GROUPS,
        rules={"type": click.Choice(tuple(RULES))},
        spacing={"show_default": _default_text("spacing")},
        stride={"show_default": "2 for σ < 8, else 1; authors: 1"},
        group_size={"show_default": _default_text("group_size")},
        min_group_size={"name": "--least", "show_default": _default_text("min_group_size")},
        distance={"show_default": "4.5; authors: σ / 4"},
        noise_share={"show_default": "0.92 σ² / (σ² + 81); authors: 1"},
        shrink={"show_default": ON},
        adapt={"show_default": "on for σ ≥ 8; authors: off"},
        refine={"show_default": ON},
    ),
    option(
        "--tile",
        Integer(min=32),
        TILE_SIZE,
        "Side of the tiles that are processed one by one, in pixels. Bounds the memory; the "
        "result is the same.",
        group="Memory",
    ),
)
