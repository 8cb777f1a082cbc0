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
    """How good a result is; higher is better."""

    value: float
    unit: str
    """One of `regression_rules.QUALITY_TOLERANCES`."""
    peer: str | None = None
    """The other program whose result it is."""


@dataclass(frozen=True)
class BenchmarkGroup:
    """Candidates that take turns, and qualities of results.

    Without a limit among the candidates, times are shown, but not compared with earlier runs.
    """

    about: str = field(kw_only=True)
    """A sentence or two on what is measured, for people."""
    candidates: list[Candidate] = field(default_factory=list)
    item: str = "run"
    """What a candidate processes `n_items` of, in the singular."""
    qualities: Callable = dict
    """Function that returns a dict from name to Quality."""
    clock: Clock | None = None
    """The clock of candidates that start processes."""
    n_rounds: int | None = None
    """Number of rounds of candidates that take long."""

    def measure(self):
        """Return times and qualities under the keys of the history file."""
        timings = time_interleaved(self.candidates, n_rounds=self.n_rounds, clock=self.clock)
        kinds = {candidate.name: candidate.kind for candidate in self.candidates}
        return {
            "about": self.about,
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
