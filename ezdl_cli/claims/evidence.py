"""The tables of measurements that claims are judged by."""

from functools import cached_property
from pathlib import Path

import numpy as np

from .. import io
from ..errors import InputError
from ..experiments.averages import MAX_PSNR
from ..experiments.bootstrap import Cells
from .claim import Missing

KINDS = (
    *("evaluations", "speedups", "properties", "gradient", "epochs", "filtering"),
    *("gabor", "activity", "topography", "resemblance"),
    *("reproduction", "iterations", "history", "full_gradient", "denoising"),
    "restoration",
)
"""Names of tables, or of folders of tables, in the folder `tables` of results."""
WORDS = (
    *("algorithm", "dictionary", "gradient", "image", "implementation", "inference", "method"),
    *("pairs", "reason", "rules", "solver", "style", "task"),
)


class Evidence:
    """Tables of result folders, or given one by one.

    Parameters
    ----------
    sources : sequence of paths
        Result folders of the pipeline, or tables of one. Measurements of a kind that is in several
        folders are taken from the first.

    Raises
    ------
    InputError
        If a single file is not a table that a claim is judged by.
    """

    def __init__(self, sources):
        self._paths = {}
        folders = [source for source in map(Path, sources) if source.is_dir()]
        for path in (source for source in map(Path, sources) if not source.is_dir()):
            self._paths.setdefault(_kind(path), []).append(path)
        for folder in folders:
            for kind in KINDS:
                if found := _tables_of_kind(folder, kind):
                    self._paths.setdefault(kind, found)
        self._tables = {}

    @cached_property
    def kinds(self):
        """The kinds of measurements that there are."""
        return tuple(self._paths)

    def table(self, kind):
        """Return all measurements of a kind; raise `Missing` if there are none."""
        if kind not in self._paths:
            raise Missing(f"there is no table of the kind {kind}")
        if kind not in self._tables:
            self._tables[kind] = io.load_tables(self._paths[kind], maybe_words=WORDS)
        return self._tables[kind]

    def select(self, kind, **parameters):
        """Return the rows whose columns have the given values; None is an empty cell.

        Raises
        ------
        Missing
            If there are no such rows.
        """
        table = self.table(kind)
        chosen = np.ones(next(iter(table.values())).size, bool)
        for name, value in parameters.items():
            chosen &= _equals(column(table, name), value)
        if not chosen.any():
            wanted = ", ".join(f"{name} = {value}" for name, value in parameters.items())
            raise Missing(f"there are no results for {wanted}")
        return {name: values[chosen] for name, values in table.items()}

    def cells(self, kind, measure, **parameters):
        """Return a measured column by seed and image, for the given parameters."""
        rows = self.select(kind, **parameters)
        values = numbers(rows, measure)
        if measure in ("psnr", "psnr_baseline"):
            values = np.minimum(values, MAX_PSNR)
        return finite_cells(measure, values, rows, column(rows, "image"))

    def values(self, kind, name, **parameters):
        """Return the different numbers of a column, in rising order."""
        found = numbers(self.select(kind, **parameters), name)
        return np.unique(found[~np.isnan(found)]).tolist()


def finite_cells(what, values, rows, images=None):
    """Arrange measurements by seed and image; raise `Missing` if one is not a number."""
    seeds = numbers(rows, "seed")
    if not (np.isfinite(values).all() and np.isfinite(seeds).all()):
        raise Missing(f"a measurement of {what}, or a seed, is not a number")
    return Cells.of(values, seeds, images)


def table_paths(sources):
    """Return the paths of the tables that claims may be judged by."""
    return [
        path
        for source in map(Path, sources)
        for path in (sorted((source / "tables").rglob("*.csv")) if source.is_dir() else [source])
    ]


def column(rows, name):
    """Return a column; raise `Missing` if the table lacks it."""
    if name not in rows:
        raise Missing(f"a table has no column {name}")
    return rows[name]


def numbers(rows, name):
    """Return a column of numbers, NaN if it is empty; raise `Missing` if it has none."""
    values = column(rows, name)
    if values.dtype.kind == "f":
        return values
    if any(values):
        raise InputError(f"the column {name} of a table must hold numbers")
    return np.full(values.size, np.nan)


def _tables_of_kind(folder, kind):
    """Return the tables of a kind in a results folder: one file, or those of a folder."""
    tables = folder / "tables"
    single = tables / f"{kind}.csv"
    return [single] if single.exists() else sorted((tables / kind).glob("*.csv"))


def _kind(path):
    """Return the kind of a single table, by its name or that of its folder."""
    for name in (path.stem, path.absolute().parent.name):
        if path.suffix == ".csv" and name in KINDS:
            return name
    raise InputError(
        f"{path}: a table must be called KIND.csv, or be in a folder of that name; "
        f"kinds are {', '.join(KINDS)}"
    )


def _equals(values, value):
    """Whether the cells of a column have a value: a string, a number, or None for empty cells."""
    if values.dtype.kind != "f":
        return np.asarray(values == ("" if value is None else value), bool)
    return np.isnan(values) if value is None else np.isclose(values, value, rtol=1e-9, atol=1e-12)
