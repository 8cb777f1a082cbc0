"""The size of a terminal."""

import os

from rich.console import ConsoleDimensions

DEFAULT_SIZE = (80, 24)  # of terminals that do not know theirs


def terminal_size(stream):
    """Return the width and the height of the terminal that a stream leads to.

    Rich and shutil prefer the variables COLUMNS and LINES, which resizing does not change.
    """
    try:
        size = os.get_terminal_size(stream.fileno())
    except OSError:
        size = DEFAULT_SIZE
    return ConsoleDimensions(*(n or default for n, default in zip(size, DEFAULT_SIZE, strict=True)))
