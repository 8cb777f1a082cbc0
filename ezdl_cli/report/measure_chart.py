"""Small charts of the measures of a claim: the interval, and the range that it has to be in."""

import math
from dataclasses import dataclass

from ..claims.claim_formats import number_text

WIDTH, HEIGHT = 300, 44
LEFT, RIGHT = 12, 288
PADDING = 0.08  # of the axis, on both sides of what it has to show
MAX_TICKS = 4
CASES_WITHIN = 1.5
"""How far from the numbers that decide other cases are shown, in lengths of their range."""
LOGARITHMIC_FROM = 100.0
"""Ratio of the largest to the smallest number from which on the axis is logarithmic."""


@dataclass(frozen=True)
class MeasureChart:
    """Positions of everything in a chart, in pixels from the left."""

    value: float
    interval: tuple[float, float] | None
    band: tuple[float, float] | None
    """The required range; None if the measure is only reported."""
    limits: tuple[float, ...]
    """Ends of the required range that are on the axis."""
    cases: tuple[float, ...]
    """Comparisons of which the measure is the least favourable, if they are near it."""
    ticks: tuple[tuple[float, str], ...]
    width: int = WIDTH
    height: int = HEIGHT


def measure_chart(measure):
    """Return the chart of a measure, or None if it was not measured."""
    if measure.value is None:
        return None
    ends = () if measure.low is None else (measure.low, measure.high)
    limits = _limits(measure)
    core = (measure.value, *ends, *limits)
    cases = _near(core, [case.value for case in measure.cases if _is_comparable(case, measure)])
    axis = _Axis((*core, *cases))
    return MeasureChart(
        axis.position(measure.value),
        tuple(map(axis.position, ends)) or None,
        _band(measure.relation, tuple(map(axis.position, limits))),
        tuple(map(axis.position, limits)),
        tuple(map(axis.position, cases)),
        tuple((axis.position(tick), number_text(tick, 6)) for tick in axis.ticks()),
    )


def _limits(measure):
    if not measure.decides or measure.limit is None:
        return ()
    return measure.limit if isinstance(measure.limit, tuple) else (measure.limit,)


def _is_comparable(case, measure):
    return case.value is not None and (case.relation, case.limit) == (
        measure.relation,
        measure.limit,
    )


def _near(core, cases):
    """Return the cases that can be shown without squeezing the numbers that decide."""
    reach = (max(core) - min(core)) * CASES_WITHIN
    return [
        value for value in cases if not reach or min(core) - reach <= value <= max(core) + reach
    ]


def _band(relation, limits):
    """Return the ends of the required range, which reaches to the end of the axis if it is open."""
    if not limits:
        return None
    if relation == "in":
        return limits
    return (limits[0], RIGHT) if relation in ("≥", ">") else (LEFT, limits[0])


class _Axis:
    """A linear axis, or a logarithmic one if positive numbers span several orders of magnitude."""

    def __init__(self, numbers):
        low, high = min(numbers), max(numbers)
        self.is_logarithmic = low > 0 and high / low >= LOGARITHMIC_FROM
        low, high = self._scale(low), self._scale(high)
        if high == low:
            reach = abs(high) * PADDING or 1.0
            low, high = low - reach, high + reach
        margin = (high - low) * PADDING
        self.low, self.high = low - margin, high + margin

    def _scale(self, number):
        return math.log10(number) if self.is_logarithmic else number

    def position(self, number):
        share = (self._scale(number) - self.low) / (self.high - self.low)
        return LEFT + share * (RIGHT - LEFT)

    def ticks(self):
        """Return at most `MAX_TICKS` round numbers on the axis."""
        step = _round_step((self.high - self.low) / MAX_TICKS)
        if self.is_logarithmic:
            step = max(1.0, math.ceil(step))
        numbers = range(math.ceil(self.low / step), math.floor(self.high / step) + 1)
        if self.is_logarithmic:
            return [10.0 ** (i * step) for i in numbers]
        digits = max(0, -math.floor(math.log10(step)) + 1)
        return [round(i * step, digits) for i in numbers]


def _round_step(minimum):
    """Return the smallest of 1, 2, 5, 10, 20, ... (or 0.1, 0.2, ...) that is not below a number."""
    power = 10.0 ** math.floor(math.log10(minimum))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= minimum * 0.999)
