"""A clock that stands still while others have the processor.

On a busy machine a process is put aside again and again, by the system for other processes and by
the host for other machines. That says nothing about the program. A thread that never gave the
processor back by itself has been computing all the time, and its time is that of the processor. If
it did, because it slept or waited for something, the time on the wall counts, but for what Linux
says the thread was ready to run and did not (`schedstat`).
"""

import os
import resource
import subprocess
import time
from typing import NamedTuple

NANOSECOND = 1e-9


class Mark(NamedTuple):
    """A moment."""

    wall: float
    processor: float
    """seconds that the thread has computed"""
    waited: float
    """seconds that it was ready and did not"""
    pauses: int
    """how often it has given the processor back"""
    children: float
    """seconds that its processes have computed"""


class Clock:
    """Seconds of the thread that made it, and of the processes that it has run."""

    def __init__(self):
        try:
            self._schedstat = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        except OSError:
            self._schedstat = None
        self._children = 0.0

    def now(self):
        """This moment."""
        return Mark(
            time.perf_counter(),
            time.thread_time(),
            self._waited(),
            resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw,
            self._children,
        )

    def since(self, mark):
        """Seconds since a moment, without those of others; of processes, what they computed."""
        wall, processor, waited, pauses, children = (
            now - then for now, then in zip(self.now(), mark, strict=True)
        )
        if pauses == 0 or children > 0.0:
            return processor + children
        return wall - waited

    def run(self, command):
        """Run a process to its end.

        Raises
        ------
        subprocess.CalledProcessError
            If it fails.
        """
        silent, pipe = subprocess.DEVNULL, subprocess.PIPE
        with subprocess.Popen(command, stdin=silent, stdout=silent, stderr=pipe) as child:
            said = child.stderr.read()
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        self._children += used.ru_utime + used.ru_stime
        if child.returncode:
            raise subprocess.CalledProcessError(child.returncode, command, stderr=said)

    def _waited(self):
        """Seconds that the thread was ready so far; other systems do not tell."""
        if self._schedstat is None:
            return 0.0
        return NANOSECOND * int(os.pread(self._schedstat, 100, 0).split()[1])
