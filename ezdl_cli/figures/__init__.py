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

__all__ = ["FIGURES", "Figure", "load", "load_table", "stem", "summarise"]


@dataclass(frozen=True)
class Figure:
    """A figure: its number in the paper, title, module, caption, and the columns of its table.

    A figure without columns is not drawn from results: it ships its table, unless it is drawn from
    a dictionary.
    """

    number: str
    title: str
    module: str
    caption: str
    numbers: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    needs_dictionary: bool = False
    many: bool = False
    """Whether it takes several tables, and summarises them."""

    @property
    def needs_table(self):
        """Whether it is drawn from a table of results."""
        return bool(self.numbers or self.words)


def _reproduction(number, title, module, caption):
    """A figure that is drawn from tables of `ezdl evaluate`."""
    return Figure(number, title, module, caption, numbers=MEASURED, words=NAMED, many=True)


def _gabor(number, title, module, caption, *fitted):
    """A figure that is drawn from tables of `ezdl gabor`."""
    numbers = ("dictionary_sparseness", "seed", *fitted)
    return Figure(number, title, module, caption, numbers, ("dictionary", "reason"), many=True)


def _dictionary(number, title, caption):
    """A figure that shows a dictionary."""
    return Figure(number, title, "fig08_dictionaries", caption, needs_dictionary=True)


WIDTHS = ("sigma_x", "sigma_y")
MEASURED = ("inference_sparseness", "iterations", "ssim", "epochs", "seed")
NAMED = ("dictionary", "algorithm", "image")
FIGURES = {
    "sparseness": Figure(
        "1",
        "Hoyer's sparseness measure in two dimensions",
        "fig01_sparseness",
        "Hoyer's sparseness measure of two-dimensional vectors. The dashed lines are contour "
        "levels at intervals of 0.25.",
        numbers=("x1", "x2", "sparseness"),
    ),
    "auxiliary": Figure(
        "2",
        "The auxiliary function and its derivative",
        "fig02_auxiliary",
        "The auxiliary function and its derivative (scaled) for a random vector. The steps of the "
        "derivative are at the entries of the vector; between the neighbours of the root the "
        "offset has a closed form.",
        numbers=("alpha", "value"),
        words=("quantity",),
    ),
    "flowchart": Figure(
        "3",
        "Flowchart of the projection",
        "fig03_flowchart",
        "Flowchart of the paper's algorithm for sparseness-enforcing projections.",
    ),
    "evaluations": Figure(
        "4",
        "Evaluations needed by four root finders",
        "fig04_evaluations",
        "Evaluations of the auxiliary function until the final interval is found: mean and "
        "standard deviation over random vectors with entries drawn uniformly from [0, 1].",
        numbers=("n", "mean", "standard_deviation"),
        words=("solver",),
    ),
    "speedups": Figure(
        "5",
        "Speed-ups over Hoyer's projection",
        "fig05_speedups",
        "Speed-ups over Hoyer's algorithm, one thread, in place, for uniform random vectors that "
        "were projected to the initial sparseness first.",
        numbers=("n", "speedup"),
        words=("algorithm",),
    ),
    "gabor": _gabor(
        "6",
        "Gabor functions fitted to the atoms",
        "fig06_gabor",
        "Frequency and envelope widths of Gabor functions fitted to the atoms of dictionaries by "
        "EZDL, over the sparseness of the codes that they are learned with. Means over the atoms "
        "that are Gabor functions; error bars: standard deviation over repeats.",
        "f",
        *WIDTHS,
    ),
    "phases": _gabor(
        "7",
        "Phases of the fitted Gabor functions",
        "fig07_phases",
        "Phases of the fitted Gabor functions, folded to the range from 0 (even symmetry) to π/2 "
        "(odd symmetry); error bars: standard deviation over repeats.",
        "phi",
    ),
    "whitened-topographic": _dictionary(
        "8a",
        "Topographic dictionary on whitened patches",
        "Two times overcomplete dictionary trained by EZDL on whitened patches, topographic "
        "inference model on a 16 × 16 grid, codes of sparseness 0.85. Neighbouring atoms are "
        "alike.",
    ),
    "whitened-rank": _dictionary(
        "8b",
        "Rank-1 topographic dictionary on whitened patches",
        "The same as in Figure 8a with the rank-1 topographic inference model. Atoms of a row or "
        "column are alike.",
    ),
    "rank1-ordinary": _dictionary(
        "9a",
        "Atoms of rank 1 on raw pixels",
        "Dictionary trained by EZDL on raw pixels, atoms replaced by their best rank-1 "
        "approximation after each epoch, ordinary inference model.",
    ),
    "rank1-topographic": _dictionary(
        "9b",
        "Atoms of rank 1 on raw pixels, topographic",
        "The same as in Figure 9a with the topographic inference model.",
    ),
    "iterations": _reproduction(
        "10a",
        "Quality over Landweber iterations",
        "fig10a_iterations",
        "Quality of images reproduced from sparse codes of their 8 × 8 blocks over the number of "
        "Landweber iterations, for dictionaries by EZDL; mean over images and repeats.",
    ),
    "ezdl": _reproduction(
        "10b",
        "EZDL: quality over inference sparseness",
        "fig10b_sparseness",
        "Quality over the sparseness of the codes, for dictionaries by EZDL of several degrees of "
        "sparseness; mean over images and repeats, error bars: standard deviation over repeats.",
    ),
    "odl": _reproduction(
        "11a",
        "ODL: quality over inference sparseness",
        "fig10b_sparseness",
        "The same as in Figure 10b for dictionaries by Online Dictionary Learning.",
    ),
    "rls-dla": _reproduction(
        "11b",
        "RLS-DLA: quality over inference sparseness",
        "fig10b_sparseness",
        "The same as in Figure 10b for dictionaries by the Recursive Least Squares Dictionary "
        "Learning Algorithm.",
    ),
    "envelopes": _reproduction(
        "12",
        "The best dictionaries of each learner",
        "fig12_envelopes",
        "The best dictionary of each learner at each sparseness of the codes.",
    ),
    "history": _reproduction(
        "13",
        "Quality over epochs of learning",
        "fig13_history",
        "Quality of images reproduced from codes of sparseness 0.99 over the epochs of learning.",
    ),
    "denoising": Figure(
        "14",
        "Denoising over the noise level",
        "fig14_denoising",
        "Peak signal-to-noise ratio after denoising by block matching and simultaneous sparse "
        "coding over the standard deviation of the noise (white is 255), with dictionaries that "
        "were learned on other photographs. Means over images and repeats.",
        numbers=("sigma", "psnr_final"),
        words=NAMED,
        many=True,
    ),
}


def stem(name):
    """What the files of the figure called `name` are called, without their ending."""
    number = _find(name).number
    digits = number.rstrip("ab")
    return f"fig{digits:0>2}{number.removeprefix(digits)}_{name}"


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
