"""Claims on the sparseness-enforcing projection (sections 2.3 and 4.1)."""

import numpy as np

from .claim import Claim, Missing, above, absent, at_least, below, least, most, told, within

CLASSICS = {"hoyer": "Hoyer's", "potluru": "Potluru's", "thom_palm": "Thom and Palm's"}
# The algorithm of the paper is Newton's method on the squared function; the verdicts are on it. The
# default of this package, which came later, is told beside it.
PAPER, DEFAULT = "newton_sqr", "auto"
PAPER_MEANS = {"newton_sqr": 4.5, "halley": 9.0, "newton": 11.0}
SOLVERS = {"newton": "Newton", "halley": "Halley", "newton_sqr": "squared Newton"}
PAPER_EXPONENT = 30
LINEAR_FROM = 1 << 16


def bisection_grows_linearly(evidence):
    means = _by(evidence.drawn("evaluations"), "solver", "mean")["bisection"]
    if len(means) < 3:
        raise Missing("fewer than three n were run")
    x, y = np.log2(list(means)), np.array(list(means.values()))
    slope, offset = _line(x, y)
    what = "slope for each doubling of n"
    if np.ptp(y) == 0:  # there is no variance to explain
        return [above(what, 0, 0)]
    unexplained = np.sum((y - slope * x - offset) ** 2) / np.sum((y - y.mean()) ** 2)
    return [above(what, slope, 0), at_least("R²", 1 - unexplained, 0.9)]


def derivatives_save_evaluations(evidence):
    means = _by(evidence.drawn("evaluations"), "solver", "mean")
    measures = []
    for solver, words in SOLVERS.items():
        n, gap = _least_gap(means, solver)
        measures.append(above(f"least saving of {words} against bisection, at {_power(n)}", gap, 0))
    return measures


def squared_newton_needs_fewest(evidence):
    means = _by(evidence.drawn("evaluations"), "solver", "mean")
    measures = []
    for other in ("bisection", "newton", "halley"):
        n, gap = _least_gap(means, PAPER, other)
        measures.append(at_least(f"least saving against {other}, at {_power(n)}", gap, 0))
    largest = max(means[PAPER])
    exponent = int(np.log2(largest))
    for solver, wanted in PAPER_MEANS.items():
        what = f"{SOLVERS[solver]} at {_power(largest)}"
        value = means[solver][largest]
        if exponent == PAPER_EXPONENT:
            measures.append(within(what, value, wanted - 1.5, wanted + 1.5))
        else:
            measures.append(told(what, value))
    if exponent != PAPER_EXPONENT:
        measures.append(absent(f"n = 2^{PAPER_EXPONENT}, for which the paper gives its numbers"))
    return measures


def faster_at_every_n(evidence):
    seconds = _by(evidence.drawn("speedups"), "algorithm", "seconds")
    measures = []
    for name, words in CLASSICS.items():
        n, ratio = _least_ratio(seconds, name, PAPER)
        measures.append(above(f"least time of {words} over the paper's, at {_power(n)}", ratio, 1))
    for name, words in CLASSICS.items():
        n, ratio = _least_ratio(seconds, name, DEFAULT)
        measures.append(told(f"{words} over this package's default, at {_power(n)}", ratio))
    return measures


def much_faster_at_the_end(evidence):
    seconds = _by(evidence.drawn("speedups"), "algorithm", "seconds")
    shared = set(seconds[PAPER]).intersection(*(seconds.get(name, {}) for name in CLASSICS))
    if not shared:
        raise Missing("there is no n for which all algorithms were timed")
    largest = max(shared)
    place = f"at {_power(largest)}"
    measures = [
        above(f"{words} over the paper's {place}", times[largest] / seconds[PAPER][largest], 15)
        for words, times in ((words, seconds[name]) for name, words in CLASSICS.items())
    ]
    return measures + [
        told(f"{words} over this package's default", times[largest] / seconds[DEFAULT][largest])
        for words, times in ((words, seconds[name]) for name, words in CLASSICS.items())
    ]


