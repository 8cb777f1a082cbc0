"""What a claim is, and how measured numbers decide on it.

A claim is judged by one or several measures, each of which states what was measured, the
requirement, and whether it holds. If one of them fails, the claim is not reproduced; otherwise, if
one of them is missing, it is not measured; otherwise it is reproduced.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import InputError

REPRODUCED, NOT_REPRODUCED, NOT_MEASURED = "reproduced", "not reproduced", "not measured"


class Missing(Exception):
    """The results lack what a claim needs; the message states what."""


@dataclass(frozen=True)
class Measure:
    """A measured number, and whether it meets the requirement of a claim."""

    what: str
    value: float | None = None
    needs: str = ""
    """The requirement, such as `≥ 0.9`; empty for a number that is only reported."""
    holds: bool | None = None
    """None if it was not measured, or is only reported."""

    @property
    def decides(self):
        """Whether the verdict depends on it."""
        return bool(self.needs)


@dataclass(frozen=True)
class Claim:
    """A statement of the paper and how it is judged."""

    id: str
    section: str
    figures: tuple[str, ...]
    """Names of the figures that show it."""
    statement: str
    condition: str
    """When it counts as reproduced."""
    paper: str
    """What the paper reports, in numbers where it gives any."""
    check: Callable
    """Function of the `Evidence` that returns measures, or raises `Missing`."""


@dataclass(frozen=True)
class Finding:
    """A claim with its measures."""

    claim: Claim
    measures: tuple[Measure, ...]

    @property
    def verdict(self):
        """The verdict that follows from the measures."""
        outcomes = [measure.holds for measure in self.measures if measure.decides]
        if False in outcomes:
            return NOT_REPRODUCED
        return NOT_MEASURED if None in outcomes or not outcomes else REPRODUCED


def judge(claim, evidence):
    """Return the finding on a claim."""
    try:
        return Finding(claim, tuple(claim.check(evidence)))
    except Missing as missing:
        return Finding(claim, (not_measured(str(missing)),))
    except InputError:  # names its file itself
        raise
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise InputError(f"claim {claim.id}: the tables do not match it ({error!r})") from None


def at_least(what, value, limit):
    """Return a measure that must not be less than a limit."""
    return _compare(what, value, f"≥ {limit:g}", value >= limit)


def at_most(what, value, limit):
    """Return a measure that must not be greater than a limit."""
    return _compare(what, value, f"≤ {limit:g}", value <= limit)


def above(what, value, limit):
    """Return a measure that must be greater than a limit."""
    return _compare(what, value, f"> {limit:g}", value > limit)


def below(what, value, limit):
    """Return a measure that must be less than a limit."""
    return _compare(what, value, f"< {limit:g}", value < limit)


def within(what, value, low, high):
    """Return a measure that must be in a range."""
    return _compare(what, value, f"{low:g} to {high:g}", low <= value <= high)


def reported(what, value):
    """Return a measure that does not influence the verdict."""
    value = float(value)
    return Measure(what, value if math.isfinite(value) else None)


def not_measured(what):
    """Return a required measure that the results lack."""
    return Measure(what, needs="to be measured")


def _compare(what, value, needs, holds):
    value = float(value)
    if not math.isfinite(value):
        return not_measured(f"{what}: not a number")
    return Measure(what, value, needs, bool(holds))


def minimum(numbers):
    """Return the key of the smallest number and that number; NaN wins if there is one."""
    return _extreme(numbers, np.argmin)


def maximum(numbers):
    """Return the key of the largest number and that number; NaN wins if there is one."""
    return _extreme(numbers, np.argmax)


def _extreme(numbers, choose):
    keys = list(numbers)
    key = keys[int(choose(np.array([numbers[key] for key in keys], float)))]
    return key, float(numbers[key])
