"""The summary tables that claims are judged by."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .. import io
from ..errors import InputError
from ..experiments.summaries import SUMMARIES
from ..figures import FIGURES, stem
from .claim import Missing

WORDS = ("algorithm", "implementation", "inference", "measure", "pairs", "parameter", "solver")


@dataclass(frozen=True)
class Curve:
    """A summary over one parameter: means and their standard errors, sorted by the abscissa."""

    x: np.ndarray
    y: np.ndarray
    stderr: np.ndarray

    def at(self, x):
        """Return the ordinate at an abscissa; raise `Missing` if there is none."""
        here = np.isclose(self.x, x, rtol=1e-9, atol=1e-12)
        if not here.any():
            raise Missing(f"nothing was measured at {x:g}")
        return float(self.y[here][0])


class Evidence:
    """Summary tables of result folders, or given one by one.

    Parameters
    ----------
    sources : sequence of paths
        Result folders of the pipeline, or tables of one. A table that is in several sources is
        taken from the first.

    Raises
    ------
    InputError
        If a single file is not a summary table.
    """

    def __init__(self, sources):
        self._paths = {}
        for path in table_paths(sources):
            self._paths.setdefault(path.stem, path)
        unknown = [path for path in map(Path, sources) if path.is_file() and not _is_known(path)]
        if unknown:
            raise InputError(f"{unknown[0]}: is not a summary table that a claim is judged by")

    def table(self, name):
        """Return a summary by the name of its figure or file; raise `Missing` if there is none."""
        file = stem(name) if name in FIGURES else name
        if file not in self._paths:
            raise Missing(f"there is no table {file}.csv")
        return _load(self._paths[file])

    def select(self, name, **parameters):
        """Return the rows of a summary whose columns have the given values; None is an empty cell.

        Raises
        ------
        Missing
            If there are no such rows.
        """
        table = self.table(name)
        chosen = np.ones(next(iter(table.values())).size, bool)
        for column, value in parameters.items():
            chosen &= _equals(table[column], value)
        if not chosen.any():
            wanted = ", ".join(f"{column} = {value}" for column, value in parameters.items())
            raise Missing(f"there are no results for {wanted}")
        return {column: values[chosen] for column, values in table.items()}

    def curve(self, name, x, y="mean", **parameters):
        """Return a column of a summary over another one, for the given parameters."""
        return _curve(self.select(name, **parameters), x, y)

    def curves(self, name, by, x, y="mean"):
        """Return the curves of a summary, by the values of the column `by`, in rising order."""
        values = np.unique(self.table(name)[by]).tolist()
        return {value: self.curve(name, x, y, **{by: value}) for value in values}


def table_paths(sources):
    """Return the paths of the tables that claims may be judged by."""
    folders = ("figures", "summaries", "tables")
    paths = []
    for source in map(Path, sources):
        below = (sorted((source / folder).glob("*.csv")) for folder in folders)
        paths += [path for found in below for path in found] if source.is_dir() else [source]
    return paths


def _is_known(path):
    names = (*map(stem, FIGURES), *SUMMARIES, "epochs")
    return path.suffix == ".csv" and path.stem in names


def _curve(rows, x, y):
    if np.isnan(rows[x]).any():
        raise Missing(f"a point has no {x}")
    order = np.argsort(rows[x])
    stderr = rows.get("stderr_seeds", np.full(order.size, np.nan))
    return Curve(rows[x][order], rows[y][order], stderr[order])


def _equals(column, value):
    """Whether the cells of a column have a value: a string, a number, or None for empty cells."""
    if column.dtype.kind != "f":
        return np.asarray(column == ("" if value is None else value), bool)
    return np.isnan(column) if value is None else np.isclose(column, value, rtol=1e-9, atol=1e-12)


def _load(path):
    """Read a table; columns of numbers that are empty become NaN."""
    table = io.load_table(path, maybe_words=WORDS)
    return {
        name: column if name in WORDS or any(column) else np.full(column.size, np.nan)
        for name, column in table.items()
    }
