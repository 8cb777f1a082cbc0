"""Be the only one: a lock file beside a file, with the number of the process that has it.

The file holds the number of its owner and the moment when that process was started, by which a
number that was given to another process since then is told. A lock whose owner has ended is stale
and is taken over.
"""

import fcntl
import os
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import InputError
from .files import is_running


class Locked(InputError):
    """Someone else has the lock."""


@contextmanager
def lock(path):
    """Have the lock of a file while the block runs.

    Raises
    ------
    Locked
        If another process has it; the message names it.
    """
    place = _place(path)
    handle = _open(place)
    try:
        owner = _owner(os.pread(handle, 100, 0))
        if owner is not None and owner != os.getpid():
            raise _locked(path, owner)
        try:
            os.ftruncate(handle, 0)
            os.pwrite(handle, f"{os.getpid()} {_started(os.getpid())}\n".encode(), 0)
            yield
        finally:
            place.unlink(missing_ok=True)
    except OSError as error:
        error.filename = error.filename or str(place)
        raise
    finally:
        os.close(handle)


def check_unlocked(path):
    """Raise Locked if a process has the lock of a file."""
    with suppress(FileNotFoundError):
        owner = _owner(_place(path).read_bytes())
        if owner is not None:
            raise _locked(path, owner)


def _open(place):
    """The lock file, which the system grants to one process at a time, till that ends."""
    while True:
        handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The one who had it may have removed the file in the meantime.
            if os.path.samestat(os.fstat(handle), os.stat(place)):
                return handle
        except FileNotFoundError:
            pass
        except BlockingIOError:
            owner = os.pread(handle, 100, 0).split()
            os.close(handle)
            raise _locked(place.with_suffix(""), owner[0].decode() if owner else "?") from None
        os.close(handle)


def _place(path):
    path = Path(path)
    return path.with_name(f"{path.name}.lock")


def _owner(content):
    """Number of the process that a lock file names, if that process is alive; else None."""
    number, _, started = content.decode("ascii", "replace").strip().partition(" ")
    if not number.isdecimal() or int(number) < 1 or not is_running(int(number)):
        return None
    return int(number) if started in ("", _started(int(number))) else None


def _started(process):
    """When a process was started, in ticks since the machine was; empty if that is not told."""
    try:
        # The name of the program, in parentheses, may hold anything.
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return fields[19]
    except (OSError, IndexError):
        return ""


def _locked(path, owner):
    return Locked(f"{path}: process {owner} is measuring for it; wait till that has ended")
