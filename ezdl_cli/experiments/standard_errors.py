"""Means and standard errors of observations, over seeds and over images.

These are the error bars of all figures.
"""

import numpy as np


def mean_quality(table, measure, parameters):
    """Average a quality measure over images and seeds for each combination of parameters.

    Parameters
    ----------
    table : dict
        Observations with the columns `seed`, `image`, `measure` and the parameters.
    measure : str
        Column to average.
    parameters : sequence of str
        Columns that identify a point of the summary.

    Returns
    -------
    dict
        The parameters, `measure` (its name), `mean`, `stderr_seeds` and `stderr_images` (standard
        errors over seeds of the means over images, and the other way round; NaN for a single one),
        `n_seeds` and `n_images`.
    """
    table = {**table, **{name: as_numbers(table, name) for name in parameters[1:]}}
    points = []
    for here in row_groups(table, parameters):
        values = table[measure][here]
        stderr_seeds, n_seeds = standard_error(values, as_numbers(table, "seed")[here])
        stderr_images, n_images = standard_error(values, table["image"][here])
        point = {name: table[name][here[0]] for name in parameters}
        point |= {"measure": measure, "mean": values.mean()}
        point |= {"stderr_seeds": stderr_seeds, "stderr_images": stderr_images}
        points.append(point | {"n_seeds": n_seeds, "n_images": n_images})
    return table_from_rows(points)


def mean_over_seeds(table, here, values):
    """Mean over seeds of the means over atoms, its standard error, and the number of seeds."""
    seeds = table["seed"][here]
    means = [values[here[seeds == seed]].mean(axis=0) for seed in np.unique(seeds)]
    mean = np.mean(means, axis=0)
    if len(means) == 1:
        return mean, np.full_like(mean, np.nan), 1
    return mean, np.std(means, axis=0, ddof=1) / np.sqrt(len(means)), len(means)


def standard_error(values, units):
    """Standard error of the mean over units, such as seeds, and the number of units."""
    names, index = np.unique(units, return_inverse=True)
    if names.size == 1:
        return np.nan, 1
    means = np.bincount(index, values) / np.bincount(index)
    return np.std(means, ddof=1) / np.sqrt(names.size), names.size


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
