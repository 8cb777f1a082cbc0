"""`ezdl figure`: draw a figure from its table."""

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
    needed = 1 if FIGURES[name].needs_table else 0
    if len(inputs) != needed:
        raise InputError(f"figure {name!r} is drawn from {needed} table(s), {len(inputs)} given")
    table = io.load_table(inputs[0]) if needed else load_table(name)
    from ..figures.style import encode

    try:
        figure = load(name)(table)
    except KeyError as error:
        raise InputError(
            f"{inputs[0]}: has no column {error}, which figure {name!r} needs"
        ) from None
    io.save_figure(output, lambda kind: encode(figure, kind), table)
