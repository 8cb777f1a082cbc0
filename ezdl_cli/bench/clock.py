"""A clock that does not count the time during which other processes use the processor.

On a busy machine a process is interrupted repeatedly: by the operating system for other processes,
and by the host for other virtual machines. That is unrelated to the measured program. A thread
that never released the processor by itself has been computing all the time: its time is its CPU
time. If it slept or waited for something, the wall time counts, less the time during which it was
ready to run and had to wait for a processor. Only Linux reports these times; elsewhere, it is the
wall time.
"""

import subprocess
import time

from ..platforms import ThreadPauses, wait_for


class Clock:
    """Measure the seconds of the thread that creates it, and of the processes that it runs."""

    def __init__(self):
        self._pauses = ThreadPauses()
        self._children = 0.0

    def now(self):
        """Return a mark: wall time, CPU time, time in the queue, pauses, CPU time of children.

        Pauses are how often the thread has released the processor by itself. Times are in seconds.
        """
        pauses = self._pauses.count()
        wall, cpu = time.perf_counter(), time.thread_time()
        return wall, cpu, self._pauses.queued(), pauses, self._children

    def since(self, mark):
        """Return the seconds since a mark; for child processes, their CPU seconds."""
        wall, cpu, queued, pauses, children = (
            now - then for now, then in zip(self.now(), mark, strict=True)
        )
        if pauses == 0 or children > 0.0:
            return cpu + children
        return wall - queued

    def run(self, command, folder=None):
        """Run a process, in a folder if one is given, until it ends.

        Raises
        ------
        subprocess.CalledProcessError
            If it fails.
        """
        null, pipe = subprocess.DEVNULL, subprocess.PIPE
        streams = {"stdin": null, "stdout": null, "stderr": pipe}
        with subprocess.Popen(command, cwd=folder, **streams) as child:
            errors = child.stderr.read()
            seconds = wait_for(child)
        self._children += seconds
        if child.returncode:
            raise subprocess.CalledProcessError(child.returncode, command, stderr=errors)
