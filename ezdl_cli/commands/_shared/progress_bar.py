"""A progress bar on standard error if that is a terminal, or lines in the log of a step."""

import os
import sys
from contextlib import contextmanager, suppress

import click

from ...workflow.progress_lines import VARIABLE, ProgressLog


@contextmanager
def progress(length, label, quiet=False):
    """Show a progress bar with the remaining time, if standard error is a terminal.

    If it is not, but the variable EZDL_PROGRESS is set, lines are written instead.

    Yields
    ------
    function of (n_steps, item=None)
        Advances the bar, and shows `item` (str) at its end.
    """
    hidden = quiet or sys.stderr is None or not sys.stderr.isatty()
    if hidden and not quiet and sys.stderr is not None and os.environ.get(VARIABLE):
        yield ProgressLog(length, label, _write_line).advance
        return
    bar = click.progressbar(
        length=length,
        label=label,
        file=sys.stderr,
        hidden=hidden,
        show_eta=True,
        show_pos=True,
        item_show_func=lambda item: item,
    )
    with bar:
        yield bar.update


def _write_line(line):
    with suppress(OSError):  # the work is worth more than its log
        print(line, file=sys.stderr, flush=True)


def fraction_callback(advance, n_steps):
    """Return a function of the completed fraction that advances a bar by up to `n_steps`."""
    done = 0

    def move_to(fraction):
        nonlocal done
        advance(int(n_steps * fraction) - done)
        done = int(n_steps * fraction)

    return move_to
