"""`ezdl figure`: draw a figure of the paper from tables or a dictionary."""

import warnings
from pathlib import Path

import click

from .. import io
from ..errors import InputError
from ..figures import FIGURES, load, load_table, summarise
from ..figures.atom_tiles import to_table
from ._shared.grouped_help import GroupedCommand, option, path_argument


def _source(figure):
    """Return the input of a figure, as in the list of figures and as in an error message."""
    if figure.needs_dictionary:
        return "DICT.npz", "one dictionary"
    if figure.many:
        return "TABLE.csv...", "one table or more"
    return ("TABLE.csv", "one table") if figure.needs_table else ("(no table)", "no table")


def _list_figures(context, parameter, value):
    if not value or context.resilient_parsing:
        return
    for name, figure in FIGURES.items():
        source, _ = _source(figure)
        click.echo(f"{name:20} Fig. {figure.number:<3} {source:12} {figure.title}")
    context.exit()


@click.command(
    cls=GroupedCommand, epilog="Example: ezdl figure evaluations evaluations.csv fig04.pdf"
)
@click.argument("name", metavar="NAME")
@path_argument("inputs", metavar="[INPUT]...", nargs=-1)
@path_argument("output", metavar="OUTPUT.pdf")
@option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_figures,
    help="List the names of all figures with their inputs, and exit.",
)
def command(name, inputs, output):
    """Draw the figure NAME from its tables or dictionary and write OUTPUT.pdf.

    The same figure as PNG, and the numbers that it shows as CSV, are written next to it.
    """
    if name not in FIGURES:
        raise InputError(f"there is no figure {name!r}; run ezdl figure --list for the names")
    chosen = FIGURES[name]
    wanted = chosen.needs_table or chosen.needs_dictionary
    if len(inputs) != wanted and not (chosen.many and inputs):
        _, needed = _source(chosen)
        raise InputError(f"figure {name!r} is drawn from {needed}, but {len(inputs)} were given")
    if Path(output).suffix.lower() != ".pdf":
        raise InputError(f"{output!r}: the name of a figure must end with .pdf")
    for kind in (".pdf", ".png", ".csv"):
        io.check_not_among(Path(output).with_suffix(kind), inputs)
    if chosen.needs_dictionary:
        content = io.load_dictionary(inputs[0])
    elif chosen.needs_table:
        content = io.load_tables(inputs, chosen.numbers, chosen.words)
    else:
        content = load_table(name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            pictures, table = _draw(name, content)
    except (ArithmeticError, LookupError, StopIteration, TypeError, ValueError, Warning) as error:
        source = inputs[0] if inputs else name
        raise InputError(f"{source}: figure {name!r} cannot be drawn from it ({error})") from None
    io.save_figure(output, pictures, table)


def _draw(name, content):
    """Return the bytes of the figure's files, and the table that it shows."""
    from ..figures.style import encode

    table, details = content, {}
    if isinstance(content, io.Dictionary):
        table, details = to_table(content.pixels), {"grid": content.grid}
    table = summarise(name, table)
    figure = load(name)(table, **details)
    return {kind: encode(figure, kind) for kind in ("pdf", "png")}, table
