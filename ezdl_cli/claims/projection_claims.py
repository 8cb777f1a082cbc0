"""Claims on the sparseness-enforcing projection (sections 2.1, 2.3 and 4.1, appendix)."""

import numpy as np

from ..experiments.bootstrap import Estimate, mean_of_vectors, statistic_of_vector_means
from .claim import Missing, above, at_least, at_most, below, not_measured, reported, within, worst
from .comparisons import power_of_two, slopes
from .evidence import numbers

SOLVERS = {"newton": "Newton", "halley": "Halley", "newton_sqr": "squared Newton"}
PAPER_MEANS = {"newton_sqr": 4.5, "halley": 9.0, "newton": 11.0}
PAPER_N = 1 << 30
PAPER = "newton_sqr"  # the paper's algorithm is Newton's method on the squared function
SEVERAL = 3  # dimensions, the fewest for a slope
MIN_GRADIENT_N = 1 << 12  # for shorter vectors the time of the call dominates
N_PROPERTY_VECTORS = 100_000


def bisection_grows_linearly(evidence):
    x, means, *uncertainty = _evaluations(evidence, "bisection")
    slope = statistic_of_vector_means(lambda y: slopes(x, y), means, *uncertainty)
    explained = statistic_of_vector_means(lambda y: _explained(x, y), means, *uncertainty)
    return [above("slope per doubling of n", slope, 0), at_least("R²", explained, 0.9)]


def derivatives_save_evaluations(evidence):
    return [
        worst(f"{name} − bisection", _paired(evidence, solver, "minus_bisection", below))
        for solver, name in SOLVERS.items()
    ]


def squared_newton_needs_fewest(evidence):
    others = {"bisection": "bisection", **SOLVERS}
    del others[PAPER]
    return [
        worst(f"{name} − squared Newton", _paired(evidence, solver, "minus_newton_sqr", at_least))
        for solver, name in others.items()
    ]


def evaluations_at_the_largest_n(evidence):
    largest = max(evidence.values("evaluations", "n"))
    deviations, found = {}, {}
    for counted, column in (("without", "mean"), ("with", "mean_with_zero")):
        found[counted] = {
            solver: _mean_evaluations(evidence, solver, largest, column) for solver in PAPER_MEANS
        }
        deviations[counted] = max(
            abs(found[counted][solver].value - expected) for solver, expected in PAPER_MEANS.items()
        )
    nearer = min(deviations, key=deviations.get)
    measures = []
    for counted, means in found.items():
        for solver, mean in means.items():
            what = f"{SOLVERS[solver]} at {power_of_two(largest)}, {counted} the evaluation at zero"
            if counted == nearer and largest == PAPER_N:
                expected = PAPER_MEANS[solver]
                measures.append(within(what, mean, expected - 1.5, expected + 1.5))
            else:
                measures.append(reported(what, mean))
    if largest != PAPER_N:
        measures.append(not_measured("n = 2^30, for which the paper gives its numbers"))
    return measures


def derivatives_grow_sublinearly(evidence):
    x, means, deviations, counts = _evaluations(evidence, "bisection")
    upper = x >= np.median(x)
    if upper.sum() < SEVERAL:
        raise Missing(f"at least {SEVERAL} n are needed in the upper half")
    measures = []
    for solver, name in SOLVERS.items():
        its_x, *other = _evaluations(evidence, solver)
        if not np.array_equal(its_x, x):
            raise Missing(f"{name} and bisection were counted for different n")
        both = [
            np.concatenate([one[upper], two[upper]])
            for one, two in zip(other, (means, deviations, counts), strict=True)
        ]
        excess = statistic_of_vector_means(lambda y: _excess_slope(x[upper], y), *both)
        measures.append(below(f"slope of {name} − half of that of bisection", excess, 0))
    return measures


