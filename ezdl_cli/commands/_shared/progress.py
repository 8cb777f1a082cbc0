"""What commands show on standard error: lines, and a progress bar if that is a terminal."""

import os
import sys
from contextlib import contextmanager

import click

from ...errors import one_line


def tell(message):
    """Say something in one line."""
    click.echo(f"ezdl: {one_line(message)}", err=True)


@contextmanager
def progress(length, label, quiet=False):
    """A function that moves the bar on by so many steps, and shows a word at its end."""
    hidden = quiet or sys.stderr is None or not sys.stderr.isatty()
    bar = click.progressbar(
        length=length,
        label=label,
        file=sys.stderr,
        hidden=hidden,
        show_eta=True,
        show_pos=True,
        item_show_func=lambda word: word,
    )
    with bar:
        yield bar.update


def by_shares(advance, steps):
    """A function of the share of something that is done, which moves the bar on by its steps."""
    done = 0

    def move(share):
        nonlocal done
        advance(int(steps * share) - done)
        done = int(steps * share)

    return move


@contextmanager
def silent_decoders():
    """Keep standard error for us: libtiff writes there by itself what our own messages say."""
    if sys.stderr is None:
        yield
        return
    sys.stderr.flush()
    before, kept = sys.stderr, os.dup(2)
    with open(os.devnull, "w") as nothing, open(kept, "w", buffering=1) as ours:
        os.dup2(nothing.fileno(), 2)
        sys.stderr = ours
        try:
            yield
        finally:
            sys.stderr = before
            os.dup2(kept, 2)
