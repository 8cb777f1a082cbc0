"""Trend lines: a benchmark from run to run, as the coordinates of a small SVG drawing."""

import math
from dataclasses import dataclass

from .formatting import format_quality, format_seconds, is_informative
from .regression_rules import WORSE

WIDTH, HEIGHT, MARGIN = 200, 44, 4
MAX_POINTS = 90


@dataclass(frozen=True)
class Trend:
    """A trend line; y coordinates point downwards."""

    label: str
    baseline: str
    """The baseline as text; empty if there is none."""
    band: list[float]
    """Top, middle and bottom of the band around the baseline that is not a regression."""
    points: list[tuple[float, float, bool, str]]
    """x, y, whether it is a regression, and a label, for each run."""
    width: int = WIDTH
    height: int = HEIGHT


def trend_of(series, runs):
    """Return the trend line of a `BenchmarkSeries` over the last of all runs."""
    limit = next(iter(series.runs[-1].costs))  # the first limit of the newest run is shown
    shown = [one for one in series.runs if limit in one.costs][-MAX_POINTS:]
    baseline, tolerance = series.baseline(limit), series.tolerance
    band = [] if baseline is None else [baseline + i * tolerance for i in (-1, 0, 1)]
    # The cost of a quality is its negative value.
    y = _scale([one.costs[limit] for one in shown] + band, upwards=series.unit is None)
    points = [
        (
            MARGIN + (WIDTH - 2 * MARGIN) * (i / (len(shown) - 1) if len(shown) > 1 else 0.5),
            y(one.costs[limit]),
            one.status == WORSE,
            _point_label(series, runs[one.run], limit, one.costs[limit]),
        )
        for i, one in enumerate(shown)
    ]
    label = f"{series.group}, {series.name}: {len(shown)} runs"
    last = runs[shown[-1].run]
    baseline_text = "" if baseline is None else _value_text(series, last, limit, baseline)
    return Trend(label, baseline_text, sorted(map(y, band)), points)


def _point_label(series, run, limit, cost):
    """When a run was measured, and its value."""
    return f"{run['time']}: {_value_text(series, run, limit, cost)}"


def _value_text(series, run, limit, cost):
    """The quality or the ratio that a cost stands for; the time in a run if the ratio is large."""
    if series.unit is not None:
        return format_quality(None if math.isinf(cost) else -cost)
    ratio, seconds = math.exp(cost), run["groups"][series.group]["times"][limit]["median"]
    return f"{ratio:.3g} ×" if is_informative(ratio) else format_seconds(ratio * seconds)


def _scale(costs, upwards):
    """Return a function from cost to y; `upwards` if a higher cost is drawn higher."""
    finite = [cost for cost in costs if math.isfinite(cost)]
    low, high = min(finite, default=0.0), max(finite, default=0.0)

    def y(cost):
        share = (min(max(cost, low), high) - low) / (high - low or 1.0)
        return HEIGHT - MARGIN - (share if upwards else 1.0 - share) * (HEIGHT - 2 * MARGIN)

    return y
