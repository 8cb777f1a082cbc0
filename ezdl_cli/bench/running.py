"""Run groups of benchmarks, each in a process of its own, within the time that there is."""

import json
import math
import subprocess
import sys
import time
from dataclasses import dataclass

from .past import FAILED, numbers

LONGEST = 600.0
"""Seconds of a single group: it hangs."""
ATTEMPTS = 3
"""How often a group is measured if something in it looks worse than usual."""
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

    def measure_again(self, groups, suspects, advance):
        """Measure groups twice more in which something looks worse than usual, by chance or indeed.

        Of three attempts, the one in the middle takes the place of the first.

        Parameters
        ----------
        groups : dict
            What `measure` has given, which is changed.
        suspects : list of pairs of group and benchmark
        """
        end = time.monotonic() + SECONDS_FOR_AGAIN
        for group in dict.fromkeys(group for group, _ in suspects):
            attempts = [groups[group]]
            while len(attempts) < ATTEMPTS and time.monotonic() < end:
                advance(0, f"{group}, again")
                try:
                    attempts.append(self._group(group))
                except TimeIsUpError:
                    return
            attempts = [one for one in attempts if FAILED not in one]
            for name in [name for one, name in suspects if one == group]:
                groups[group] = _settled(groups[group], attempts, name)

    def _group(self, name):
        """Measure a group, or say why that failed."""
        # -P: what lies in the folder where it is started is not imported.
        command = [sys.executable, "-P", "-m", "ezdl_cli.bench.worker", name]
        try:
            answer, said = _answer(command, min(LONGEST, self.deadline - time.monotonic()))
            return json.loads(answer)
        except subprocess.TimeoutExpired:
            if time.monotonic() >= self.deadline:
                raise TimeIsUpError from None
            return {FAILED: f"took longer than {LONGEST:.0f} s"}
        except OSError as error:  # too many processes, or too little memory for another
            return {FAILED: str(error)}
        except ValueError:
            return {FAILED: _last_line(said) or "ended without an answer"}


def _settled(group, attempts, name):
    """A group in which a benchmark is that of the attempt in the middle.

    Without a name, the group had failed: the last attempt counts that did not.
    """
    if not name:
        return attempts[-1] if attempts else group
    attempts = sorted(attempts, key=lambda one: sum(numbers(one)[name].badness.values()))
    middle = attempts[(len(attempts) - 1) // 2]
    kind = "times" if name in middle["times"] else "qualities"
    return group | {kind: group[kind] | {name: middle[kind][name]}}


def _answer(command, seconds):
    """What a process writes to standard output and error till its end."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as worker:
        # `communicate` would close its standard input, which tells the worker to end.
        stdin, worker.stdin = worker.stdin, None
        try:
            return worker.communicate(timeout=max(0.0, seconds))
        finally:
            worker.kill()
            stdin.close()


def _last_line(text):
    lines = text.decode("utf-8", "replace").split("\n")
    return next((" ".join(line.split()) for line in reversed(lines) if line.strip()), "")
