"""The look that all figures share: sizes, fonts, colours, and the names of solvers and algorithms.

Figures are made without pyplot and need no display. Colours are those of Okabe and Ito, which
people with any kind of colour vision can tell apart.
"""

import io
from contextlib import contextmanager
from dataclasses import dataclass

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, LogFormatterMathtext, NullLocator

MILLIMETRES_PER_INCH = 25.4
COLUMN_INCHES = 84 / MILLIMETRES_PER_INCH
DOTS_PER_INCH = 300

BLACK = "#000000"
ORANGE = "#E69F00"
SKY = "#56B4E9"
GREEN = "#009E73"
BLUE = "#0072B2"
VERMILLION = "#D55E00"
PURPLE = "#CC79A7"
GREY = "#7F7F7F"

FONT_SIZE = 8
SMALL_FONT_SIZE = 7

_SETTINGS = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "mathtext.fontset": "dejavusans",
    "font.size": FONT_SIZE,
    "axes.labelsize": FONT_SIZE,
    "xtick.labelsize": FONT_SIZE,
    "ytick.labelsize": FONT_SIZE,
    "legend.fontsize": SMALL_FONT_SIZE,
    "legend.frameon": False,
    "legend.handlelength": 1.8,
    "legend.columnspacing": 1.4,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.0,
    "lines.markersize": 3.2,
    "figure.constrained_layout.use": True,
    "figure.dpi": 200,
    "savefig.dpi": DOTS_PER_INCH,
    "pdf.fonttype": 42,
}


@dataclass(frozen=True)
class Look:
    """How one line is drawn in every figure in which it appears, and what the legend calls it."""

    label: str
    color: str
    marker: str
    linestyle: str = "-"


SOLVERS = {
    "bisection": Look("Bisection", ORANGE, "o"),
    "newton": Look("Newton", BLUE, "s"),
    "halley": Look("Halley", GREEN, "^"),
    "newton_sqr": Look(r"Newton on squared function $\tilde{\Psi}$", VERMILLION, "D"),
}

ALGORITHMS = {
    "auto": Look("This package", BLACK, "o"),
    "newton_sqr": Look("Linear time (paper)", VERMILLION, "D"),
    "potluru": Look("Potluru et al. (2013)", SKY, "v"),
    "thom_palm": Look("Thom and Palm (2013)", PURPLE, "p"),
    "hoyer": Look("Hoyer (2004)", GREY, "", "--"),
}

LEARNERS = {
    "ezdl": Look("EZDL", VERMILLION, "D"),
    "odl": Look("ODL", BLUE, "s"),
    "rls-dla": Look("RLS-DLA", GREEN, "o"),
}


@contextmanager
def paper_style():
    """A context in which new figures have the look of the paper's columns.

    What else there is to set is as matplotlib has it, not as a file `matplotlibrc` says, which is
    also read if it lies in the current folder, be it a stranger's: it could have text set by LaTeX.
    """
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield


def new_axes(height_inches, width_inches=COLUMN_INCHES):
    """Return a figure and its only axes; to be called within `paper_style`."""
    figure = Figure(figsize=(width_inches, height_inches))
    axes = figure.add_subplot()
    # Ticks are made when a figure is rendered, by then the context is usually left.
    axes.tick_params(which="both", labelsize=FONT_SIZE, width=_SETTINGS["axes.linewidth"])
    return figure, axes


def plot_means(axes, x, mean, deviation, look):
    """Draw a line with error bars of one deviation to each side; none if `deviation` is None."""
    axes.errorbar(
        x,
        mean,
        yerr=deviation,
        label=look.label,
        color=look.color,
        marker=look.marker,
        linestyle=look.linestyle,
        elinewidth=0.6,
        capsize=1.4,
        capthick=0.6,
    )


def use_powers_of_two(axes, values, most_ticks=12):
    """Give the abscissa a logarithmic scale with ticks at powers of two that span `values`."""
    first, last = np.floor(np.log2(np.min(values))), np.ceil(np.log2(np.max(values)))
    step = np.ceil((last - first + 1) / most_ticks)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(FixedLocator(2 ** np.arange(first, last + 1, step)))
    axes.xaxis.set_major_formatter(LogFormatterMathtext(base=2))
    axes.xaxis.set_minor_locator(NullLocator())


def encode(figure, file_format):
    """Return the bytes of a "pdf" or "png" file of the figure, without a date."""
    metadata = {"pdf": {"CreationDate": None}, "png": {"Software": None}}
    buffer = io.BytesIO()
    with paper_style():
        figure.savefig(buffer, format=file_format, metadata=metadata.get(file_format))
    return buffer.getvalue()
