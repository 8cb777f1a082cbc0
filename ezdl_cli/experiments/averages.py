"""Means of observations with 95 % confidence intervals: points and error bars of figures."""

import numpy as np

from .bootstrap import Cells, statistic_of_means

# In dB. The PSNR of an image that is restored exactly is infinite; if a single pixel of 0.1
# megapixels differs by one grey level, it is 98 dB.
MAX_PSNR = 100.0


def mean_quality(table, measure, parameters):
    """Average a quality measure over images and seeds for each combination of parameters.

    Some images are harder than others for all curves of a figure, which says nothing about the
    curves. So the interval of a point is that of its distance to the mean of all points with the
    same abscissa, paired over images.

    Parameters
    ----------
    table : dict
        Observations with the columns `seed`, `image`, `measure` and the parameters.
    measure : str
        Column to average.
    parameters : sequence of str
        Columns that identify a point of the summary; the first holds words, the others may be
        empty. The last one is the abscissa.

    Returns
    -------
    dict
        The parameters, `measure` (its name), `mean`, `low` and `high` (ends of the 95 % confidence
        interval over seeds and images together; NaN for a single run), `n_seeds` and `n_images`.
    """
    table, values = _with_numbers(table, parameters), table[measure]
    groups = row_groups(table, parameters)
    cells = quality_cells(table, measure, parameters)
    abscissas = [table[parameters[-1]][here[0]] for here in groups]
    points = []
    for here, own, abscissa in zip(groups, cells, abscissas, strict=True):
        others = [
            other
            for other, at in zip(cells, abscissas, strict=True)
            if at == abscissa and other is not own and set(own.images) <= set(other.images)
        ]
        mean = values[here].mean()
        point = {name: table[name][here[0]] for name in parameters}
        point |= {"measure": measure, "mean": mean, **interval(own, others, mean)}
        points.append(point | {"n_seeds": len(own.seeds), "n_images": len(own.images)})
    return table_from_rows(points)


def quality_cells(table, measure, parameters):
    """Arrange the observations of each point of `mean_quality` by seed and image, in its order."""
    table, seeds = _with_numbers(table, parameters), as_numbers(table, "seed")
    return [
        Cells.of(table[measure][here], seeds[here], table["image"][here])
        for here in row_groups(table, parameters)
    ]


def _with_numbers(table, parameters):
    """Return a table in which all parameters after the first, which has words, are numbers."""
    return {**table, **{name: as_numbers(table, name) for name in parameters[1:]}}


def seed_means(values, seeds):
    """Arrange the means of all atoms of each seed, so that seeds have the same weight."""
    names, index = np.unique(seeds, return_inverse=True)
    return Cells.of(np.bincount(index, values) / np.bincount(index), names)


def interval(cells, others=(), mean=None):
    """Return `low` and `high` of the 95 % confidence interval of a mean, NaN for a single run.

    With other cells, it is the interval of the distance to the mean of all, moved to the mean.
    """
    mean = cells.mean if mean is None else mean
    if cells.values.size == 1:
        return {"low": np.nan, "high": np.nan}
    if len(others) > 0:
        estimate = statistic_of_means(
            lambda means: means[:, 0] - means.mean(axis=1), [cells, *others], min_freedom=1
        )
    else:
        estimate = statistic_of_means(lambda means: means[:, 0], [cells], min_freedom=1)
    return {name: mean + getattr(estimate, name) - estimate.value for name in ("low", "high")}


def row_groups(table, columns):
    """Row indices for each combination of values of some columns, in the order of the values."""
    codes = [np.unique(table[name], return_inverse=True)[1] for name in columns]
    _, group = np.unique(np.stack(codes, axis=1), axis=0, return_inverse=True)
    order = np.argsort(group, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(group[order])) + 1)


def as_numbers(table, name):
    """A column of numbers; NaN in all rows if the column is empty."""
    column = table[name]
    return column if column.dtype.kind != "O" else np.full(column.size, np.nan)


def table_from_rows(points):
    """A table from a list of rows, each a dict; ValueError if there are none."""
    if not points:
        raise ValueError("no rows for this summary")
    return {name: np.array([point[name] for point in points]) for name in points[0]}
