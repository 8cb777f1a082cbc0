"""What a claim is, and how numbers decide on it.

A claim is checked by one or several measures; each says what was measured, what it must be, and
whether it is. If one of them fails, the claim is not reproduced; else if one of them is missing, it
is not measured; else it is reproduced.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import InputError

REPRODUCED, REFUTED, UNMEASURED = "reproduced", "not reproduced", "not measured"


class Missing(Exception):
    """The results leave out what a claim needs; the message says what."""


@dataclass(frozen=True)
class Measure:
    """A number that was measured, and whether it is as the claim says."""

    what: str
    value: float | None = None
    needs: str = ""
    """The condition, such as `≥ 0.9`; empty for what is only told."""
    holds: bool | None = None
    """None if it was not measured, or if it is only told."""

    @property
    def decides(self):
        """Whether the verdict depends on it."""
        return bool(self.needs)


@dataclass(frozen=True)
class Claim:
    """A statement of the paper and how it is checked."""

    id: str
    section: str
    figures: tuple[str, ...]
    """Names of the figures that show it."""
    statement: str
    condition: str
    """When it counts as reproduced."""
    paper: str
    """What the paper has, in numbers where it gives any."""
    check: Callable
    """Function of the `Evidence` that returns measures, or raises `Missing`."""


@dataclass(frozen=True)
class Finding:
    """A claim with what was measured."""

    claim: Claim
    measures: tuple[Measure, ...]

    @property
    def verdict(self):
        """What the measures say."""
        outcomes = [measure.holds for measure in self.measures if measure.decides]
        if False in outcomes:
            return REFUTED
        return UNMEASURED if None in outcomes or not outcomes else REPRODUCED


def judge(claim, evidence):
    """The finding on a claim."""
    try:
        return Finding(claim, tuple(claim.check(evidence)))
    except Missing as missing:
        return Finding(claim, (absent(str(missing)),))
    except InputError:  # says itself which file it is about
        raise
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise InputError(f"claim {claim.id}: the tables do not fit it ({error!r})") from None


def at_least(what, value, limit):
    """A measure that must not be less than a limit."""
    return _compared(what, value, f"≥ {limit:g}", value >= limit)


def at_most(what, value, limit):
    """A measure that must not be more than a limit."""
    return _compared(what, value, f"≤ {limit:g}", value <= limit)


def above(what, value, limit):
    """A measure that must be more than a limit."""
    return _compared(what, value, f"> {limit:g}", value > limit)


def below(what, value, limit):
    """A measure that must be less than a limit."""
    return _compared(what, value, f"< {limit:g}", value < limit)


def within(what, value, low, high):
    """A measure that must be in a range."""
    return _compared(what, value, f"{low:g} to {high:g}", low <= value <= high)


def told(what, value):
    """A number that decides nothing."""
    value = float(value)
    return Measure(what, value if math.isfinite(value) else None)


def absent(what):
    """What the run leaves out."""
    return Measure(what, needs="to be measured")


def _compared(what, value, needs, holds):
    value = float(value)
    if not math.isfinite(value):
        return absent(f"{what}: no number")
    return Measure(what, value, needs, bool(holds))


def least(numbers):
    """The key of the least number and that number; if one of them is NaN, that one."""
    return _chosen(numbers, np.argmin)


def most(numbers):
    """The key of the largest number and that number; if one of them is NaN, that one."""
    return _chosen(numbers, np.argmax)


def _chosen(numbers, choose):
    keys = list(numbers)
    key = keys[int(choose(np.array([numbers[key] for key in keys], float)))]
    return key, float(numbers[key])
