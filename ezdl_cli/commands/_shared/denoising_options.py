"""The options of the commands that denoise."""

from dataclasses import fields
from functools import wraps

import click

from ...restoration.denoising import TILE
from ...restoration.passes import Parameters
from .options import SHARE, Between

_OPTIONS = (
    click.option(
        "--window",
        type=click.IntRange(0, 1000),
        default=Parameters.window,
        show_default=True,
        help="How far similar patches are searched for, in pixels to each side.",
    ),
    click.option(
        "--spacing",
        type=click.IntRange(0, 1000),
        default=Parameters.spacing,
        show_default=True,
        help="A patch that is in the group of one so near makes none of its own.",
    ),
    click.option(
        "--group-size",
        type=click.IntRange(1, 10**5),
        default=Parameters.group_size,
        show_default=True,
        help="Patches of a group at the most.",
    ),
    click.option(
        "--least",
        type=click.IntRange(1, 10**5),
        default=Parameters.least,
        show_default=True,
        help="Patches of a group at the least, where they are found.",
    ),
    click.option(
        "--distance",
        type=Between(min=0.0),
        default=Parameters.distance,
        show_default=True,
        help="Mean squared difference of similar patches, over the noise level.",
    ),
    click.option(
        "--confidence",
        type=SHARE,
        default=Parameters.confidence,
        show_default=True,
        help="With which the rest of a code is no larger than its noise.",
    ),
    click.option(
        "--noise-share",
        type=Between(0.0, 2.0, min_open=True),
        help="Share of a group's noise that codes leave  [default: 0.92 σ² / (σ² + 64)]",
    ),
    click.option(
        "--shrink/--no-shrink",
        default=Parameters.shrink,
        show_default=True,
        help="Shrink coefficients by what noise explains of them.",
    ),
    click.option(
        "--adapt",
        is_flag=True,
        help="Learn the dictionary anew on each noisy picture, starting from the given one.",
    ),
    click.option(
        "--tile",
        type=click.IntRange(min=1),
        default=TILE,
        show_default=True,
        help="Height and width of what is worked on at once; the result is the same for any.",
    ),
)


def denoising_options(command):
    """Give a command these options; it gets `parameters`, `adapt` and `tile`."""

    @wraps(command)
    def with_parameters(**given):
        chosen = {field.name: given.pop(field.name) for field in fields(Parameters)}
        return command(parameters=Parameters(**chosen), **given)

    for option in reversed(_OPTIONS):
        with_parameters = option(with_parameters)
    return with_parameters
