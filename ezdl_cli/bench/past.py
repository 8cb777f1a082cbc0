"""The past of each benchmark, and whether a run was worse than those before it.

Speed is judged by ratios to limits that were measured in the same run, on a scale of logarithms;
quality by its value. What is usual is the median of the last good runs, or of the first ones if
that is better: else nobody would be told of a slow decline. A number is worse if it is beyond that
by more than a tolerance, and by more than several times the spread of the last good runs. A
candidate has become slower only if it has against every limit, since one of them may itself have
been faster or slower than usual; how far it may be off is told by the steadiest of them. Runs that
were worse do not become usual.
"""

import math
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import NamedTuple

from .group import TOLERANCES
from .interleaved_timing import LIMIT, OURS

WINDOW = 20
"""Good runs that say what is usual."""
FEWEST = 5
"""Runs before anything is called worse."""
SLOWER = 1.15
"""The least factor that counts."""
DEVIATIONS = 2.5
"""How many times the spread of earlier runs a difference must be."""
QUARTILES = 0.741
"""Standard deviation of normal numbers, over the distance of their quartiles."""
FINE, WORSE, NEW = "fine", "worse", "new"
FAILED = "error"
"""Key of what a group that could not be measured has said."""


class Number(NamedTuple):
    """What is judged of a benchmark."""

    unit: str | None
    """Of a quality; None for speed."""
    badness: dict
    """In comparison with each limit, the more the worse; of a quality, under an empty name."""


def numbers(measured):
    """All that is judged in a group, by name."""
    if FAILED in measured:
        return {}
    found = {}
    times = measured["times"]
    for name in [name for name, one in times.items() if one["kind"] == OURS]:
        ratios = ratios_to(times, name, LIMIT)
        if ratios:
            found[name] = Number(None, {key: math.log(ratio) for key, ratio in ratios.items()})
    for name, quality in measured["qualities"].items():
        if quality.get("peer") is None:
            badness = math.inf if quality["value"] is None else -quality["value"]
            found[name] = Number(quality["unit"], {"": badness})
    return found


def ratios_to(times, name, kind):
    """Time of a candidate over that of each one of a kind, by their names."""
    ratios = times[name]["ratios"]
    return {other: ratios[other] for other in ratios if times.get(other, {}).get("kind") == kind}


@dataclass(frozen=True)
class Point:
    """A benchmark in one run."""

    run: int
    badness: dict
    state: str
    against: str | None = None
    """The limit against which it is least worse."""
    usual: float = math.nan
    """What was usual against it."""

    @property
    def excess(self):
        """By how much it is beyond what was usual."""
        return self.badness[self.against] - self.usual


@dataclass
class Benchmark:
    """A benchmark and its past."""

    group: str
    name: str
    unit: str | None
    points: list = field(default_factory=list)
    _good: dict = field(default_factory=dict)
    """Badness of good runs, by limit."""

    @property
    def floor(self):
        """The least difference that counts."""
        return math.log(SLOWER) if self.unit is None else TOLERANCES.get(self.unit, 0.0)

    def add(self, run, badness):
        """Judge a run by those before it, and remember it."""
        point = self._judged(run, badness)
        self.points.append(point)
        if point.state != WORSE:
            for key, value in badness.items():
                if math.isfinite(value):
                    self._good.setdefault(key, []).append(value)

    def _judged(self, run, badness):
        known = [key for key in badness if len(self._good.get(key, [])) >= FEWEST]
        if not known:
            return Point(run, badness, NEW)
        usual = {key: self.usual(key) for key in known}
        against = min(known, key=lambda key: badness[key] - usual[key])
        allowed = max(self.floor, min(DEVIATIONS * _spread(self._good[key]) for key in known))
        state = WORSE if badness[against] - usual[against] > allowed else FINE
        return Point(run, badness, state, against, usual[against])

    def usual(self, key):
        """What is usual against a limit; None if nothing is."""
        good = self._good.get(key)
        return min(median(good[:WINDOW]), median(good[-WINDOW:])) if good else None

    def forget(self):
        """Let what was usual not count any more, nor that it was worse."""
        self._good.clear()
        self.points = [Point(point.run, point.badness, NEW) for point in self.points]

    @property
    def since(self):
        """Run from which on it is worse without a break; None if it is not."""
        first = None
        for point in reversed(self.points):
            if point.state != WORSE:
                break
            first = point.run
        return first


def _spread(good):
    """Standard deviation of the last good runs; single ones far off do not count."""
    low, _, high = quantiles(good[-WINDOW:], n=4, method="inclusive")
    return QUARTILES * (high - low)


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
                known = found.get((group, name))
                if known is None or known.unit != one.unit:
                    found[group, name] = Benchmark(group, name, one.unit)
                found[group, name].add(number, one.badness)
    return found
