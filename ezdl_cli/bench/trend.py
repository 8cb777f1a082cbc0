"""The course of a benchmark from run to run, as a small drawing (SVG)."""

import math
from html import escape

from . import words
from .past import WORSE

WIDTH, HEIGHT, MARGIN = 200, 44, 4
MOST_POINTS = 90


def trend(benchmark, runs):
    """A line over the last runs, with a band for what is usual, and worse runs marked.

    Parameters
    ----------
    benchmark : bench.past.Benchmark
    runs : list of dict
        All runs, by whose numbers the points say when they were.
    """
    key = main_key(benchmark)
    points = [point for point in benchmark.points if key in point.badness][-MOST_POINTS:]
    heights = _heights(benchmark, key, points)
    places = [(_x(i, len(points)), heights(point.badness[key])) for i, point in enumerate(points)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    marks = "".join(
        _mark(x, y, point, f"{runs[point.run]['time']}: {value(benchmark, point.badness[key])}")
        for (x, y), point in zip(places, points, strict=True)
    )
    label = f"{benchmark.group}, {benchmark.name}: {len(points)} runs"
    box = f"0 0 {WIDTH} {HEIGHT}"
    return (
        f'<svg class="trend" viewBox="{box}" role="img" aria-label="{escape(label)}">'
        f'{_band(benchmark, key, heights)}<polyline points="{line}"/>{marks}</svg>'
    )


def main_key(benchmark):
    """The limit that is shown: the first one of the newest run."""
    return next(iter(benchmark.points[-1].badness))


def value(benchmark, badness):
    """What is shown of a badness: a ratio, or a quality with its unit."""
    if benchmark.unit is None:
        return words.ratio(math.exp(badness))
    return f"{words.quality(None if math.isinf(badness) else -badness)} {benchmark.unit}"


def _heights(benchmark, key, points):
    """A function from badness to the height in the drawing; worse is higher for speed, and lower
    for quality, as the numbers are."""
    sign = 1.0 if benchmark.unit is None else -1.0
    shown = [p.badness[key] for p in points if math.isfinite(p.badness[key])]
    usual = benchmark.usual(key)
    if usual is not None:
        shown += [usual - benchmark.floor, usual + benchmark.floor]
    low, high = min(shown, default=0.0), max(shown, default=0.0)
    span = high - low or 1.0

    def height(badness):
        share = (min(max(badness, low), high) - low) / span
        share = share if sign > 0.0 else 1.0 - share
        return HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN)

    return height


def _band(benchmark, key, heights):
    """What is usual, as wide as the least difference that counts."""
    usual = benchmark.usual(key)
    if usual is None:
        return ""
    ends = sorted((heights(usual - benchmark.floor), heights(usual + benchmark.floor)))
    middle = heights(usual)
    return (
        f'<rect x="0" y="{ends[0]:.1f}" width="{WIDTH}" height="{ends[1] - ends[0]:.1f}"/>'
        f'<line x1="0" x2="{WIDTH}" y1="{middle:.1f}" y2="{middle:.1f}"/>'
    )


def _mark(x, y, point, title):
    """A point that tells its run."""
    worse = point.state == WORSE
    style = ' class="worse"' if worse else ""
    return (
        f'<circle{style} cx="{x:.1f}" cy="{y:.1f}" r="{3 if worse else 1.8}">'
        f"<title>{escape(title)}</title></circle>"
    )


def _x(i, count):
    return MARGIN + (WIDTH - 2 * MARGIN) * (i / (count - 1) if count > 1 else 0.5)
