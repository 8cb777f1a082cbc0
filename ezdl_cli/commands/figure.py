"""`ezdl figure`: draw figures of the paper from tables or dictionaries."""

import warnings
from dataclasses import dataclass
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from .. import io
from ..errors import InputError
from ..experiments.summaries import SUMMARIES
from ..figures import FIGURES, load, shipped_table
from ..figures.atom_tiles import to_table
from ._shared.grouped_help import flag, new_command, path_argument
from ._shared.summary_tables import fitting, load_summary

PDF = ".pdf"


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


def _complete(context, parameter, incomplete):
    """Return completions of an argument: names of figures where one is expected, or files."""
    before = context.params.get(parameter.name) or ()
    if before and not before[-1].lower().endswith(PDF):
        return [CompletionItem(incomplete, type="file")]
    names = [name for name in FIGURES if name.startswith(incomplete)]
    return [CompletionItem(name, help=FIGURES[name].title) for name in names]


@dataclass(frozen=True)
class Drawing:
    """A figure, the files that it is drawn from, and the file that it is written to."""

    name: str
    inputs: tuple[str, ...]
    output: str


@new_command("ezdl figure evaluations evaluations.csv fig04.pdf")
@path_argument(
    "arguments",
    metavar="NAME [INPUT]... OUTPUT.pdf ...",
    nargs=-1,
    required=True,
    shell_complete=_complete,
)
@flag(
    "--list",
    "List the names of all figures with their inputs, and exit.",
    is_eager=True,
    expose_value=False,
    callback=_list_figures,
)
def command(arguments):
    """Draw the figure NAME from tables or a dictionary and write OUTPUT.pdf.

    The same figure as PNG and SVG, and the table that was drawn as CSV, are written next to it.
    Tables of `ezdl evaluate`, `ezdl denoise`, `ezdl restore` and `ezdl gabor` are averaged over
    images and seeds first. To draw several figures, repeat name, inputs and output.
    """
    drawings = _drawings(arguments)
    for drawing in drawings:
        _check(drawing)
    for drawing in drawings:
        _draw(drawing)


def _drawings(arguments):
    """Split the arguments into figures: each has a name first and ends with a PDF file."""
    drawings, words = [], []
    for position, word in enumerate(arguments, 1):
        words.append(word)
        if len(words) > 1 and (word.lower().endswith(PDF) or position == len(arguments)):
            name, *inputs, output = words
            drawings.append(Drawing(name, tuple(inputs), output))
            words = []
    if words:
        raise click.UsageError("Missing argument 'OUTPUT.pdf'.", click.get_current_context())
    return drawings


def _draw(drawing):
    """Draw a figure and write its files."""
    name, inputs = drawing.name, drawing.inputs
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
    io.save_figure(drawing.output, images, table)


def _check(drawing):
    """Refuse unknown names, wrong numbers of inputs, and outputs that cannot be written."""
    name, inputs, output = drawing.name, drawing.inputs, drawing.output
    if name not in FIGURES:
        raise InputError(f"there is no figure {name!r}; run ezdl figure --list for the names")
    expected = 0 if FIGURES[name].ships_table else 1
    if len(inputs) != expected and not (name in SUMMARIES and inputs):
        _, phrase = _inputs(name)
        raise InputError(f"figure {name!r} is drawn from {phrase}, but {len(inputs)} were given")
    io.check_target(output, PDF)
    for suffix in (".pdf", ".png", ".svg", ".csv"):
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

    return {kind: encode(figure, kind) for kind in ("pdf", "png", "svg")}
