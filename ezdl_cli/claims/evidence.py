"""The tables that claims are checked with: those of the pipeline's results."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .. import io
from ..errors import InputError
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
    """Result folders, and tables out of one; what the first leaves out is taken from the next.

    Tables that are given one by one count together as one folder.
    """

    def __init__(self, places):
        self.sources, files = [], {}
        for place in map(Path, places):
            if place.is_dir():
                tables = tables_of([place])
                self.sources.append({path.relative_to(place).as_posix(): path for path in tables})
            else:
                if not files:
                    self.sources.append(files)
                files[_place_in_folder(place)] = place

    def drawn(self, figure):
        """The table that a figure was drawn from."""
        return self._table(f"figures/{stem(figure)}.csv")

    def table(self, name):
        """A table, by its name below `tables` without the ending."""
        return self._table(f"tables/{name}.csv")

    def tables(self, kind):
        """The tables in a folder below `tables`, by the name of their dictionary and its seed."""
        for source in self.sources:
            found = _of_kind(source, kind)
            if found:
                return {key: _load(path) for key, path in found.items()}
        raise Missing(f"there is no table in tables/{kind}")

    def of_dictionaries(self, kind, *names):
        """The tables of dictionaries, each with its least seed, all from the same folder."""
        for source in self.sources:
            found = _of_kind(source, kind)
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
        for source in self.sources:
            if name in source:
                return _load(source[name])
        raise Missing(f"there is no {name}")


def tables_of(places):
    """Paths of the tables in result folders."""
    patterns = ("figures/*.csv", "tables/**/*.csv")
    return [path for place in map(Path, places) for one in patterns for path in place.glob(one)]


def _curve(table, rows, ordinate):
    order = np.argsort(table["abscissa"][rows])
    deviation = table.get("deviation", np.full(rows.size, np.nan))
    if deviation.dtype.kind != "f":  # nothing but empty cells
        deviation = np.full(rows.size, np.nan)
    columns = (table["abscissa"], table[ordinate], deviation)
    return Curve(*(column[rows][order] for column in columns))


def _place_in_folder(path):
    """Where a table is in its result folder, such as `tables/epochs.csv`."""
    parts = path.resolve().parts
    places = [i for i, part in enumerate(parts) if part in ("figures", "tables")]
    if not places or path.suffix != ".csv":
        raise InputError(f"{path}: is no table of the folder figures or tables of some results")
    return "/".join(parts[places[-1] :])


def _of_kind(source, kind):
    """The tables called NAME_SEED.csv of a kind, by name and seed, in this order."""
    pattern = re.compile(rf"tables/{re.escape(kind)}/([^/]+)_(\d+)\.csv")
    matches = {path: pattern.fullmatch(name) for name, path in source.items()}
    keys = {(match[1], int(match[2])): path for path, match in matches.items() if match}
    return dict(sorted(keys.items()))


def _load(path):
    return io.load_table(path, maybe_words=WORDS)
