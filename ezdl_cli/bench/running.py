"""Run groups of benchmarks, each in a process of its own, within the time that there is."""

import json
import math
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from .regressions import FAILED

LONGEST = 600.0
"""Seconds of a single group: it hangs."""
ATTEMPTS = 3
"""How often a group is measured at the most, if it looks worse than usual."""
SECONDS_FOR_AGAIN = 60.0
"""For all groups that are measured again."""


class TimeIsUpError(Exception):
    """The whole run has had its time."""


@dataclass
class Run:
    """A run on its way.

    Parameters
    ----------
    deadline : float
        Of `time.monotonic`, after which nothing is measured any more.
    """

    deadline: float = math.inf

    def measure(self, names, advance):
        """Measure groups by name.

        Returns
        -------
        dict from name to what was measured, or to {"error": reason}; those are missing for which
        there was no time
        """
        groups = {}
        for name in names:
            advance(0, name)
            try:
                groups[name] = self._group(name)
            except TimeIsUpError:
                break
            advance(1, name)
        return groups

    def measure_again(self, groups, suspects: Callable, advance):
        """Measure those groups again that look worse than usual: by chance or indeed.

        Where another attempt does not look so, it takes the place of the first.

        Parameters
        ----------
        groups : dict
            What `measure` has given, which is changed.
        suspects : function from groups to pairs of group and benchmark
        """
        end = time.monotonic() + SECONDS_FOR_AGAIN
        for _ in range(1, ATTEMPTS):
            suspicious = set(suspects(groups))
            for group in [name for name in groups if name in {one for one, _ in suspicious}]:
                if time.monotonic() > end:
                    return
                advance(0, f"{group}, again")
                try:
                    again = self._group(group)
                except TimeIsUpError:
                    return
                for name in [name for one, name in suspicious if one == group]:
                    replaced = groups | {group: _replaced(groups[group], again, name)}
                    if (group, name) not in suspects(replaced):
                        groups[group] = replaced[group]

    def _group(self, name):
        """Measure a group, or say why that failed."""
        command = [sys.executable, "-m", "ezdl_cli.bench.worker", name]
        pipe = subprocess.PIPE
        left = min(LONGEST, self.deadline - time.monotonic())
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as worker:
            try:
                answer, said = _wait(worker, left)
            except subprocess.TimeoutExpired:
                if time.monotonic() >= self.deadline:
                    raise TimeIsUpError from None
                return {FAILED: f"took longer than {LONGEST:.0f} s"}
            finally:
                worker.kill()
        try:
            return json.loads(answer)
        except ValueError:
            return {FAILED: _last_line(said) or f"ended with code {worker.returncode}"}


def _replaced(group, again, name):
    """A group in which a benchmark is that of another attempt; without a name, all of it."""
    if FAILED in again:
        return group
    if not name:
        return again
    kind = "times" if name in again["times"] else "qualities"
    return group | {kind: group[kind] | {name: again[kind][name]}}


def _wait(worker, seconds):
    """What a process writes till its end; its standard input stays open."""
    # `communicate` would close it, which tells the worker to end.
    stdin, worker.stdin = worker.stdin, None
    try:
        return worker.communicate(timeout=max(0.0, seconds))
    finally:
        stdin.close()


def _last_line(text):
    lines = text.decode("utf-8", "replace").split("\n")
    return next((" ".join(line.split()) for line in reversed(lines) if line.strip()), "")
