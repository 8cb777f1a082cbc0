"""Be the only one: a lock file beside a file, with the number of the process that has it.

The system grants the lock file to one process and takes it back when that ends, however it ends.
The file also holds the number of its owner, and the moment when that process was started, by which
a number that was given to another process since then is told.
"""

import fcntl
import os
import stat
from contextlib import contextmanager
from pathlib import Path

from ..errors import InputError
from .files import check_target, is_running


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
        owner = _owner(handle)
        if owner is not None:
            raise _locked(place, owner)
        try:
            _sign(handle, place)
            yield
        finally:
            place.unlink(missing_ok=True)
    finally:
        os.close(handle)


def check_unlocked(path):
    """Raise Locked if a process has the lock of a file."""
    place = _place(path)
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:
        return
    try:
        owner = _owner(handle)
    finally:
        os.close(handle)
    if owner is not None:
        raise _locked(place, owner)


def _place(path):
    """The lock file of a file, the same by whatever link that is reached."""
    path = check_target(path)
    place = path.with_name(f"{path.name}.lock")
    if place.exists() and not place.is_file():
        raise InputError(f"{place}: is in the way: it is no file; remove it")
    return place


def _open(place):
    """The lock file, which the system has granted to us."""
    while True:
        handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The one who had it may have removed the file in the meantime.
            if os.path.samestat(os.fstat(handle), os.stat(place)):
                return handle
        except FileNotFoundError:
            pass
        except BlockingIOError:
            owner = _owner(handle)
            os.close(handle)
            raise _locked(place, owner or "?") from None
        os.close(handle)


def _sign(handle, place):
    """Write who has the lock."""
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()} {_started(os.getpid())}\n".encode(), 0)
    except OSError as error:
        error.filename = str(place)
        raise


def _owner(handle):
    """Number of the process that a lock file names, if that is alive; else None."""
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        return None
    content = os.pread(handle, 100, 0).decode("ascii", "replace").strip()
    number, _, started = content.partition(" ")
    if not number.isdecimal() or len(number) > 9:
        return None
    now = _started(int(number))
    return int(number) if now is not None and started in ("", now) else None


def _started(process):
    """When a process was started, in ticks since the machine was; None if it is not alive.

    Only Linux tells; elsewhere it is empty.
    """
    if not Path("/proc/self/stat").exists():
        return "" if is_running(process) else None
    try:
        # The name of the program, in parentheses, may hold anything.
        fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].decode().split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    # One that has ended, but was not waited for, is still there.
    return None if fields[0] in "ZX" else fields[19]


def _locked(place, owner):
    return Locked(f"{place}: process {owner} is measuring; wait till that has ended")
