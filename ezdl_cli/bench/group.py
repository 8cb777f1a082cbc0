"""What is measured together, and what comes of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from .clock import Clock
from .interleaved_timing import OURS, Candidate, time_interleaved

# By how much a quality may fall before it is called worse, by its unit.
TOLERANCES = {"SSIM": 0.001, "dB": 0.02, "correlation": 0.001, "R²": 0.002, "digits": 1.0}


@dataclass(frozen=True)
class Quality:
    """How good a result is: the more, the better."""

    value: float
    unit: str
    """One of `TOLERANCES`."""
    peer: str | None = None
    """Whose result it is, if not ours."""

    def to_json(self):
        """As it stands in the history; what is no number is None."""
        value = self.value if math.isfinite(self.value) else None
        return {"value": value, "unit": self.unit, "peer": self.peer}


@dataclass(frozen=True)
class Group:
    """Candidates that take turns, and qualities of results.

    Where there is no limit among the candidates, they are shown beside their peers, but not
    compared with earlier runs.
    """

    candidates: list[Candidate] = field(default_factory=list)
    things: str = "run"
    """What a candidate does `n_items` of in a run, in the singular."""
    qualities: Callable = dict
    """Function that gives the qualities, by name."""
    clock: Clock | None = None
    """Of candidates that start processes."""

    def measure(self):
        """Times and qualities, as they stand in the history."""
        found = time_interleaved(self.candidates, clock=self.clock)
        times = {
            one.name: _history_entry(one.kind, found[one.name])
            for one in self.candidates
            if one.name in found
        }
        return {
            "things": self.things,
            "times": times,
            "qualities": {name: quality.to_json() for name, quality in self.qualities().items()},
        }


def _history_entry(kind, timing):
    """The times of a candidate under the keys of the history file."""
    entry = {
        "kind": kind,
        "least": timing.minimum,
        "median": timing.median,
        "spread": timing.spread,
        "turns": timing.n_rounds,
    }
    return entry | {"ratios": timing.ratios} if kind == OURS else entry
