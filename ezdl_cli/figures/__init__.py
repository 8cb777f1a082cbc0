"""The figures of the paper and three beyond it. A figure draws a table and computes nothing.

A table is a dict from column name to a one-dimensional array: strings as string arrays, numbers as
float arrays. Every module has ``draw(table)``, which returns a matplotlib figure. Observations are
summarised first, by `ezdl_cli.experiments.summaries`. Dictionaries are drawn from the table that
`atom_tiles.to_table` returns, by ``draw(table, grid)``. Modules are imported on demand, so that
listing the figures does not load matplotlib.
"""

import tomllib
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

__all__ = ["FIGURES", "PaperFigure", "load", "shipped_table", "stem"]


@dataclass(frozen=True)
class PaperFigure:
    """A figure of the paper and what it is drawn from."""

    number: str
    title: str
    caption: str
    module: str
    numbers: tuple[str, ...] = ()
    """Numerical columns of a table that is drawn as it is, without a summary."""
    words: tuple[str, ...] = ()
    """Columns of strings of such a table."""
    needs_dictionary: bool = False
    ships_table: bool = False
    """Whether the table is a CSV file next to the module."""

    @property
    def needs_table(self):
        """Whether it is drawn from one or several tables."""
        return not (self.needs_dictionary or self.ships_table)


_MODULES = {
    "sparseness": {"module": "fig01_sparseness", "numbers": ("x1", "x2", "sparseness")},
    "auxiliary": {
        "module": "fig02_auxiliary",
        "numbers": ("alpha", "value"),
        "words": ("quantity",),
    },
    "flowchart": {"module": "fig03_flowchart", "ships_table": True},
    "evaluations": {
        "module": "fig04_evaluations",
        "numbers": ("n", "mean", "low", "high"),
        "words": ("solver",),
    },
    "speedups": {
        "module": "fig05_speedups",
        "numbers": ("n", "speedup"),
        "words": ("style", "algorithm"),
    },
    "gabor": {"module": "fig06_gabor"},
    "phases": {"module": "fig07_phases"},
    **{
        name: {"module": "fig08_dictionaries", "needs_dictionary": True}
        for name in (
            "whitened-topographic",
            "whitened-rank",
            "rank1-ordinary",
            "rank1-topographic",
        )
    },
    "iterations": {"module": "fig10a_iterations"},
    **{name: {"module": "fig10b_sparseness"} for name in ("ezdl", "odl", "rls-dla")},
    "envelopes": {"module": "fig12_envelopes"},
    "history": {"module": "fig13_history"},
    "denoising": {"module": "fig14_denoising"},
    **{
        name: {"module": "fig15_restoration"}
        for name in ("super-resolution", "deblurring", "inpainting")
    },
}
FOLDER = Path(__file__).parent
_CAPTIONS = tomllib.loads((FOLDER / "captions.toml").read_text(encoding="utf-8"))
FIGURES = {name: PaperFigure(**_CAPTIONS[name], **_MODULES[name]) for name in _CAPTIONS}


def stem(name):
    """Return the name of a figure's files without their suffix, such as fig10b_ezdl."""
    number = FIGURES[name].number
    digits = number.rstrip("ab")
    return f"fig{digits:0>2}{number.removeprefix(digits)}_{name}"


def load(name):
    """Return the function ``draw(table)`` of a figure."""
    return import_module(f"{__name__}.{FIGURES[name].module}").draw


def shipped_table(name):
    """Return the path of the table that ships with a figure."""
    return FOLDER / f"{FIGURES[name].module}.csv"
