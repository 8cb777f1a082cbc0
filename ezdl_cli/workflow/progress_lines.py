"""Progress of a step as lines of its log, such as `Training: 20 of 100, 12 s left`.

Commands write them if the variable EZDL_PROGRESS is set; the view of `ezdl run` reads them.
"""

import re
import time
from typing import NamedTuple

from ..durations import format_time

VARIABLE = "EZDL_PROGRESS"
INTERVAL = 1.0  # minimum seconds between two lines
TAIL = 4096  # bytes at the end of a log that are searched for the last line
PATTERN = re.compile(r"(?P<label>[^:]+): (?P<done>\d+) of (?P<total>\d+), [\d.]+ (s|min|h) left")


class StepProgress(NamedTuple):
    """How much of its work a step has done."""

    label: str
    done: int
    total: int

    @property
    def fraction(self):
        """The part of the work that is done, from 0 to 1."""
        return min(1.0, self.done / self.total) if self.total else 1.0


class ProgressLog:
    """Write progress as lines, at most one per second and one per percent.

    Parameters
    ----------
    total : int
    label : str
        What is done.
    write : function of a str
        Writes a line.
    clock : function
        Returns the time in seconds.
    """

    def __init__(self, total, label, write, clock=time.monotonic):
        self.total, self.label, self.write, self.clock = total, label, write, clock
        self.done = 0
        self.start = self.last_time = clock()
        self.last_percent = 0

    def advance(self, n_steps, item=None):
        """Count further steps as done; `item` is ignored."""
        self.done += n_steps
        now = self.clock()
        percent = 100 * self.done // self.total if self.total else 100
        is_due = now - self.last_time >= INTERVAL and percent > self.last_percent
        if is_due and self.done < self.total:
            self.last_time, self.last_percent = now, percent
            left = (now - self.start) * (self.total - self.done) / self.done
            self.write(f"{self.label}: {self.done} of {self.total}, {format_time(left)} left")


def parse_progress(line):
    """Return the progress that a line states, or None if it is another one."""
    match = PATTERN.fullmatch(line.strip())
    return StepProgress(match["label"], int(match["done"]), int(match["total"])) if match else None


def last_progress(log, since):
    """Return the last progress in a log that was modified after a time, or None."""
    try:
        with open(log, "rb") as stream:
            stream.seek(0, 2)
            stream.seek(max(0, stream.tell() - TAIL))
            tail = stream.read().decode("utf-8", "replace")
        if log.stat().st_mtime < since:  # the log of an earlier run
            return None
    except OSError:
        return None
    found = map(parse_progress, reversed(tail.splitlines()))
    return next((progress for progress in found if progress), None)


def without_progress(lines):
    """Return the lines that state no progress."""
    return [line for line in lines if not parse_progress(line)]
