"""The figures of the paper, one file each. A figure draws a loaded table and computes nothing.

A table is a dict from column name to a one-dimensional array: strings as string arrays, numbers as
float arrays. Every figure's module has ``draw(table)``, which returns a matplotlib figure. Modules
are imported when they are asked for, so that listing the figures does not load matplotlib.

Figures that are drawn from tables of single measurements, several of which can be laid together,
also have ``summarise(table, name)``, which gives the table that is drawn.

The figures of dictionaries have the table that `atoms.to_table` makes of the atoms, and their
``draw(table, grid)`` also takes the layout.
"""

from dataclasses import dataclass
from importlib import import_module

__all__ = ["FIGURES", "Figure", "load", "load_table", "summarise"]


@dataclass(frozen=True)
class Figure:
    """A figure: its number in the paper, title, module, and the columns of its table.

    A figure without columns is not drawn from results: it ships its table, unless it is drawn from
    a dictionary.
    """

    number: int | str
    title: str
    module: str
    numbers: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    needs_dictionary: bool = False
    many: bool = False
    """Whether it takes several tables, and summarises them."""

    @property
    def needs_table(self):
        """Whether it is drawn from a table of results."""
        return bool(self.numbers or self.words)


def _reproduction(number, title, module):
    """A figure that is drawn from tables of `ezdl evaluate`."""
    return Figure(number, title, module, numbers=MEASURED, words=NAMED, many=True)


def _gabor(number, title, module, *fitted):
    """A figure that is drawn from tables of `ezdl gabor`."""
    numbers = ("dictionary_sparseness", "seed", *fitted)
    return Figure(number, title, module, numbers, ("dictionary", "reason"), many=True)


WIDTHS = ("sigma_x", "sigma_y")
MEASURED = ("inference_sparseness", "iterations", "ssim", "epochs", "seed")
NAMED = ("dictionary", "algorithm", "image")
FIGURES = {
    "sparseness": Figure(
        1,
        "Hoyer's sparseness measure in two dimensions",
        "fig01_sparseness",
        numbers=("x1", "x2", "sparseness"),
    ),
    "auxiliary": Figure(
        2,
        "The auxiliary function and its derivative",
        "fig02_auxiliary",
        numbers=("alpha", "value"),
        words=("quantity",),
    ),
    "flowchart": Figure(3, "Flowchart of the projection", "fig03_flowchart"),
    "evaluations": Figure(
        4,
        "Evaluations needed by four root finders",
        "fig04_evaluations",
        numbers=("n", "mean", "standard_deviation"),
        words=("solver",),
    ),
    "speedups": Figure(
        5,
        "Speed-ups over Hoyer's projection",
        "fig05_speedups",
        numbers=("n", "speedup"),
        words=("algorithm",),
    ),
    "gabor": _gabor(6, "Gabor functions fitted to the atoms", "fig06_gabor", "f", *WIDTHS),
    "phases": _gabor(7, "Phases of the fitted Gabor functions", "fig07_phases", "phi"),
    "whitened-topographic": Figure(
        "8a",
        "Topographic dictionary on whitened patches",
        "fig08_dictionaries",
        needs_dictionary=True,
    ),
    "whitened-rank": Figure(
        "8b",
        "Rank-1 topographic dictionary on whitened patches",
        "fig08_dictionaries",
        needs_dictionary=True,
    ),
    "rank1-ordinary": Figure(
        "9a",
        "Atoms of rank 1 on raw pixels",
        "fig08_dictionaries",
        needs_dictionary=True,
    ),
    "rank1-topographic": Figure(
        "9b",
        "Atoms of rank 1 on raw pixels, topographic",
        "fig08_dictionaries",
        needs_dictionary=True,
    ),
    "iterations": _reproduction("10a", "Quality over Landweber iterations", "fig10a_iterations"),
    "ezdl": _reproduction("10b", "EZDL: quality over inference sparseness", "fig10b_sparseness"),
    "odl": _reproduction("11a", "ODL: quality over inference sparseness", "fig10b_sparseness"),
    "rls-dla": _reproduction(
        "11b", "RLS-DLA: quality over inference sparseness", "fig10b_sparseness"
    ),
    "envelopes": _reproduction("12", "The best dictionaries of each learner", "fig12_envelopes"),
    "history": _reproduction("13", "Quality over epochs of learning", "fig13_history"),
    "denoising": Figure(
        "14",
        "Denoising over the noise level",
        "fig14_denoising",
        numbers=("sigma", "psnr_final"),
        words=NAMED,
        many=True,
    ),
}


def load(name):
    """Return the function ``draw(table)`` of the figure called `name`."""
    return _load_module(name).draw


def load_table(name):
    """Return the table that ships with the figure called `name`, for those that need no results."""
    figure = _find(name)
    if figure.needs_table or figure.needs_dictionary:
        raise ValueError(f"figure {name!r} is drawn from results and ships no table")
    return _load_module(name).table()


def summarise(name, table):
    """The table that is drawn, from a loaded one."""
    return _load_module(name).summarise(table, name) if _find(name).many else table


def _load_module(name):
    return import_module(f"{__name__}.{_find(name).module}")


def _find(name):
    if name not in FIGURES:
        raise ValueError(f"no figure is called {name!r}; there are: {', '.join(FIGURES)}")
    return FIGURES[name]
