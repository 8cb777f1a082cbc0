"""`ezdl figure`: draw a figure of the paper from tables or a dictionary."""

import warnings
from pathlib import Path

import click

from .. import io
from ..errors import InputError
from ..experiments.summaries import SUMMARIES
from ..figures import FIGURES, load, shipped_table
from ..figures.atom_tiles import to_table
from ._shared.grouped_help import flag, new_command, path_argument
from ._shared.summary_tables import fitting, load_summary


def _inputs(name):
    """Return the input of a figure, as in the list of figures and as in an error message."""
    if FIGURES[name].needs_dictionary:
        return "DICT.npz", "one dictionary"
    if name in SUMMARIES:
        return "TABLE.csv...", "one or more tables"
    return ("(no table)", "no table") if FIGURES[name].ships_table else ("TABLE.csv", "one table")


def _list_figures(context, parameter, value):
    if not value or context.resilient_parsing:
        return
    for name, figure in FIGURES.items():
        metavar, _ = _inputs(name)
        click.echo(f"{name:20} Fig. {figure.number:<3} {metavar:12} {figure.title}")
    context.exit()


@new_command("ezdl figure evaluations evaluations.csv fig04.pdf")
@click.argument("name", metavar="NAME")
@path_argument("inputs", metavar="[INPUT]...", nargs=-1)
@path_argument("output", metavar="OUTPUT.pdf")
@flag(
    "--list",
    "List the names of all figures with their inputs, and exit.",
    is_eager=True,
    expose_value=False,
    callback=_list_figures,
)
def command(name, inputs, output):
    """Draw the figure NAME from tables or a dictionary and write OUTPUT.pdf.

    The same figure as PNG, and the table that was drawn as CSV, are written next to it. Tables of
    `ezdl evaluate`, `ezdl denoise` and `ezdl gabor` are averaged over images and seeds first.
    """
    if name not in FIGURES:
        raise InputError(f"there is no figure {name!r}; run ezdl figure --list for the names")
    _check_arguments(name, inputs, output)
    with (
        fitting(inputs[0] if inputs else name, f"figure {name!r} cannot be drawn from it"),
        warnings.catch_warnings(action="error"),
    ):
        if FIGURES[name].needs_dictionary:
            dictionary = io.load_dictionary(inputs[0])
            table, details = to_table(dictionary.pixels), {"grid": dictionary.grid}
        else:
            table, details = _load_table(name, inputs), {}
        images = _encode(load(name)(table, **details))
    io.save_figure(output, images, table)


def _check_arguments(name, inputs, output):
    """Refuse a wrong number of inputs, and names under which the figure cannot be written."""
    expected = 0 if FIGURES[name].ships_table else 1
    if len(inputs) != expected and not (name in SUMMARIES and inputs):
        _, phrase = _inputs(name)
        raise InputError(f"figure {name!r} is drawn from {phrase}, but {len(inputs)} were given")
    io.check_target(output, ".pdf")
    for suffix in (".pdf", ".png", ".csv"):
        io.check_not_among(Path(output).with_suffix(suffix), inputs)


def _load_table(name, inputs):
    """Return the table that is drawn."""
    if name in SUMMARIES:
        return load_summary(name, inputs)
    path = shipped_table(name) if FIGURES[name].ships_table else inputs[0]
    return io.load_table(path, FIGURES[name].numbers, FIGURES[name].words)


def _encode(figure):
    """Return the bytes of the figure's files, by format."""
    from ..figures.style import encode

    return {kind: encode(figure, kind) for kind in ("pdf", "png")}
