"""The regressions after the newest run, each with a text that says how much worse it is."""

import math
from dataclasses import dataclass

from .benchmark_group import ERROR
from .formatting import is_informative
from .regression_rules import UNJUDGED, WORSE, judge_benchmarks


@dataclass(frozen=True)
class Regression:
    """A benchmark that is worse than its baseline, or a group that fails.

    It is reported until it is fixed, or until a run is marked as the new baseline.
    """

    group: str
    name: str
    """Empty if the group fails."""
    text: str
    """How much worse it is."""
    since: int
    """Index of the first run that was worse."""
    in_newest_run: bool = True

    @property
    def title(self):
        """Group and name."""
        return f"{self.group}: {self.name}" if self.name else self.group


def find_regressions(runs):
    """Find the regressions after the last of the runs of one machine.

    Returns
    -------
    regressions : list of Regression
    judged : bool
        Whether there were enough earlier runs to judge anything in the last one.
    """
    newest = len(runs) - 1
    found, judged = _failures(runs), False
    for series in judge_benchmarks(runs).values():
        last = series.runs[-1]
        in_newest_run = last.run == newest
        judged = judged or (in_newest_run and last.status != UNJUDGED)
        if last.status == WORSE:
            text = _how_much_worse(series.unit, last)
            text += "" if in_newest_run else " when it was last measured"
            found.append(
                Regression(series.group, series.name, text, series.worse_since, in_newest_run)
            )
    return found, judged


def n_comparable(runs):
    """Return how many earlier runs the last one can be compared with.

    These are the earlier runs, since the last new baseline, of the benchmark that has most of them.
    """
    newest = len(runs) - 1
    first = max((i for i, run in enumerate(runs) if run.get("baseline")), default=0)
    counts = (
        sum(first <= one.run < newest for one in series.runs)
        for series in judge_benchmarks(runs).values()
        if series.runs[-1].run == newest
    )
    return max(counts, default=0)


def _how_much_worse(unit, judged):
    cost, baseline = judged.costs[judged.limit], judged.baseline
    if unit is None:
        slower = f"{100.0 * (math.exp(judged.excess) - 1.0):.0f} % slower"
        now, usual = math.exp(cost), math.exp(baseline)
        if not is_informative(now):
            return f"{slower}, relative to {judged.limit}"
        return f"{slower}: {now:.3g} times {judged.limit}, usually {usual:.3g}"
    if math.isinf(cost):
        return f"no {unit} any more, usually {-baseline:.4g}"
    return f"{-cost:.4g} {unit}, usually {-baseline:.4g}: {-judged.excess:+.2g}"


def _failures(runs):
    """Groups that failed in the last run, but not in an earlier one."""
    found = []
    for title, group in runs[-1]["groups"].items():
        tried = [index for index, run in enumerate(runs) if title in run["groups"]]
        good = [index for index in tried if ERROR not in runs[index]["groups"][title]]
        if ERROR in group and good:
            since = next(index for index in tried if index > good[-1])
            found.append(Regression(title, "", f"failed: {group[ERROR]}", since))
    return found
