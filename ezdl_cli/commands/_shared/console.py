"""Messages on standard error."""

import os
import sys
from contextlib import contextmanager

import click

from ...errors import one_line
from ...wording import join_names


def echo_stderr(message):
    """Print a message on standard error, in one line that starts with the program's name."""
    click.echo(f"ezdl: {one_line(message)}", err=True)


def echo_skipped(images):
    """Print a warning for each (name, reason) of the images that --skip-bad has skipped."""
    for name, reason in images:
        echo_stderr(f"skipped {name}: {reason}")


def echo_several(images):
    """Print a line on files of which the first picture was used, (name, pictures) of each."""
    if len(images) == 1:
        name, pictures = images[0]
        echo_stderr(f"{name}: used the first of {pictures}")
    elif images:
        files = join_names([f"{name} ({pictures})" for name, pictures in images])
        echo_stderr(f"used only the first picture of {len(images)} files: {files}")


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
    encoding = getattr(before, "encoding", None)
    options = {"buffering": 1, "encoding": encoding, "errors": "backslashreplace"}
    with open(os.devnull, "wb") as nowhere, open(terminal, "w", **options) as stderr:
        os.dup2(nowhere.fileno(), 2)
        sys.stderr = stderr
        try:
            yield
        finally:
            sys.stderr = before
            os.dup2(terminal, 2)