def linear_time_and_constant_memory(evidence):
    slope, extra = _slope_and_memory(evidence, PAPER)
    usual_slope, usual_extra = _slope_and_memory(evidence, DEFAULT)
    measures = [
        below("largest extra memory, MiB", extra, 1),
        told("largest extra memory of this package's default, MiB", usual_extra),
    ]
    if np.isnan(slope):
        return [absent("fewer than three n from 2^16 on"), *measures]
    linear = within("log-log slope of the time from n = 2^16 on", slope, 0.9, 1.1)
    return [linear, told("slope of this package's default", usual_slope), *measures]


def _slope_and_memory(evidence, algorithm):
    """How time grows for long vectors, NaN if there are too few, and the most memory."""
    table = evidence.drawn("speedups")
    seconds = _by(table, "algorithm", "seconds")[algorithm]
    long = {n: time for n, time in seconds.items() if n >= LINEAR_FROM}
    _, extra = most(_by(table, "algorithm", "extra_mib")[algorithm])
    if len(long) < 3:
        return np.nan, extra
    return _line(np.log(list(long)), np.log(list(long.values())))[0], extra


def _line(x, y):
    """Slope and offset of the straight line through points; ValueError if there is none."""
    if not np.isfinite([x, y]).all():  # LAPACK would print that to standard output
        raise ValueError("numbers are not finite")
    return np.polyfit(x, y, 1)


def _by(table, names, values):
    """A number for each n, by name."""
    if values not in table or table[values].dtype.kind != "f":
        raise Missing(f"the table has no numbers in the column {values}")
    return {
        str(name): dict(
            zip(
                table["n"][table[names] == name].tolist(),
                table[values][table[names] == name].tolist(),
                strict=True,
            )
        )
        for name in dict.fromkeys(table[names])
    }


def _least_gap(means, solver, other="bisection"):
    """n at which a solver saves the fewest evaluations against another, and how many."""
    return least({n: means[other][n] - means[solver][n] for n in means[solver]})


def _least_ratio(seconds, classic, ours):
    """n at which the time of a classic over ours is least, and that ratio."""
    if classic not in seconds:
        raise Missing(f"{classic} was not timed")
    return least({n: time / seconds[ours][n] for n, time in seconds[classic].items()})


def _power(n):
    return f"n = 2^{int(np.log2(n))}"


CLAIMS = (
    Claim(
        "P1",
        "4.1",
        ("evaluations",),
        "Evaluations of the auxiliary function by bisection grow linearly in log n.",
        "straight-line fit of the mean over log2 n: slope > 0, R² ≥ 0.9",
        "grows about linearly in log n",
        bisection_grows_linearly,
    ),
    Claim(
        "P2",
        "4.1",
        ("evaluations",),
        "Newton, Halley and Newton on the squared function always need fewer evaluations than "
        "bisection.",
        "in the mean, at every n",
        "always fewer",
        derivatives_save_evaluations,
    ),
    Claim(
        "P3",
        "4.1",
        ("evaluations",),
        "Newton on the squared function needs the fewest at every n; at n = 2^30 the means are 4.5 "
        "(squared Newton), 9 (Halley), 11 (Newton).",
        "fewest at every n; at n = 2^30 each within ±1.5 of the paper's",
        "4.5 / 9 / 11 at n = 2^30",
        squared_newton_needs_fewest,
    ),
    Claim(
        "P4",
        "4.1",
        ("speedups",),
        "The linear-time projection is faster than Hoyer's, Potluru's and Thom and Palm's at every "
        "n.",
        "the paper's algorithm, at every n, with equally optimised code",
        "faster at every n from 2^2 to 2^30",
        faster_at_every_n,
    ),
    Claim(
        "P5",
        "4.1",
        ("speedups",),
        "At n = 2^30 it is more than 15 times faster than each of them.",
        "at the largest n for which all were timed",
        "> 15 at n = 2^30",
        much_faster_at_the_end,
    ),
    Claim(
        "P6",
        "2.3",
        ("speedups",),
        "Time is linear and extra memory constant in n.",
        "log-log slope of the time for n ≥ 2^16 in [0.9, 1.1]; extra memory below 1 MiB at every "
        "n, in place",
        "linear time, constant space",
        linear_time_and_constant_memory,
    ),
)
