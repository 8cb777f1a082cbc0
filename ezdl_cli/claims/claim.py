"""What a claim is, and how measured numbers decide on it.

A claim is judged by one or several measures. Each has an estimate, a 95 % confidence interval if
there were several runs, and a requirement. The requirement holds if the whole interval meets it,
fails if the whole interval misses it, and is undecided otherwise.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ..errors import InputError
from ..experiments.bootstrap import Estimate, NotComparable

REPRODUCED, NOT_REPRODUCED = "reproduced", "not reproduced"
UNDECIDED, NOT_MEASURED = "undecided", "not measured"
VERDICTS = (REPRODUCED, NOT_REPRODUCED, UNDECIDED, NOT_MEASURED)
HOLDS, FAILS = "holds", "fails"
FEW = 3  # verdicts from fewer seeds or images are marked as thin


class Missing(Exception):
    """The results lack what a claim needs; the message states what."""


@dataclass(frozen=True)
class Measure:
    """A measured number, and what it has to be for a claim to hold."""

    what: str
    value: float | None = None
    """None if it was not measured."""
    low: float | None = None
    """Ends of the 95 % confidence interval; None if there was one run only."""
    high: float | None = None
    relation: str = ""
    """The requirement: "≥", ">", "≤", "<" or "in", or "measured" if it could not be checked; empty
    if the number is only reported."""
    limit: float | tuple[float, float] | None = None
    """What it is compared with: a number, or the ends of a range for "in"."""
    units: dict = field(default_factory=dict)
    """How many seeds, images and vectors the interval is based on."""
    outlying: tuple[str, ...] = ()
    """Images whose influence was limited because they differ from all others."""
    cases: tuple["Measure", ...] = ()
    """All comparisons of which this is the least favourable."""

    @property
    def decides(self):
        """Whether the verdict depends on it."""
        return bool(self.relation)

    @property
    def outcome(self):
        """Whether the requirement holds, fails, is undecided or was not measured; "" without."""
        if not self.decides:
            return ""
        if self.value is None:
            return NOT_MEASURED
        ends = (self.value,) if self.low is None else (self.low, self.high)
        met = [self._is_met_by(end) for end in ends]
        if all(met):
            return HOLDS
        if any(met) or self._spans_the_range(ends):
            return UNDECIDED
        return FAILS

    @property
    def margin(self):
        """By how much the estimate meets the requirement; negative if it misses it."""
        if self.value is None:
            return math.nan
        if self.relation in ("≥", ">"):
            return self.value - self.limit
        if self.relation in ("≤", "<"):
            return self.limit - self.value
        return min(self.value - self.limit[0], self.limit[1] - self.value)

    def _is_met_by(self, number):
        match self.relation:
            case "≥":
                return number >= self.limit
            case ">":
                return number > self.limit
            case "≤":
                return number <= self.limit
            case "<":
                return number < self.limit
        return self.limit[0] <= number <= self.limit[1]

    def _spans_the_range(self, ends):
        """Whether the interval contains a whole range, so that neither end is in it."""
        return self.relation == "in" and ends[0] < self.limit[0] and ends[-1] > self.limit[1]


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
    explanation: str = ""
    """Why it may fail, as far as known, and the experiment that supports this."""
    old_condition: str = ""
    """The condition before it was revised; empty if it never was."""
    old_check: Callable | None = None


@dataclass(frozen=True)
class Finding:
    """A claim with its measures."""

    claim: Claim
    measures: tuple[Measure, ...]
    old_measures: tuple[Measure, ...] = ()
    """Measures by the condition before it was revised."""

    @property
    def verdict(self):
        """The verdict that follows from the measures."""
        return _verdict(self.measures)

    @property
    def old_verdict(self):
        """The verdict by the condition before it was revised; None if it never was."""
        return _verdict(self.old_measures) if self.claim.old_condition else None

    @property
    def caveat(self):
        """How little the verdict is based on: "one run", "thin: 2 seeds", or nothing."""
        measured = [one for one in self.measures if one.decides and one.value is not None]
        if self.verdict == NOT_MEASURED or not measured:
            return ""
        if all(one.low is None and one.units.get("seeds", 1) == 1 for one in measured):
            return "one run"
        for unit in ("seed", "image"):
            fewest = min(one.units.get(f"{unit}s", FEW) for one in measured)
            if fewest < FEW:
                return f"thin: {fewest} {unit}{'s' * (fewest > 1)}"
        return ""


def _verdict(measures):
    outcomes = [measure.outcome for measure in measures if measure.decides]
    if FAILS in outcomes:
        return NOT_REPRODUCED
    if NOT_MEASURED in outcomes or not outcomes:
        return NOT_MEASURED
    return UNDECIDED if UNDECIDED in outcomes else REPRODUCED


def judge(claim, evidence):
    """Return the finding on a claim."""
    old = _measures(claim, claim.old_check, evidence) if claim.old_check else ()
    return Finding(claim, _measures(claim, claim.check, evidence), old)


def _measures(claim, check, evidence):
    try:
        return tuple(check(evidence))
    except (Missing, NotComparable) as missing:
        return (not_measured(str(missing)),)
    except InputError:  # names its file itself
        raise
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise InputError(f"claim {claim.id}: the tables do not match it ({error!r})") from None


def at_least(what, estimate, limit):
    """Return a measure that must not be less than a limit."""
    return _measure(what, estimate, "≥", limit)


def at_most(what, estimate, limit):
    """Return a measure that must not be greater than a limit."""
    return _measure(what, estimate, "≤", limit)


def above(what, estimate, limit):
    """Return a measure that must be greater than a limit."""
    return _measure(what, estimate, ">", limit)


def below(what, estimate, limit):
    """Return a measure that must be less than a limit."""
    return _measure(what, estimate, "<", limit)


def within(what, estimate, low, high):
    """Return a measure that must be in a range."""
    return _measure(what, estimate, "in", (low, high))


def reported(what, estimate):
    """Return a measure that does not influence the verdict."""
    return _measure(what, estimate, "", None)


def not_measured(what):
    """Return a required measure that the results lack."""
    return Measure(what, relation="measured")


def attempt(measure):
    """Return the measure that a function returns, or what is missing for it."""
    try:
        return measure()
    except (Missing, NotComparable) as missing:
        return not_measured(str(missing))


def worst(what, measures):
    """Return the least favourable of several measures, which contains all of them as cases.

    Raises `Missing` if there are none.
    """
    measures = tuple(measures)
    if not measures:
        raise Missing(f"{what}: nothing was measured")
    order = (FAILS, NOT_MEASURED, UNDECIDED, HOLDS)
    chosen = min(measures, key=lambda one: (order.index(one.outcome), one.margin))
    if len(measures) == 1:
        return replace(chosen, what=f"{what}, {chosen.what}")
    return replace(chosen, what=f"{what}, {chosen.what}", cases=measures)


def _measure(what, estimate, relation, limit):
    """Return a measure of an estimate, or of a number from one run."""
    if not isinstance(estimate, Estimate):
        estimate = Estimate(float(estimate))
    ends = (estimate.low, estimate.high)
    known = [number for number in (estimate.value, *ends) if number is not None]
    if not all(map(math.isfinite, known)):
        return Measure(f"{what}: not a number", relation=relation, limit=limit)
    numbers = (float(estimate.value), *ends)
    return Measure(what, *numbers, relation, limit, estimate.units, estimate.outlying)
