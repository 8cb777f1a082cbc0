"""Comparisons of measured quantities that several claims share."""

from itertools import combinations, pairwise

import numpy as np

from ..experiments.bootstrap import QUANTILES, Estimate, contrast
from .claim import Missing, within, worst


def mean(cells):
    """Estimate the mean of a quantity."""
    return contrast([cells], [1])


def difference(first, second):
    """Estimate the paired difference of the means of two quantities."""
    return contrast([first, second], [1, -1])


def spread(what, points, limit):
    """Return a measure: no two of the quantities at a point may differ by more than a limit.

    `points` has a dict of cells by name for each point, such as a sparseness.
    """
    return worst(
        what,
        [
            within(f"{where}: {high} − {low}", difference(cells[high], cells[low]), -limit, limit)
            for where, cells in points.items()
            for high, low in map(lambda two: _by_mean(cells, two), combinations(cells, 2))
        ],
    )


def steps(cells):
    """Yield the names of consecutive quantities and the difference of their means."""
    for (before, first), (after, second) in pairwise(cells.items()):
        yield before, after, difference(second, first)


def rank_correlation(x, y):
    """Compute Spearman's ρ of the rows of two arrays (n_replicates, n)."""
    if x.shape[1] < 3:
        raise Missing("at least three points are needed for a rank correlation")
    from scipy.stats import rankdata  # takes long to import

    x, y = (rankdata(one, axis=1) for one in (x, y))
    x, y = (one - one.mean(axis=1, keepdims=True) for one in (x, y))
    lengths = np.sqrt(np.sum(x * x, axis=1) * np.sum(y * y, axis=1))
    return np.sum(x * y, axis=1) / np.where(lengths > 0, lengths, np.inf)


def slopes(x, y):
    """Compute the slopes of least-squares lines through the rows of y (n_replicates, n)."""
    centred = np.asarray(x, float) - np.mean(x)
    return (y - y.mean(axis=1, keepdims=True)) @ centred / (centred @ centred)


def deviation_over_seeds(values):
    """Estimate the standard deviation over seeds, with the interval for normal distributions."""
    from scipy.stats import chi2  # takes long to import

    n = len(values)
    if n < 2:
        raise Missing("dictionaries with several seeds are needed")
    deviation = np.std(values, ddof=1)
    high, low = deviation * np.sqrt((n - 1) / chi2.ppf(QUANTILES, n - 1))
    return Estimate(float(deviation), float(low), float(high), {"seeds": n})


def power_of_two(n):
    """Return a dimension as text, such as n = 2^10."""
    return f"n = 2^{np.log2(n):g}"


def _by_mean(cells, names):
    """Two names, that with the higher mean first."""
    return sorted(names, key=lambda name: -cells[name].mean)
