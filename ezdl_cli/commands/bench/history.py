"""What the commands have in common that read or write a history."""

import os
import sys
from contextlib import contextmanager
from pathlib import Path

import click

from ... import io
from ...errors import InputError

REGRESSION, TOO_FEW, LOCKED = 3, 4, 5
STATE = "~/.local/state"


def default_history():
    """A file in the user's folder for what programs want to keep, which is made."""
    try:
        state = Path(os.environ.get("XDG_STATE_HOME") or STATE).expanduser()
    except RuntimeError as error:
        raise InputError(f"{io.one_line(error)}; give a --history") from None
    folder = state / "ezdl"
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder / "bench.jsonl")


history_option = click.option(
    "--history",
    "path",
    metavar="FILE",
    type=click.Path(),
    callback=lambda context, parameter, path: default_history() if path is None else path,
    help=f"One line for each run.  [default: {STATE}/ezdl/bench.jsonl]",
)


def load(path):
    """Runs of a history; damaged lines are reported."""
    history = io.load_history(path)
    if history.damaged:
        numbers = ", ".join(map(str, history.damaged))
        what = "lines are" if len(history.damaged) > 1 else "line is"
        click.echo(f"ezdl: {path}: damaged and left out: {what} {numbers}", err=True)
    return history.runs


@contextmanager
def told_if_locked():
    """Leave with a code of its own if another process has the history."""
    try:
        yield
    except io.Locked as error:
        click.echo(f"ezdl: {error}", err=True)
        sys.exit(LOCKED)
