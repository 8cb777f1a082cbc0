"""Lock files: at most one process works on a file or in a folder.

The operating system grants the lock and releases it when the process ends, for whatever reason. The
process ID in the lock file is only used in messages.
"""

import os
import time
from contextlib import contextmanager
from pathlib import Path

from ..errors import InputError
from ..platforms import open_lock_file, remove_and_close, try_lock
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
        remove_and_close(lock_file, handle)


def acquire(lock_file):
    """Lock a lock file until the returned file descriptor is closed, at the latest on exit."""
    while True:
        handle = open_lock_file(lock_file)
        try:
            _lock(handle, lock_file)
            # The former owner may have removed the file before it was locked.
            if os.fstat(handle).st_nlink:
                os.ftruncate(handle, 0)
                os.lseek(handle, 0, os.SEEK_SET)
                os.write(handle, f"{os.getpid()}\n".encode())
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
            _lock(stream.fileno(), lock_file, shared=True)


def _lock(handle, lock_file, shared=False):
    for _ in range(ATTEMPTS):
        if try_lock(handle, shared):
            return
        time.sleep(WAIT)
    os.lseek(handle, 0, os.SEEK_SET)
    owner = os.read(handle, 20).decode("ascii", "replace").strip()
    raise Locked(f"{lock_file}: process {owner} holds the lock; wait until it ends")


def _lock_file(path):
    """Return the lock file of a file, the same for every symbolic link to it."""
    lock_file = Path(f"{resolve_link(path)}.lock")
    if lock_file.exists() and not lock_file.is_file():
        raise InputError(f"{lock_file}: is not a regular file; remove it")
    return lock_file
