"""What the commands have in common that read or write a history."""

import os
import sys
from contextlib import contextmanager
from pathlib import Path

import click

from ... import io
from ...bench.history import load_history
from ...errors import InputError
from .console import echo_stderr

REGRESSION, TOO_FEW, LOCKED = 3, 4, 5
STATE = "~/.local/state"
NAMED_AT_MOST = 20


def default_history():
    """A file in the user's folder for what programs want to keep, which is made."""
    try:
        state = Path(os.environ.get("XDG_STATE_HOME") or STATE).expanduser()
    except RuntimeError as error:
        raise InputError(f"{error}; give a --history") from None
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


def load(path, needed=False):
    """Runs of a history; damaged lines are reported.

    Raises
    ------
    InputError
        If a run is `needed`, and there is none.
    """
    history = load_history(path)
    if needed and not history.runs:
        why = f", {_lines(history.damaged)} damaged" if history.damaged else ""
        raise InputError(f"{path}: there are no runs to show{why}; ezdl bench run makes one")
    if history.damaged:
        echo_stderr(f"{path}: {_lines(history.damaged)} damaged and left out")
    return history.runs


def _lines(numbers):
    """Lines by their numbers, as the subject of a sentence."""
    if len(numbers) == 1:
        return f"line {numbers[0]} is"
    named = ", ".join(map(str, numbers[:NAMED_AT_MOST]))
    more = len(numbers) - NAMED_AT_MOST
    return f"lines {named} and {more} more are" if more > 0 else f"lines {named} are"


@contextmanager
def told_if_locked():
    """Leave with a code of its own if another process has the history."""
    try:
        yield
    except io.Locked as error:
        echo_stderr(error)
        sys.exit(LOCKED)
