"""The rules that decide whether a benchmark has become worse than its baseline.

Speed is judged by ratios to limits that were measured in the same run, on a logarithmic scale;
quality by its value. The baseline is the median of the last good runs, or of the first ones if
that is better: otherwise a slow decline would never be noticed. A run is a regression if it is
worse than the baseline by more than a tolerance, and by more than several standard deviations of
the last good runs. A candidate is slower only if it is slower relative to every limit, since a
limit may itself have been faster or slower than usual; the limit with the smallest variation gives
the standard deviation. Runs that are regressions do not enter the baseline.
"""

import math
from dataclasses import dataclass, field
from itertools import takewhile
from statistics import median, quantiles

from .benchmark_group import ERROR
from .interleaved_timing import LIMIT, OURS

BASELINE_RUNS = 20
"""Number of good runs whose median is the baseline."""
MIN_RUNS = 5
"""Number of good runs before anything is judged."""
MIN_SLOWDOWN = 1.15
"""Smallest slowdown that counts; smaller ones occur between runs of an unchanged program."""
QUALITY_TOLERANCES = {"SSIM": 0.001, "dB": 0.02, "correlation": 0.001, "R²": 0.002, "digits": 1.0}
"""Smallest decrease of a quality that counts, by its unit."""
N_DEVIATIONS = 2.5
"""Smallest difference that counts, in standard deviations of the last good runs."""
IQR_TO_STD = 0.741
"""Standard deviation of a normal distribution, divided by its interquartile range."""
OK, WORSE, UNJUDGED = "ok", "worse", "unjudged"


def units_and_costs(group):
    """Return what is judged of a group in one run: unit and costs of each benchmark, by name.

    A time has no unit, and a cost for each limit: the logarithm of the ratio to it. A quality has
    one cost under an empty name, its negative value.
    """
    if ERROR in group:
        return {}
    found = {}
    times = group["times"]
    for name in [name for name, one in times.items() if one["kind"] == OURS]:
        ratios = ratios_to(times, name, LIMIT)
        if ratios:
            found[name] = None, {limit: math.log(ratio) for limit, ratio in ratios.items()}
    for name, quality in group["qualities"].items():
        if quality.get("peer") is None:
            cost = math.inf if quality["value"] is None else -quality["value"]
            found[name] = quality["unit"], {"": cost}
    return found


def ratios_to(times, name, kind):
    """Return the ratios of a candidate's time to those of all candidates of a kind, by name."""
    ratios = times[name]["ratios"]
    return {other: ratios[other] for other in ratios if times.get(other, {}).get("kind") == kind}


@dataclass(frozen=True)
class JudgedRun:
    """A benchmark in one run."""

    run: int
    """Index of the run."""
    costs: dict
    status: str
    limit: str | None = None
    """The limit against which it did best."""
    baseline: float = math.nan
    """Baseline of the cost against that limit."""

    @property
    def excess(self):
        """Cost above the baseline."""
        return self.costs[self.limit] - self.baseline


@dataclass
class BenchmarkSeries:
    """A benchmark over all runs."""

    group: str
    name: str
    unit: str | None
    runs: list = field(default_factory=list)
    _good: dict = field(default_factory=dict)
    """Costs of good runs, by limit."""

    @property
    def tolerance(self):
        """The smallest increase of the cost that counts."""
        if self.unit is None:
            return math.log(MIN_SLOWDOWN)
        return QUALITY_TOLERANCES.get(self.unit, 0.0)

    def add(self, run, costs):
        """Judge a run by the earlier ones, and add it to them."""
        judged = self._judge(run, costs)
        self.runs.append(judged)
        if judged.status != WORSE:
            for limit, cost in costs.items():
                if math.isfinite(cost):
                    self._good.setdefault(limit, []).append(cost)

    def _judge(self, run, costs):
        known = [limit for limit in costs if len(self._good.get(limit, [])) >= MIN_RUNS]
        if not known:
            return JudgedRun(run, costs, UNJUDGED)
        baselines = {limit: self.baseline(limit) for limit in known}
        best = min(known, key=lambda limit: costs[limit] - baselines[limit])
        variation = min(_standard_deviation(self._good[limit]) for limit in known)
        allowed = max(self.tolerance, N_DEVIATIONS * variation)
        status = WORSE if costs[best] - baselines[best] > allowed else OK
        return JudgedRun(run, costs, status, best, baselines[best])

    def baseline(self, limit):
        """Return the baseline of the cost against a limit; None if there are no good runs."""
        good = self._good.get(limit)
        return min(median(good[:BASELINE_RUNS]), median(good[-BASELINE_RUNS:])) if good else None

    def reset_baseline(self):
        """Forget earlier runs, and that some of them were regressions."""
        self._good.clear()
        self.runs = [JudgedRun(one.run, one.costs, UNJUDGED) for one in self.runs]

    @property
    def worse_since(self):
        """Index of the run since which it is worse without interruption; None if it is not."""
        worse = list(takewhile(lambda one: one.status == WORSE, reversed(self.runs)))
        return worse[-1].run if worse else None


def _standard_deviation(costs):
    """Robust standard deviation of the last costs: single outliers do not count."""
    low, _, high = quantiles(costs[-BASELINE_RUNS:], n=4, method="inclusive")
    return IQR_TO_STD * (high - low)


def runs_of_newest_machine(runs):
    """Return the runs on the machine of the last one."""
    return [run for run in runs if run["machine"]["id"] == runs[-1]["machine"]["id"]]


def judge_benchmarks(runs):
    """Judge all runs of one machine; return a dict from (group, name) to BenchmarkSeries."""
    found = {}
    for index, run in enumerate(runs):
        if run.get("baseline"):
            for series in found.values():
                series.reset_baseline()
        for title, group in run["groups"].items():
            for name, (unit, costs) in units_and_costs(group).items():
                # A name whose unit has changed is another benchmark.
                if (title, name) not in found or found[title, name].unit != unit:
                    found[title, name] = BenchmarkSeries(title, name, unit)
                found[title, name].add(index, costs)
    return found
