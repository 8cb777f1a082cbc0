"""What has become worse, compared with earlier runs on the same machine.

Speed is judged by ratios to limits that were measured in the same run, on a scale of logarithms;
quality by its value. A number is worse if it is beyond the median of the last good runs by more
than a tolerance, and by more than several times their spread. A contender has become slower only if
it has against every limit: one of them may itself have been faster or slower than usual. Runs that
were worse do not become usual: a regression is told till it is mended, or till a run is marked as
the new baseline.
"""

import math
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import NamedTuple

from .contest import LIMIT, OURS
from .group import TOLERANCES

WINDOW = 20
"""Good runs that say what is usual."""
FEWEST = 5
"""Runs before anything is called worse."""
SLOWER = 1.15
"""The least factor that counts."""
DEVIATIONS = 3.0
"""How many times the spread of earlier runs a difference must be."""
QUARTILES = 0.741
"""Standard deviation of normal numbers, over the distance of their quartiles."""
FINE, WORSE, NEW = "fine", "worse", "new"
FAILED = "error"
"""Key of what a group that could not be measured has said."""


@dataclass(frozen=True)
class Point:
    """A benchmark in one run: how bad it is in comparison with each limit, the more the worse."""

    run: int
    badness: dict
    state: str = NEW
    excess: float = 0.0
    """By how much it is beyond what is usual; of several limits, the least."""


@dataclass
class Benchmark:
    """A benchmark and its past."""

    group: str
    name: str
    unit: str | None
    """Of a quality; None for speed."""
    points: list = field(default_factory=list)
    _good: dict = field(default_factory=dict)

    def add(self, run, badness):
        """Judge a run by those before it, and remember it."""
        judged = {
            k: _judge(value, self._good.get(k, []), self.floor) for k, value in badness.items()
        }
        judged = {k: found for k, found in judged.items() if found is not None}
        state = NEW
        if judged:
            state = WORSE if all(excess > limit for excess, limit in judged.values()) else FINE
        excess = min((excess for excess, _ in judged.values()), default=0.0)
        self.points.append(Point(run, badness, state, excess))
        if state != WORSE:
            for key, value in badness.items():
                self._good.setdefault(key, []).append(value)

    def forget(self):
        """Let what was usual not count any more."""
        self._good.clear()

    @property
    def floor(self):
        """The least difference that counts."""
        return math.log(SLOWER) if self.unit is None else TOLERANCES.get(self.unit, 0.0)

    def usual(self, key):
        """Median of the last good runs against a limit; None if there are none."""
        good = self._good.get(key, [])[-WINDOW:]
        return median(good) if good else None

    @property
    def since(self):
        """Run from which on it is worse without a break; None if it is not."""
        first = None
        for point in reversed(self.points):
            if point.state != WORSE:
                break
            first = point.run
        return first


def _judge(value, good, floor):
    """How far a value is beyond what is usual, and how far it may be; None if nothing is usual."""
    good = good[-WINDOW:]
    if len(good) < FEWEST:
        return None
    low, middle, high = quantiles(good, n=4, method="inclusive")
    return value - middle, max(floor, DEVIATIONS * QUARTILES * (high - low))


def comparable(runs):
    """The runs of the newest one's machine."""
    return [run for run in runs if run["machine"]["id"] == runs[-1]["machine"]["id"]]


def benchmarks(runs):
    """All benchmarks of runs of one machine, oldest first, each with its past, by (group, name)."""
    found = {}
    for number, run in enumerate(runs):
        if run.get("baseline"):
            for benchmark in found.values():
                benchmark.forget()
        for group, measured in run["groups"].items():
            for name, one in numbers(measured).items():
                key = (group, name)
                if key not in found:
                    found[key] = Benchmark(group, name, one.unit)
                found[key].add(number, one.badness)
    return found


class Number(NamedTuple):
    """What is judged of a benchmark."""

    unit: str | None
    badness: dict


def numbers(measured):
    """All that is judged in a group, by name."""
    times, qualities = measured.get("times", {}), measured.get("qualities", {})
    found = {}
    for name in [name for name, one in times.items() if one["kind"] == OURS]:
        ratios = ratios_to(times, name, LIMIT)
        if ratios:
            found[name] = Number(None, {key: math.log(ratio) for key, ratio in ratios.items()})
    for name, quality in qualities.items():
        if quality.get("peer") is None:
            badness = math.inf if quality["value"] is None else -quality["value"]
            found[name] = Number(quality["unit"], {"": badness})
    return found


def ratios_to(times, name, kind):
    """Time of a contender over that of each one of a kind, by their names."""
    ratios = times[name]["ratios"]
    return {other: ratios[other] for other in ratios if times.get(other, {}).get("kind") == kind}


@dataclass(frozen=True)
class Regression:
    """Something that is worse than it was."""

    group: str
    name: str
    text: str
    """How much worse."""
    since: int
    """Number of the run since which it is."""

    @property
    def title(self):
        """Group and name."""
        return f"{self.group}: {self.name}" if self.name else self.group


def regressions(runs):
    """What is worse in the last of the runs of one machine, and whether anything could be judged.

    Returns
    -------
    list of Regression, bool
    """
    last = len(runs) - 1
    found, judged = [], False
    for benchmark in benchmarks(runs).values():
        point = benchmark.points[-1]
        if point.run == last:
            judged = judged or point.state != NEW
            if point.state == WORSE:
                text = _how_much(benchmark, point)
                found.append(Regression(benchmark.group, benchmark.name, text, benchmark.since))
    return [*_failures(runs), *found], judged


def _how_much(benchmark, point):
    """By how much a point is worse, in words."""
    if benchmark.unit is not None:
        (now,), usual = point.badness.values(), -benchmark.usual("")
        if math.isinf(now):
            return f"no {benchmark.unit} any more, usually {usual:.4g}"
        return f"{-now:.4g} {benchmark.unit}, usually {usual:.4g}: {-point.excess:+.2g}"
    # Of several limits, the one against which it is least worse.
    known = [key for key in point.badness if benchmark.usual(key) is not None]
    limit = min(known, key=lambda key: point.badness[key] - benchmark.usual(key))
    now, usual = math.exp(point.badness[limit]), math.exp(benchmark.usual(limit))
    times = f"{now:.3g} times {limit}, usually {usual:.3g}"
    return f"{100 * (math.exp(point.excess) - 1):.0f} % slower: {times}"


def _failures(runs):
    """Groups that could not be measured in the last run, but in an earlier one."""
    found = []
    for group, measured in runs[-1]["groups"].items():
        tried = [number for number, run in enumerate(runs) if group in run["groups"]]
        good = [number for number in tried if FAILED not in runs[number]["groups"][group]]
        if FAILED in measured and good:
            since = next(number for number in tried if number > good[-1])
            found.append(Regression(group, "", f"failed: {measured[FAILED]}", since))
    return found
