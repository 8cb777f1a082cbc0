"""A clock that stands still while this process waits for a core.

On a busy machine a process is put aside again and again. Linux tells for how long it was ready to
run and did not (`schedstat`); that time says nothing about the program. Sleeping counts, and so
does everything else. Other systems do not tell: there, the clock is the one on the wall.
"""

import os
import subprocess
import time

NANOSECOND = 1e-9


class Clock:
    """Seconds of the thread that made it, and of the processes that it has run."""

    def __init__(self):
        try:
            self._own = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        except OSError:
            self._own = None
        self._children = 0.0

    def start(self):
        """Begin to measure; a mark for `since`."""
        return time.perf_counter(), self._waited()

    def since(self, mark):
        """Seconds since a mark, without those of waiting for a core."""
        start, waited = mark
        waited = self._waited() - waited
        return time.perf_counter() - start - waited

    def run(self, command):
        """Run a process to its end; the time that its main thread waited for a core is left out.

        Raises
        ------
        subprocess.CalledProcessError
            If it fails.
        """
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        ) as child:
            said = child.stderr.read()
            # Ended, but still there to be asked.
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
            self._children += _waited(f"/proc/{child.pid}/schedstat")
        if child.returncode:
            raise subprocess.CalledProcessError(child.returncode, command, stderr=said)

    def _waited(self):
        """Seconds of waiting so far."""
        if self._own is None:
            return self._children
        return self._children + _parse(os.pread(self._own, 100, 0))


def _waited(path):
    try:
        with open(path, "rb") as stream:
            return _parse(stream.read())
    except (OSError, IndexError):
        return 0.0


def _parse(text):
    """The second of three numbers: nanoseconds of waiting."""
    return NANOSECOND * int(text.split()[1])
