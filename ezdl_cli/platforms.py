"""What some operating systems lack: only this module uses it, and only where it exists.

Linux is tested. Tests simulate what other systems lack, but nothing was tried on macOS or Windows.
Each function states what happens without the feature.
"""

import os
import stat
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path


def _module(name):
    """Return a module of the standard library, or None if this system does not have it."""
    try:
        return import_module(name)
    except ImportError:
        return None


fcntl, resource = _module("fcntl"), _module("resource")  # not on Windows
msvcrt = _module("msvcrt")  # only on Windows
IS_POSIX = hasattr(os, "O_DIRECTORY")
CAN_RENAME_OPEN_FILES = IS_POSIX
PROC = Path("/proc")  # of Linux
NANOSECOND = 1e-9
# Windows keeps others from reading what is locked: lock a byte behind the content.
LOCKED_BYTE = 1 << 30


# Processors and memory


def available_cores():
    """Return the number of cores that this process is bound to; all where it cannot be bound."""
    bound = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if bound else os.cpu_count() or 1


def load_average():
    """Return the load average of the last minute, or None where there is none."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def processor_name():
    """Return the name of the processor; on macOS and Windows, maybe only that of its family."""
    import platform

    try:
        lines = (PROC / "cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line for line in lines if line.startswith("model name")).split(":")[1].strip()
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def memory_limit(kind):
    """Return the limit of this process for "AS" (addresses) or "DATA" in bytes, or None."""
    number = getattr(resource, f"RLIMIT_{kind}", None)
    if number is None:
        return None
    limit, _ = resource.getrlimit(number)
    return None if limit == resource.RLIM_INFINITY else limit


def available_memory():
    """Return the free memory in bytes, infinity where it is unknown."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError):
        return float("inf")


def extra_memory(function):
    """Call a function, and return how much the process grew meanwhile at most, in bytes.

    NaN except on Linux, which resets the previous peak on request.
    """
    try:
        (PROC / "self/clear_refs").write_text("5", encoding="ascii")
        before = _memory("VmRSS")
        function()
        return max(0, _memory("VmHWM") - before)
    except (OSError, StopIteration):
        return float("nan")


def _memory(field):
    """Return a field of the status of this process in bytes."""
    lines = (PROC / "self/status").read_text(encoding="utf-8").splitlines()
    return 1024 * int(next(line for line in lines if line.startswith(field)).split()[1])


# Time


class ThreadPauses:
    """How often, and for how long, the thread that creates it has not been computing."""

    def __init__(self):
        self._kind = getattr(resource, "RUSAGE_THREAD", None)
        try:
            self._schedule = os.open(PROC / "thread-self/schedstat", os.O_RDONLY)
        except OSError:
            self._schedule = None

    def count(self):
        """Return how often it has released the processor by itself; NaN except on Linux."""
        return float("nan") if self._kind is None else resource.getrusage(self._kind).ru_nvcsw

    def queued(self):
        """Return for how many seconds it has waited for a processor; 0 except on Linux."""
        if self._schedule is None or read_at is None:
            return 0.0
        return NANOSECOND * int(read_at(self._schedule, 100, 0).split()[1])


def wait_for(child):
    """Wait until a subprocess.Popen ends, and return its CPU seconds.

    On Windows, these are the seconds of waiting.
    """
    if not hasattr(os, "wait4"):
        start = time.perf_counter()
        child.wait()
        return time.perf_counter() - start
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


# Processes


def after_fork(function):
    """Call a function in each process that is forked, where that is possible."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=function)


def has_ended(process):
    """Return whether a process, given by its ID, has ended; False where this is unknown."""
    if not IS_POSIX:  # os.kill would end it
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:  # it belongs to another user
        return False
    return False


def runs_here(program):
    """Return whether a program is running in the working directory; False except on Linux."""
    for process in PROC.glob("[0-9]*"):
        try:
            arguments = os.fsdecode((process / "cmdline").read_bytes()).split("\0")
            if program in map(os.path.basename, arguments) and (process / "cwd").samefile("."):
                return True
        except OSError:  # it has ended, or belongs to another user
            continue
    return False


def try_lock(handle, shared=False):
    """Lock an open file until it is closed; return whether that was possible.

    On Windows, a shared lock is exclusive, and released at once. Where files cannot be locked at
    all, this returns True.
    """
    try:
        if fcntl is not None:
            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        elif msvcrt is not None:
            _lock_byte(handle, shared)
    except (BlockingIOError, PermissionError):  # the latter on Windows
        return False
    return True


def _lock_byte(handle, shared):
    os.lseek(handle, LOCKED_BYTE, os.SEEK_SET)
    msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    if shared:
        os.lseek(handle, LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)


# Files


def open_lock_file(path):
    """Open a lock file, which is created if necessary, and return its file descriptor."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    return os.open(path, flags, 0o666)


def remove_and_close(path, handle):
    """Remove an open file; on Windows, it is closed first, and another process may take it."""
    if IS_POSIX:
        path.unlink(missing_ok=True)
    os.close(handle)
    if not IS_POSIX:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def sync(path):
    """Flush a file or folder to disk; folders only where that is possible."""
    if not IS_POSIX and os.path.isdir(path):
        return
    # Windows flushes only files that are open for writing.
    handle = os.open(path, os.O_RDONLY if IS_POSIX else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def allocate(stream, size):
    """Allocate the disk space of an open file, where that is possible."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(stream.fileno(), 0, size)


# Read bytes of an open file at an offset, from several threads; None on Windows.
read_at = getattr(os, "pread", None)


def is_writable(path):
    """Return whether a file or folder may be written to.

    The superuser has access to everything, but should not overwrite a file that is read-only. On
    Windows, this attribute means nothing for folders.
    """
    counts = IS_POSIX or not path.is_dir()
    return bool(path.stat().st_mode & 0o222 or not counts) and os.access(path, os.W_OK)


def is_private(folder):
    """Return whether only its owner, who runs this process, can write to a folder.

    True on Windows, where the folders of a user are private unless that is changed.
    """
    if not hasattr(os, "geteuid"):
        return folder.is_dir()
    status = folder.lstat()
    is_ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
    return is_ours and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