def bisection_stays_below_its_bound(evidence):
    rows = evidence.select("evaluations", solver="bisection")
    violations, checked = (numbers(rows, name) for name in ("bound_violations", "bound_vectors"))
    is_checked = checked > 0
    total = checked[is_checked].sum()
    if not is_checked.any() or np.isnan(violations[is_checked]).any():
        raise Missing("the bound was not computed for any vector")
    violated = Estimate(violations[is_checked].sum(), units={"vectors": int(total)})
    return [at_most("vectors for which the bound is violated", violated, 0)]


def projection_keeps_its_promises(evidence):
    rows = evidence.table("properties")
    total = int(numbers(rows, "vectors").sum())
    measures = [
        at_most(
            f"vectors whose {what} is wrong",
            Estimate(numbers(rows, f"{name}_violations").sum(), units={"vectors": total}),
            0,
        )
        for name, what in (("sparseness", "sparseness"), ("order", "order"), ("offset", "offset"))
    ]
    return [*measures, at_least("vectors", total, N_PROPERTY_VECTORS)]


def gradient_is_exact_and_linear(evidence):
    rows = evidence.table("gradient")
    n, seconds, errors = (numbers(rows, name) for name in ("n", "seconds", "relative_error"))
    long = n >= MIN_GRADIENT_N
    if np.isnan(errors).all() or long.sum() < SEVERAL:
        raise Missing("short vectors for the error and long ones for the slope are needed")
    slope = slopes(np.log(n[long]), np.log(seconds[long])[np.newaxis])[0]
    return [
        at_most("largest relative error against central differences", np.nanmax(errors), 1e-6),
        within(f"log-log slope of the time from {power_of_two(min(n[long]))} on", slope, 0.9, 1.1),
    ]


def _evaluations(evidence, solver):
    """log2 n, and mean, standard deviation and number of vectors, for all n in rising order."""
    rows = evidence.select("evaluations", solver=solver)
    order = np.argsort(rows["n"])
    if order.size < SEVERAL:
        raise Missing(f"at least {SEVERAL} n are needed")
    columns = ("mean", "standard_deviation", "vectors")
    return np.log2(rows["n"][order]), *(numbers(rows, name)[order] for name in columns)


def _paired(evidence, solver, difference, requirement):
    """A measure for each n: the paired difference of a solver's evaluations to another's."""
    rows = evidence.select("evaluations", solver=solver)
    columns = ("n", difference, f"{difference}_deviation", "vectors")
    points = list(zip(*(numbers(rows, name) for name in columns), strict=True))
    absent = set(evidence.values("evaluations", "n")) - {n for n, *_ in points}
    return [
        *(requirement(power_of_two(n), mean_of_vectors(*numbers), 0) for n, *numbers in points),
        *(not_measured(power_of_two(n)) for n in sorted(absent)),
    ]


def _mean_evaluations(evidence, solver, n, column):
    rows = evidence.select("evaluations", solver=solver, n=n)
    columns = (column, "standard_deviation", "vectors")
    return mean_of_vectors(*(numbers(rows, name)[0] for name in columns))


def _explained(x, y):
    """Share of the variance of the rows of y that a straight line explains."""
    residuals = y - y.mean(axis=1, keepdims=True) - slopes(x, y)[:, np.newaxis] * (x - x.mean())
    total = y.var(axis=1)
    return 1 - residuals.var(axis=1) / np.where(total > 0, total, np.inf)


def _excess_slope(x, y):
    """Slope of the first half of the columns of y minus half of that of the second."""
    return slopes(x, y[:, : x.size]) - 0.5 * slopes(x, y[:, x.size :])


CHECKS = {
    "P1": bisection_grows_linearly,
    "P2": derivatives_save_evaluations,
    "P3": squared_newton_needs_fewest,
    "P7": evaluations_at_the_largest_n,
    "P8": derivatives_grow_sublinearly,
    "P9": bisection_stays_below_its_bound,
    "P11": projection_keeps_its_promises,
    "P12": gradient_is_exact_and_linear,
}
