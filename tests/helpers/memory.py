"""Run commands and see what memory they take."""

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
BETWEEN_LOOKS = 0.02  # seconds
KINDS = ("RssAnon", "RssShmem", "RssFile")


@dataclass(frozen=True)
class Measured:
    """What a command took."""

    seconds: float
    processor: float
    """seconds of computing, of all threads together: it hardly depends on what else runs"""
    memory: int
    """largest memory of its own (anonymous and shared), of the process and its children"""
    resident: int
    """the same with the pages of files that it has mapped, which can be dropped at any time"""
    stdout: str
    stderr: str
    code: int


def measure(*arguments, limits=(), **options):
    """Run a command to its end and look at its memory all the while.

    Parameters
    ----------
    arguments : words of the command; the first is `ezdl` or a program
    limits : words for `prlimit`, such as "--data=1000000000"
    options : for subprocess.Popen
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
        preexec_fn=lambda: os.nice(10),  # load tests wait for others
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
    """Seconds of computing of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _watch(process, peaks, done):
    """Keep the largest memory of a process and its children."""
    while not done.wait(BETWEEN_LOOKS):
        own = total = 0
        for member in _tree(process):
            parts = _memory(member)
            own += parts["RssAnon"] + parts["RssShmem"]
            total += sum(parts.values())
        peaks[:] = max(peaks[0], own), max(peaks[1], total)


def _tree(process):
    """A process and all that it has started."""
    yield process
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return
    for child in children:
        # One that is about to become another program still shares the memory of its parent.
        if _command(child) != _command(process):
            yield from _tree(int(child))


def _command(process):
    """The words of a process, or nothing if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def _memory(process):
    """Bytes of the kinds of memory of a process; zero if it has ended."""
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
