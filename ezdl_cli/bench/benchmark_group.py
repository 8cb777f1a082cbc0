"""A group of benchmarks: candidates that are timed together, and the quality of results."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from .clock import Clock
from .interleaved_timing import OURS, Candidate, time_interleaved

ERROR = "error"
"""Key of the reason, in the results of a group that could not be measured."""


@dataclass(frozen=True)
class Quality:
    """How good a result is; higher is better.

    Parameters
    ----------
    value : float
    unit : str
        One of `regression_rules.QUALITY_TOLERANCES`.
    peer : str, optional
        The other program whose result it is.
    """

    value: float
    unit: str
    peer: str | None = None


@dataclass(frozen=True)
class BenchmarkGroup:
    """Candidates that take turns, and qualities of results.

    Parameters
    ----------
    candidates : list of Candidate
        Without a limit among them, their times are shown, but not compared with earlier runs.
    item : str
        What a candidate processes `n_items` of, in the singular: times are per item.
    qualities : callable
        Returns a dict from name to Quality.
    clock : Clock, optional
        The clock of candidates that start processes.
    """

    candidates: list[Candidate] = field(default_factory=list)
    item: str = "run"
    qualities: Callable = dict
    clock: Clock | None = None

    def measure(self):
        """Return times and qualities under the keys of the history file."""
        timings = time_interleaved(self.candidates, clock=self.clock)
        kinds = {candidate.name: candidate.kind for candidate in self.candidates}
        return {
            "things": self.item,
            "times": {name: _time_entry(kinds[name], one) for name, one in timings.items()},
            "qualities": {name: _quality_entry(one) for name, one in self.qualities().items()},
        }


def _time_entry(kind, timing):
    entry = {
        "kind": kind,
        "least": timing.minimum,
        "median": timing.median,
        "spread": timing.spread,
        "turns": timing.n_rounds,
    }
    return entry | {"ratios": timing.ratios} if kind == OURS else entry


def _quality_entry(quality):
    value = quality.value if math.isfinite(quality.value) else None  # JSON has no NaN
    return {"value": value, "unit": quality.unit, "peer": quality.peer}
