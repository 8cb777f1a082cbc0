"""Measure groups of benchmarks, each in a worker process, until a deadline."""

import json
import math
import subprocess
import sys
import time
from dataclasses import dataclass

from .benchmark_group import ERROR
from .regression_rules import units_and_costs

GROUP_TIMEOUT = 600.0
"""Seconds after which a single group is considered to hang; none takes nearly as long."""
N_ATTEMPTS = 3
"""How often a group is measured in total if something in it looks worse than usual."""
REPEAT_SECONDS = 60.0
"""Time limit of all repeated measurements together."""


class DeadlineReachedError(Exception):
    """There is no time left for the run."""


@dataclass
class BenchmarkRunner:
    """Measure groups of benchmarks."""

    deadline: float = math.inf
    """Value of `time.monotonic` at which measuring stops."""

    def measure(self, names, advance):
        """Measure groups by name, and return their results as they are written to the history.

        Groups for which there is no time left are missing.
        """
        groups = {}
        for name in names:
            advance(0, name)
            try:
                groups[name] = self._measure_group(name)
            except DeadlineReachedError:
                break
            advance(1, name)
        return groups

    def repeat(self, groups, suspects, advance):
        """Measure groups twice more, and replace suspects in `groups` by the median attempt.

        Suspects are pairs of the names of a group and of a benchmark in it.
        """
        end = time.monotonic() + REPEAT_SECONDS
        for group in dict.fromkeys(group for group, _ in suspects):
            attempts = [groups[group]]
            while len(attempts) < N_ATTEMPTS and time.monotonic() < end:
                advance(0, f"{group}, again")
                try:
                    attempts.append(self._measure_group(group))
                except DeadlineReachedError:
                    return
            attempts = [one for one in attempts if ERROR not in one]
            for name in [name for title, name in suspects if title == group]:
                groups[group] = _with_median(groups[group], attempts, name)

    def _measure_group(self, name):
        """Return the results of a group, or the reason why it failed."""
        # -P: do not import modules from the working directory.
        command = [sys.executable, "-P", "-m", "ezdl_cli.bench.worker", name]
        try:
            answer, errors = _run(command, min(GROUP_TIMEOUT, self.deadline - time.monotonic()))
            return json.loads(answer)
        except subprocess.TimeoutExpired:
            if time.monotonic() >= self.deadline:
                raise DeadlineReachedError from None
            return {ERROR: f"took longer than {GROUP_TIMEOUT:.0f} s"}
        except OSError as error:  # too many processes, or not enough memory for another one
            return {ERROR: str(error)}
        except ValueError:
            return {ERROR: _last_line(errors) or "ended without an answer"}


def _with_median(group, attempts, name):
    """Return a group in which the result of a benchmark is the median of several attempts.

    Without a name, the group had failed: the last attempt that did not fail replaces it.
    """
    if not name:
        return attempts[-1] if attempts else group
    attempts = sorted(attempts, key=lambda one: sum(units_and_costs(one)[name][1].values()))
    middle = attempts[(len(attempts) - 1) // 2]
    kind = "times" if name in middle["times"] else "qualities"
    return group | {kind: group[kind] | {name: middle[kind][name]}}


def _run(command, seconds):
    """Return standard output and standard error of a process."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as worker:
        # `communicate` would close the standard input, at whose end the worker exits.
        stdin, worker.stdin = worker.stdin, None
        try:
            return worker.communicate(timeout=max(0.0, seconds))
        finally:
            worker.kill()
            stdin.close()


def _last_line(text):
    lines = text.decode("utf-8", "replace").split("\n")
    return next((" ".join(line.split()) for line in reversed(lines) if line.strip()), "")
