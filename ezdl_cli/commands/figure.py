"""`ezdl figure`: draw a figure from its table or dictionary."""

import warnings
from pathlib import Path

import click

from .. import io
from ..errors import InputError
from ..figures import FIGURES, load, load_table, summarise
from ..figures.atom_tiles import to_table


def _source(figure):
    """What a figure is drawn from: what its input is called, and in words."""
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


@click.command(epilog="Example: ezdl figure evaluations evaluations.csv fig04.pdf")
@click.argument("name", metavar="NAME")
@click.argument("inputs", metavar="[INPUT]...", nargs=-1, type=click.Path())
@click.argument("output", metavar="OUTPUT.pdf", type=click.Path())
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_figures,
    help="Name the figures and leave.",
)
def command(name, inputs, output):
    """Draw the figure NAME from its table or dictionary and write OUTPUT.pdf.

    A PNG and the CSV that was drawn are written beside it.
    """
    if name not in FIGURES:
        raise InputError(f"no figure is called {name!r}; see ezdl figure --list")
    chosen = FIGURES[name]
    wanted = chosen.needs_table or chosen.needs_dictionary
    if len(inputs) != wanted and not (chosen.many and inputs):
        _, needed = _source(chosen)
        raise InputError(f"figure {name!r} is drawn from {needed}, {len(inputs)} given")
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
        raise InputError(f"{source}: does not fit figure {name!r} ({error})") from None
    io.save_figure(output, pictures, table)


def _draw(name, content):
    """The bytes of the figure's files, and the table that was drawn."""
    from ..figures.style import encode

    table, details = content, {}
    if isinstance(content, io.Dictionary):
        table, details = to_table(content.pixels), {"grid": content.grid}
    table = summarise(name, table)
    figure = load(name)(table, **details)
    return {kind: encode(figure, kind) for kind in ("pdf", "png")}, table
