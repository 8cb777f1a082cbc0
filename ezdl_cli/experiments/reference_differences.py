"""Paired differences of the points of a summary to those of a reference learner.

The curves of Figs. 12 and 14 hide each other, and the intervals of their points are not those of
the differences: images that are hard for one learner are hard for all.
"""

import numpy as np

from .bootstrap import NotComparable, statistic_of_means

REFERENCE = "odl"
COLUMNS = ("minus_odl", "minus_odl_standard_error", "minus_odl_low", "minus_odl_high")


def with_differences(points, cells, shared):
    """Add the differences to the reference to a summary.

    Parameters
    ----------
    points : dict
        A summary with the column `algorithm`.
    cells : sequence of Cells
        The observations of each point.
    shared : sequence of str
        Columns in which a point and its reference have the same values.

    Returns
    -------
    dict
        The summary with four more columns: the difference of the means over the images that both
        have, its standard error, and the ends of its 95 % confidence interval. Images are paired,
        and seeds if both have the same ones. All are NaN for the reference itself and where there
        is none; the last three also for a single run.
    """
    keys = list(zip(*(points[name].tolist() for name in shared), strict=True))
    is_reference = points["algorithm"].astype(str) == REFERENCE
    references = {keys[i]: cells[i] for i in np.flatnonzero(is_reference)}
    rows = [
        (np.nan,) * len(COLUMNS)
        if is_reference[i] or keys[i] not in references
        else difference(one, references[keys[i]])
        for i, one in enumerate(cells)
    ]
    return points | dict(zip(COLUMNS, np.array(rows, float).T, strict=True))


def difference(cells, reference):
    """Return mean, standard error and interval of a paired difference, NaN where unknown."""
    try:
        found = statistic_of_means(
            lambda means: means[:, 0] - means[:, 1], [cells, reference], min_freedom=1
        )
    except NotComparable:  # measured on different images
        return (np.nan,) * len(COLUMNS)
    numbers = (found.value, found.standard_error, found.low, found.high)
    return tuple(np.nan if number is None else number for number in numbers)
