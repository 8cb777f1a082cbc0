"""The tables that claims are checked with: those of the pipeline's result folders."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .. import io
from ..figures import stem
from .claim import Missing

WORDS = ("curve", "reason", "solver", "algorithm", "learner", "pairs", "dictionary")


@dataclass(frozen=True)
class Curve:
    """What is drawn as a line: ordinates over abscissas, in their order."""

    x: np.ndarray
    y: np.ndarray
    deviation: np.ndarray

    def at(self, x):
        """The ordinate at an abscissa, or `Missing`."""
        here = np.isclose(self.x, x, rtol=1e-9, atol=1e-12)
        if not here.any():
            raise Missing(f"nothing was measured at {x:g}")
        return float(self.y[here][0])


class Evidence:
    """Result folders; what the first leaves out is taken from the next."""

    def __init__(self, folders):
        self.folders = [Path(folder) for folder in folders]

    def drawn(self, figure):
        """The table that a figure was drawn from."""
        return self._table(Path("figures") / f"{stem(figure)}.csv")

    def table(self, name):
        """A table, by its name below `tables` without the ending."""
        return self._table(Path("tables") / f"{name}.csv")

    def tables(self, kind):
        """The tables in a folder below `tables`, by the name of their dictionary and its seed."""
        for folder in self.folders:
            found = _paths(folder / "tables" / kind)
            if found:
                return {key: _load(path) for key, path in found.items()}
        raise Missing(f"there is no table in tables/{kind}")

    def of_dictionaries(self, kind, *names):
        """The tables of dictionaries, each with its least seed, all from the same folder."""
        for folder in self.folders:
            found = _paths(folder / "tables" / kind)
            first = {name: path for (name, _), path in reversed(found.items())}
            if first.keys() >= set(names):
                return [_load(first[name]) for name in names]
        raise Missing(f"there are no tables of {' and '.join(names)} in tables/{kind}")

    def curves(self, figure, ordinate="ssim"):
        """The curves of a figure, by name."""
        table = self.drawn(figure)
        if np.isnan(table["abscissa"]).any():
            raise Missing(f"a point of {stem(figure)}.csv has no abscissa")
        return {
            str(name): _curve(table, table["curve"] == name, ordinate)
            for name in dict.fromkeys(table["curve"])
        }

    def _table(self, name):
        for folder in self.folders:
            if (folder / name).exists():
                return _load(folder / name)
        raise Missing(f"there is no {name}")


def _curve(table, rows, ordinate):
    order = np.argsort(table["abscissa"][rows])
    deviation = table.get("deviation", np.full(rows.size, np.nan))
    if deviation.dtype.kind != "f":  # nothing but empty cells
        deviation = np.full(rows.size, np.nan)
    columns = (table["abscissa"], table[ordinate], deviation)
    return Curve(*(column[rows][order] for column in columns))


def _paths(folder):
    """The tables called NAME_SEED.csv, by name and seed, in this order."""
    named = {path: path.stem.rpartition("_") for path in folder.glob("*_*.csv")}
    keys = {(name, int(seed)): path for path, (name, _, seed) in named.items() if seed.isdecimal()}
    return dict(sorted(keys.items()))


def _load(path):
    return io.load_table(path, maybe_words=WORDS)
