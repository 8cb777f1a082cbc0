"""The progress bar of all commands: on standard error, only on a terminal."""

import sys
from contextlib import contextmanager

import click


@contextmanager
def progress(length, label, quiet=False):
    """A function that moves the bar on by so many steps."""
    hidden = quiet or not sys.stderr.isatty()
    bar = click.progressbar(
        length=length, label=label, file=sys.stderr, hidden=hidden, show_eta=True, show_pos=True
    )
    with bar:
        yield bar.update
