"""Redirection of what a process and its children print."""

import os
import sys
from contextlib import contextmanager, suppress


@contextmanager
def captured_output(path):
    """Redirect standard output and standard error to a file, also those of child processes.

    Yields
    ------
    stream
        Text stream to where standard error led before. It escapes characters that its encoding
        does not have.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _flush()
    saved = [os.dup(handle) for handle in (1, 2)]
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    options = {"encoding": encoding, "errors": "backslashreplace", "buffering": 1}
    try:
        log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.close(log)
        with open(saved[1], "w", closefd=False, **options) as stderr:
            yield stderr
    finally:
        _flush()
        for handle, copy in zip((1, 2), saved, strict=True):
            os.dup2(copy, handle)
            os.close(copy)


def _flush():
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.flush()
