"""What is measured together, and what comes of it."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from .clock import Clock
from .contest import OURS, Contender, contest

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
    """Contenders that take turns, and qualities of results.

    Where there is no limit among the contenders, they are shown beside their peers, but not
    compared with earlier runs.
    """

    contenders: list[Contender] = field(default_factory=list)
    things: str = "run"
    """What a contender does `count` of in a run, in the singular."""
    qualities: Callable = dict
    """Function that gives the qualities, by name."""
    clock: Clock | None = None
    """Of contenders that start processes."""

    def measure(self):
        """Times and qualities, as they stand in the history."""
        found = contest(self.contenders, clock=self.clock)
        times = {
            one.name: {"kind": one.kind, **asdict(found[one.name])}
            for one in self.contenders
            if one.name in found
        }
        for one in times.values():
            if one["kind"] != OURS:
                del one["ratios"]
        return {
            "things": self.things,
            "times": times,
            "qualities": {name: quality.to_json() for name, quality in self.qualities().items()},
        }
