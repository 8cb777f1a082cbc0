"""Claims on the sparseness-enforcing projection (sections 2.3 and 4.1)."""

import numpy as np

from .claim import (
    Missing,
    above,
    at_least,
    below,
    maximum,
    minimum,
    not_measured,
    reported,
    within,
)

CLASSICS = {"hoyer": "Hoyer's", "potluru": "Potluru's", "thom_palm": "Thom and Palm's"}
# The paper's algorithm is Newton's method on the squared function; the verdicts are on it. The
# default of this package, which is newer, is reported as well.
PAPER, DEFAULT = "newton_sqr", "auto"
PAPER_MEANS = {"newton_sqr": 4.5, "halley": 9.0, "newton": 11.0}
SOLVERS = {"newton": "Newton", "halley": "Halley", "newton_sqr": "squared Newton"}
PAPER_EXPONENT = 30
LINEAR_FROM = 1 << 16


def bisection_grows_linearly(evidence):
    means = _over_n(evidence, "evaluations", "mean", solver="bisection")
    if len(means) < 3:
        raise Missing("at least three n are needed")
    x, y = np.log2(list(means)), np.array(list(means.values()))
    slope, offset = _fit_line(x, y)
    what = "slope per doubling of n"
    if np.ptp(y) == 0:  # there is no variance to explain
        return [above(what, 0, 0)]
    unexplained = np.sum((y - slope * x - offset) ** 2) / np.sum((y - y.mean()) ** 2)
    return [above(what, slope, 0), at_least("R²", 1 - unexplained, 0.9)]


def derivatives_save_evaluations(evidence):
    measures = []
    for solver, name in SOLVERS.items():
        n, saving = _smallest_saving(evidence, solver, "bisection")
        measures.append(
            above(f"smallest saving of {name} over bisection, at {_power(n)}", saving, 0)
        )
    return measures


def squared_newton_needs_fewest(evidence):
    measures = []
    for other in ("bisection", "newton", "halley"):
        n, saving = _smallest_saving(evidence, PAPER, other)
        measures.append(at_least(f"smallest saving over {other}, at {_power(n)}", saving, 0))
    largest = max(_over_n(evidence, "evaluations", "mean", solver=PAPER))
    exponent = int(np.log2(largest))
    for solver, expected in PAPER_MEANS.items():
        what = f"{SOLVERS[solver]} at {_power(largest)}"
        value = _over_n(evidence, "evaluations", "mean", solver=solver)[largest]
        if exponent == PAPER_EXPONENT:
            measures.append(within(what, value, expected - 1.5, expected + 1.5))
        else:
            measures.append(reported(what, value))
    if exponent != PAPER_EXPONENT:
        what = f"n = 2^{PAPER_EXPONENT}, for which the paper gives its numbers"
        measures.append(not_measured(what))
    return measures


def faster_at_every_n(evidence):
    measures = []
    for classic, name in CLASSICS.items():
        n, ratio = minimum(_time_ratios(evidence, classic, PAPER))
        measures.append(
            above(f"smallest time ratio, {name} / the paper's, at {_power(n)}", ratio, 1)
        )
    for classic, name in CLASSICS.items():
        n, ratio = minimum(_time_ratios(evidence, classic, DEFAULT))
        measures.append(reported(f"{name} / this package's default, at {_power(n)}", ratio))
    return measures


def much_faster_at_the_end(evidence):
    ratios = {classic: _time_ratios(evidence, classic, PAPER) for classic in CLASSICS}
    shared = set.intersection(*map(set, ratios.values()))
    if not shared:
        raise Missing("there is no n for which all algorithms were timed")
    n = max(shared)
    measures = [
        above(f"time ratio, {name} / the paper's, at {_power(n)}", ratios[classic][n], 15)
        for classic, name in CLASSICS.items()
    ]
    return measures + [
        reported(f"{name} / this package's default", _time_ratios(evidence, classic, DEFAULT)[n])
        for classic, name in CLASSICS.items()
    ]


def linear_time_and_constant_memory(evidence):
    slope, extra = _slope_and_memory(evidence, PAPER)
    default_slope, default_extra = _slope_and_memory(evidence, DEFAULT)
    measures = [
        below("largest extra memory, MiB", extra, 1),
        reported("largest extra memory of this package's default, MiB", default_extra),
    ]
    if np.isnan(slope):
        return [not_measured("three n from 2^16 on are needed"), *measures]
    linear = within("log-log slope of the time from n = 2^16 on", slope, 0.9, 1.1)
    return [linear, reported("slope of this package's default", default_slope), *measures]


def _slope_and_memory(evidence, algorithm):
    """Log-log slope of the time for long vectors, NaN if there are too few, and extra memory."""
    seconds = _over_n(evidence, "speedups", "seconds", algorithm=algorithm)
    long = {n: time for n, time in seconds.items() if n >= LINEAR_FROM}
    _, extra = maximum(_over_n(evidence, "speedups", "extra_mib", algorithm=algorithm))
    if len(long) < 3:
        return np.nan, extra
    return _fit_line(np.log(list(long)), np.log(list(long.values())))[0], extra


def _fit_line(x, y):
    """Slope and offset of the least-squares line; ValueError for NaN and infinity."""
    if not np.isfinite([x, y]).all():  # LAPACK would print to standard output
        raise ValueError("numbers are not finite")
    return np.polyfit(x, y, 1)


def _over_n(evidence, name, column, **parameters):
    """Numbers of a column, by n."""
    rows = evidence.select(name, **parameters)
    if column not in rows or rows[column].dtype.kind != "f":
        raise Missing(f"the table has no numbers in the column {column}")
    return dict(zip(rows["n"].tolist(), rows[column].tolist(), strict=True))


def _smallest_saving(evidence, solver, other):
    """n at which a solver saves the fewest evaluations over another, and how many."""
    ours, theirs = (_over_n(evidence, "evaluations", "mean", solver=one) for one in (solver, other))
    return minimum({n: theirs[n] - ours[n] for n in ours})


def _time_ratios(evidence, classic, ours):
    """Time of a classic algorithm over that of another one, by n."""
    theirs, reference = (
        _over_n(evidence, "speedups", "seconds", algorithm=name) for name in (classic, ours)
    )
    return {n: seconds / reference[n] for n, seconds in theirs.items() if n in reference}


def _power(n):
    return f"n = 2^{int(np.log2(n))}"


CHECKS = {
    "P1": bisection_grows_linearly,
    "P2": derivatives_save_evaluations,
    "P3": squared_newton_needs_fewest,
    "P4": faster_at_every_n,
    "P5": much_faster_at_the_end,
    "P6": linear_time_and_constant_memory,
}
