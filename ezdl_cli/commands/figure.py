"""`ezdl figure`: draw a figure from its table."""

import warnings

import click

from .. import io
from ..errors import InputError
from ..figures import FIGURES, load, load_table


def _list_figures(context, parameter, value):
    if not value or context.resilient_parsing:
        return
    for name, figure in FIGURES.items():
        source = "TABLE.csv" if figure.needs_table else "(no table)"
        click.echo(f"{name:12} Fig. {figure.number:<3} {source:11} {figure.title}")
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
    """Draw the figure NAME from its table(s) and write OUTPUT.pdf.

    A PNG and the CSV that was drawn are written beside it.
    """
    if name not in FIGURES:
        raise InputError(f"no figure is called {name!r}; see ezdl figure --list")
    chosen = FIGURES[name]
    if len(inputs) != chosen.needs_table:
        needed = "one table" if chosen.needs_table else "no table"
        raise InputError(f"figure {name!r} is drawn from {needed}, {len(inputs)} given")
    if chosen.needs_table:
        table = io.load_table(inputs[0], chosen.numbers, chosen.words)
    else:
        table = load_table(name)
    from ..figures.style import encode

    source = inputs[0] if inputs else name
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            figure = load(name)(table)
            pictures = {kind: encode(figure, kind) for kind in ("pdf", "png")}
    except (ArithmeticError, LookupError, StopIteration, TypeError, ValueError, Warning) as error:
        raise InputError(f"{source}: does not fit figure {name!r} ({error})") from None
    io.save_figure(output, pictures, table)
