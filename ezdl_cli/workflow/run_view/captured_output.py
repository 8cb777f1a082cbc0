"""Redirection of what a process and its children print."""

import os
import sys
from contextlib import contextmanager, suppress


@contextmanager
def captured_output(path):
    """Redirect standard output and standard error to a file, also those of child processes.

    Yields
    ------
    (stdout, stderr)
        Text streams that still lead to where the output went before.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _flush()
    saved = [_duplicate(1), _duplicate(2)]
    streams = [
        _open(handle, like) for handle, like in zip(saved, (sys.stdout, sys.stderr), strict=True)
    ]
    try:
        log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.close(log)
        yield streams
    finally:
        _flush()
        os.dup2(saved[0], 1)
        os.dup2(saved[1], 2)


def _duplicate(handle):
    """Return a copy of a file descriptor, or the null device if it is closed."""
    try:
        return os.dup(handle)
    except OSError:
        return os.open(os.devnull, os.O_WRONLY)


def _open(handle, like):
    """Return a text stream that escapes characters which its encoding does not have."""
    encoding = getattr(like, "encoding", None) or "utf-8"
    return open(handle, "w", encoding=encoding, errors="backslashreplace", buffering=1)


def _flush():
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.flush()
