"""A progress bar on standard error, if that is a terminal."""

import sys
from contextlib import contextmanager

import click


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
