"""Claims on the time and the memory of projections (sections 2.3 and 4.1, Fig. 5)."""

import numpy as np

from .claim import Missing, above, at_most, below, not_measured, reported, within, worst
from .comparisons import power_of_two, slopes
from .evidence import numbers

CLASSICS = {"hoyer": "Hoyer's", "potluru": "Potluru's", "thom_palm": "Thom and Palm's"}
# The paper's algorithm is Newton's method on the squared function; the verdicts are on it. The
# default of this package, which is newer, is reported as well.
PAPER, DEFAULT = "newton_sqr", "auto"
PUBLISHED, OPTIMISED = "as published", "optimised"
SEVERAL = 3  # dimensions, the fewest for a slope
MEDIUM_N = 1 << 16
LARGE_N = 1 << 22


def faster_at_every_n(evidence):
    return [*_slowest(evidence, PUBLISHED), *_reported(lambda: _slowest(evidence, OPTIMISED))]


def faster_at_every_n_if_optimised(evidence):
    return _slowest(evidence, OPTIMISED)


def much_faster_at_the_end(evidence):
    return [*_at_the_end(evidence, PUBLISHED), *_reported(lambda: _at_the_end(evidence, OPTIMISED))]


def much_faster_at_the_end_if_optimised(evidence):
    return _at_the_end(evidence, OPTIMISED)


def linear_time_and_constant_memory(evidence):
    passes = _over_n(evidence, "passes", PUBLISHED, PAPER)
    long = [passes[n] for n in sorted(passes) if n >= MEDIUM_N]
    if len(long) < 2:
        raise Missing("vectors of 2^16 and more entries are needed")
    half = len(long) // 2
    growth = np.mean(long[-half:]) - np.mean(long[:half])
    measures = [
        at_most("passes over the vector, upper − lower half of the n from 2^16 on", growth, 0.5),
        _time_slope(evidence, PUBLISHED, LARGE_N),
        _memory(evidence, PAPER),
    ]
    return [*measures, *_reported(lambda: [_memory(evidence, DEFAULT)])]


def linear_time_from_medium_n_on(evidence):
    return [_time_slope(evidence, OPTIMISED, MEDIUM_N), _memory(evidence, PAPER)]


def classics_slow_down(evidence):
    hoyer = _over_n(evidence, "seconds", PUBLISHED, "hoyer")
    measures = []
    for name in ("potluru", "thom_palm"):
        seconds = _over_n(evidence, "seconds", PUBLISHED, name)
        gains = {n: hoyer[n] / seconds[n] for n in hoyer if n in seconds}
        short = [above(power_of_two(n), gain, 1) for n, gain in gains.items() if n <= MEDIUM_N]
        last, best = max(gains), max(gains, key=gains.get)
        fall = gains[last] / gains[best]
        where = f"{power_of_two(last)} / largest, at {power_of_two(best)}"
        measures += [
            worst(f"{CLASSICS[name]}: speed-up over Hoyer's", short),
            below(f"{CLASSICS[name]}: speed-up at {where}", fall, 1),
        ]
    return measures


def _over_n(evidence, column, style, algorithm):
    """Numbers of a column of the timings, by n."""
    rows = evidence.select("speedups", style=style, algorithm=algorithm)
    return dict(zip(rows["n"].tolist(), numbers(rows, column).tolist(), strict=True))


def _time_ratios(evidence, style, classic):
    """Time of a classic algorithm over that of the paper's, by n."""
    theirs, ours = (_over_n(evidence, "seconds", style, name) for name in (classic, PAPER))
    return {n: seconds / ours[n] for n, seconds in theirs.items() if n in ours}


def _slowest(evidence, style):
    """A measure for each classic algorithm: the paper's is faster at every n."""
    return [
        worst(
            f"{style}: time of {name} / the paper's",
            [
                above(power_of_two(n), one, 1)
                for n, one in _time_ratios(evidence, style, key).items()
            ],
        )
        for key, name in CLASSICS.items()
    ]


def _at_the_end(evidence, style):
    """A measure for each classic algorithm: the paper's is far faster at the largest n."""
    ratios = {name: _time_ratios(evidence, style, key) for key, name in CLASSICS.items()}
    shared = set.intersection(*map(set, ratios.values()))
    if not shared:
        raise Missing("there is no n for which all algorithms were timed")
    n = max(shared)
    return [
        above(f"{style}: time of {name} / the paper's at {power_of_two(n)}", by_n[n], 15)
        for name, by_n in ratios.items()
    ]


def _reported(measures):
    """The measures that a function returns, without influence on the verdict; none if missing."""
    try:
        return [reported(one.what, one.value) for one in measures() if one.value is not None]
    except Missing:
        return []


def _time_slope(evidence, style, first):
    """A measure: the log-log slope of the time of the paper's algorithm for long vectors."""
    seconds = _over_n(evidence, "seconds", style, PAPER)
    long = sorted((n, time) for n, time in seconds.items() if n >= first)
    if len(long) < SEVERAL:
        return not_measured(
            f"slope of the time, for lack of {SEVERAL} dimensions from {power_of_two(first)} on"
        )
    n, times = np.log(np.transpose(long))
    what = f"{style}: log-log slope of the time from {power_of_two(first)} on"
    return within(what, slopes(n, times[np.newaxis])[0], 0.9, 1.1)


def _memory(evidence, algorithm):
    """A measure: the largest extra memory of a linear-time algorithm."""
    extra = _over_n(evidence, "extra_mib", OPTIMISED, algorithm)
    owner = "this package's default" if algorithm == DEFAULT else "the paper's algorithm"
    return below(f"largest extra memory of {owner}, MiB", np.max(list(extra.values())), 1)


CHECKS = {
    "P4": faster_at_every_n,
    "P5": much_faster_at_the_end,
    "P6": linear_time_and_constant_memory,
    "P10": classics_slow_down,
}
OLD_CHECKS = {
    "P4": faster_at_every_n_if_optimised,
    "P5": much_faster_at_the_end_if_optimised,
    "P6": linear_time_from_medium_n_on,
}
