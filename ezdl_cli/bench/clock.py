"""A clock that does not count the time during which other processes use the processor.

On a busy machine a process is interrupted repeatedly: by the operating system for other processes,
and by the host for other virtual machines. That is unrelated to the measured program. A thread
that never released the processor by itself has been computing all the time: its time is its CPU
time. If it slept or waited for something, the wall time counts, less the time during which it was
ready to run and had to wait for a processor (`schedstat` of Linux).
"""

import os
import resource
import subprocess
import time

NANOSECOND = 1e-9


class Clock:
    """Measure the seconds of the thread that creates it, and of the processes that it runs."""

    def __init__(self):
        try:
            self._schedstat = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        except OSError:
            self._schedstat = None
        self._children = 0.0

    def now(self):
        """Return a mark: wall time, CPU time, time in the queue, pauses, CPU time of children.

        Pauses are how often the thread has released the processor by itself. Times are in seconds.
        """
        pauses = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
        wall, cpu = time.perf_counter(), time.thread_time()
        return wall, cpu, self._queued(), pauses, self._children

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
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        self._children += usage.ru_utime + usage.ru_stime
        if child.returncode:
            raise subprocess.CalledProcessError(child.returncode, command, stderr=errors)

    def _queued(self):
        """Seconds that the thread has waited for a processor so far; 0 except on Linux."""
        if self._schedstat is None:
            return 0.0
        return NANOSECOND * int(os.pread(self._schedstat, 100, 0).split()[1])
