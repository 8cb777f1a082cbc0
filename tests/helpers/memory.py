"""Measure the time and memory of commands."""

import os
import resource
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

MIB = 1 << 20
EZDL = Path(sys.executable).parent / "ezdl"
SAMPLING_INTERVAL = 0.02  # seconds
KINDS = ("RssAnon", "RssShmem", "RssFile")


@dataclass(frozen=True)
class Measured:
    """Resources that a command has used, and its output."""

    seconds: float
    processor: float
    """CPU seconds of all threads, which hardly depend on other processes"""
    memory: int
    """peak private memory (anonymous and shared) of the process and its children, in bytes"""
    resident: int
    """the same including pages of mapped files, which the system can drop at any time"""
    stdout: str
    stderr: str
    code: int


def measure(*arguments, limits=(), **options):
    """Run a command and sample its memory.

    Parameters
    ----------
    arguments : str
        The command; the first is `ezdl` or a program.
    limits : sequence of str
        Options of `prlimit`, such as "--data=1000000000".
    options : dict
        Passed to `subprocess.Popen`.
    """
    program, *words = map(str, arguments)
    words = [str(EZDL) if program == "ezdl" else program, *words]
    if limits:
        words = ["prlimit", *limits, *words]
    start, computed = time.monotonic(), _processor()
    process = subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: os.nice(10),  # load tests give way to other processes
        **options,
    )
    peaks = [0, 0]
    done = threading.Event()
    watcher = threading.Thread(target=_watch, args=(process.pid, peaks, done))
    watcher.start()
    try:
        stdout, stderr = process.communicate()
    finally:
        done.set()
        watcher.join()
    seconds = time.monotonic() - start, _processor() - computed
    return Measured(*seconds, *peaks, stdout, stderr, process.returncode)


def _processor():
    """Return the CPU seconds of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _watch(process, peaks, done):
    """Update the peak memory of a process and its children until `done`."""
    while not done.wait(SAMPLING_INTERVAL):
        own = total = 0
        for member in _tree(process):
            parts = _memory(member)
            own += parts["RssAnon"] + parts["RssShmem"]
            total += sum(parts.values())
        peaks[:] = max(peaks[0], own), max(peaks[1], total)


def _tree(process):
    """Yield a process and all of its descendants."""
    yield process
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return
    for child in children:
        # A forked child that has not called exec yet still shares the memory of its parent.
        if _command(child) != _command(process):
            yield from _tree(int(child))


def _command(process):
    """Return the command line of a process, empty if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def _memory(process):
    """Return the bytes of each kind of memory of a process; zeros if it has ended."""
    found = dict.fromkeys(KINDS, 0)
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return found
    for line in lines:
        name, _, value = line.partition(":")
        if name in found:
            found[name] = 1024 * int(value.split()[0])
    return found
