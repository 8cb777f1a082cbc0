"""Lock files: at most one process works on a file or in a folder.

The operating system grants the lock (flock) and releases it when the process ends, for whatever
reason. The process ID in the lock file is only used in messages.
"""

import fcntl
import os
import time
from contextlib import contextmanager
from pathlib import Path

from ..errors import InputError
from .paths import resolve_link

# `check_unlocked` holds a shared lock for some microseconds; wait until it is released.
ATTEMPTS, WAIT = 5, 0.02


class Locked(InputError):
    """Another process holds the lock."""


@contextmanager
def lock(path):
    """Hold the lock of a file, `path` with ".lock" appended; raise Locked if it is taken."""
    lock_file = _lock_file(path)
    handle = acquire(lock_file)
    try:
        yield
    finally:
        lock_file.unlink(missing_ok=True)
        os.close(handle)


def acquire(lock_file):
    """Lock a lock file until the returned file descriptor is closed, at the latest on exit."""
    while True:
        handle = os.open(lock_file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o666)
        try:
            _flock(handle, fcntl.LOCK_EX, lock_file)
            # The former owner may have removed the file between `open` and `flock`.
            if os.fstat(handle).st_nlink:
                os.ftruncate(handle, 0)
                os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
                return handle
        except BaseException as error:
            os.close(handle)
            if isinstance(error, OSError):  # a full disk
                error.filename = str(lock_file)
            raise
        os.close(handle)


def check_unlocked(path):
    """Raise Locked if a process holds the lock of a file."""
    lock_file = _lock_file(path)
    if lock_file.exists():
        with open(lock_file, "rb") as stream:
            _flock(stream.fileno(), fcntl.LOCK_SH, lock_file)


def _flock(handle, operation, lock_file):
    for _ in range(ATTEMPTS):
        try:
            return fcntl.flock(handle, operation | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(WAIT)
    owner = os.pread(handle, 20, 0).decode("ascii", "replace").strip()
    raise Locked(f"{lock_file}: process {owner} holds the lock; wait until it ends")


def _lock_file(path):
    """Return the lock file of a file, the same for every symbolic link to it."""
    lock_file = Path(f"{resolve_link(path)}.lock")
    if lock_file.exists() and not lock_file.is_file():
        raise InputError(f"{lock_file}: is not a regular file; remove it")
    return lock_file
