"""Means over atoms, and their deviation over repeats, of tables of `ezdl gabor`."""

import numpy as np


def of_gabors(table):
    """The rows of atoms that are Gabor functions, of dictionaries with a known sparseness."""
    kept = (table["reason"] == "") & ~np.isnan(table["dictionary_sparseness"])
    if not kept.any():
        raise ValueError("it has no rows for this figure")
    return {name: column[kept] for name, column in table.items()}


def over_repeats(table, values):
    """Mean of values over the atoms of each dictionary, then mean and deviation over these.

    Parameters
    ----------
    table : dict
        Rows of atoms; a dictionary is known by its name and seed.
    values : array (n_rows,) or (n_rows, n)

    Returns
    -------
    mean, deviation : arrays like a row of `values`; the deviation is NaN for one dictionary
    n_dictionaries : int
    """
    names = list(zip(table["dictionary"], table["seed"], strict=True))
    means = [values[[name == one for name in names]].mean(axis=0) for one in dict.fromkeys(names)]
    mean = np.mean(means, axis=0)
    deviation = np.std(means, axis=0, ddof=1) if len(means) > 1 else np.full_like(mean, np.nan)
    return mean, deviation, len(means)


def columns(names, rows):
    """Rows as a table."""
    parts = zip(*rows, strict=True)
    return {name: np.array(part) for name, part in zip(names, parts, strict=True)}
