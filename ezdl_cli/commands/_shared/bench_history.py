"""The history of benchmark runs, as the `ezdl bench` commands use it."""

import os
import sys
from contextlib import contextmanager
from pathlib import Path

import click

from ... import io
from ...bench.history import load_history
from ...errors import InputError
from ...exit_codes import LOCKED
from .console import echo_stderr
from .grouped_help import flag, option

"""Exit codes."""
STATE_FOLDER = "~/.local/state"


def _default_history(context, parameter, path):
    """Return the path, or else a file in the user's state folder, which is created."""
    if path is not None:
        return path
    try:
        state = Path(os.environ.get("XDG_STATE_HOME") or STATE_FOLDER).expanduser()
    except RuntimeError as error:
        raise InputError(f"{error}; pass --history FILE") from None
    folder = state / "ezdl"
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder / "bench.jsonl")


history_option = option(
    "--history path",
    click.Path(),
    None,
    f"File of all runs, one per line.  [default: {STATE_FOLDER}/ezdl/bench.jsonl]",
    metavar="FILE",
    callback=_default_history,
)


quiet_option = flag("--quiet", "Print nothing unless something is wrong.")


def load_runs(path, required=False):
    """Return the runs of a history, with a warning if some lines are damaged.

    Raises
    ------
    InputError
        If at least one run is required, and there is none.
    """
    history = load_history(path)
    damaged = ""
    if history.damaged:
        count = len(history.damaged)
        lines = "1 damaged line" if count == 1 else f"{count} damaged lines"
        damaged = f"skipped {lines} (first: line {history.damaged[0]})"
    if required and not history.runs:
        reason = f" ({damaged})" if damaged else ""
        raise InputError(f"{path}: no runs to show{reason}; add one with `ezdl bench run`")
    if damaged:
        echo_stderr(f"{path}: {damaged}")
    return history.runs


@contextmanager
def exit_if_locked():
    """Exit with a code of its own if another process holds the lock of the history."""
    try:
        yield
    except io.Locked as error:
        echo_stderr(error)
        sys.exit(LOCKED)
