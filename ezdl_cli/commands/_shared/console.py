"""Output on standard error: messages, and a progress bar if it is a terminal."""

import os
import sys
from contextlib import contextmanager

import click

from ...errors import one_line


def echo_stderr(message):
    """Print a message on standard error, in one line that starts with the program's name."""
    click.echo(f"ezdl: {one_line(message)}", err=True)


def echo_skipped(images):
    """Print a warning for each (name, reason) of the images that --skip-bad has skipped."""
    for name, reason in images:
        echo_stderr(f"skipped {name}: {reason}")


@contextmanager
def progress(length, label, quiet=False):
    """Show a progress bar with the remaining time; hidden if standard error is not a terminal.

    Yields
    ------
    function of (n_steps, item=None)
        Advances the bar, and shows `item` (str) at its end.
    """
    hidden = quiet or sys.stderr is None or not sys.stderr.isatty()
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


def fraction_callback(advance, n_steps):
    """Return a function of the completed fraction that advances a bar by up to `n_steps`."""
    done = 0

    def move_to(fraction):
        nonlocal done
        advance(int(n_steps * fraction) - done)
        done = int(n_steps * fraction)

    return move_to


@contextmanager
def silence_decoders():
    """Redirect file descriptor 2 to the null device: libtiff writes warnings to it directly.

    `sys.stderr` still works.
    """
    if sys.stderr is None:
        yield
        return
    sys.stderr.flush()
    before, terminal = sys.stderr, os.dup(2)
    with open(os.devnull, "w") as nowhere, open(terminal, "w", buffering=1) as stderr:
        os.dup2(nowhere.fileno(), 2)
        sys.stderr = stderr
        try:
            yield
        finally:
            sys.stderr = before
            os.dup2(terminal, 2)
