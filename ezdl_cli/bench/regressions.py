"""What is worse than it was, in words."""

import math
from dataclasses import dataclass

from .past import FAILED, NEW, WORSE, benchmarks
from .words import ratio


@dataclass(frozen=True)
class Regression:
    """Something that is worse than it was.

    It is told till it is mended, or till a run is marked as the new baseline.
    """

    group: str
    name: str
    text: str
    """How much worse."""
    since: int
    """Number of the run since which it is."""
    measured: bool = True
    """Whether the newest run has it."""

    @property
    def title(self):
        """Group and name."""
        return f"{self.group}: {self.name}" if self.name else self.group


def regressions(runs):
    """What is worse after the runs of one machine, and whether the last could be judged.

    Returns
    -------
    list of Regression, bool
    """
    last = len(runs) - 1
    found, judged = [], False
    for benchmark in benchmarks(runs).values():
        point = benchmark.points[-1]
        judged = judged or (point.run == last and point.state != NEW)
        if point.state == WORSE:
            text = _how_much(benchmark, point)
            measured = point.run == last
            text += "" if measured else " when it was last measured"
            where = (benchmark.group, benchmark.name)
            found.append(Regression(*where, text, benchmark.since, measured))
    return [*_failures(runs), *found], judged


def _how_much(benchmark, point):
    """By how much a point is worse, in words."""
    now, usual = point.badness[point.against], point.usual
    if benchmark.unit is not None:
        if math.isinf(now):
            return f"no {benchmark.unit} any more, usually {-usual:.4g}"
        return f"{-now:.4g} {benchmark.unit}, usually {-usual:.4g}: {-point.excess:+.2g}"
    now, usual = ratio(math.exp(now)), ratio(math.exp(usual))
    percent = 100.0 * (math.exp(point.excess) - 1.0)
    return f"{percent:.0f} % slower: {now} times {point.against}, usually {usual}"


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
