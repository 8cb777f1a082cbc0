"""The style that all figures share: sizes, fonts, colours, and line styles.

Figures are made without pyplot and need no display. Colours are the palette of Okabe and Ito, which
is safe for people with any kind of colour vision.
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
class LineStyle:
    """How a line is drawn in every figure in which it appears, and its label in the legend."""

    label: str
    color: str
    marker: str
    linestyle: str = "-"


SOLVER_STYLES = {
    "bisection": LineStyle("Bisection", ORANGE, "o"),
    "newton": LineStyle("Newton", BLUE, "s"),
    "halley": LineStyle("Halley", GREEN, "^"),
    "newton_sqr": LineStyle(r"Newton on squared function $\tilde{\Psi}$", VERMILLION, "D"),
}

PROJECTION_STYLES = {
    "auto": LineStyle("This package", BLACK, "o"),
    "newton_sqr": LineStyle("Linear time (paper)", VERMILLION, "D"),
    "potluru": LineStyle("Potluru et al. (2013)", SKY, "v"),
    "thom_palm": LineStyle("Thom and Palm (2013)", PURPLE, "p"),
    "hoyer": LineStyle("Hoyer (2004)", GREY, "", "--"),
}

LEARNER_STYLES = {
    "ezdl": LineStyle("EZDL", VERMILLION, "D"),
    "odl": LineStyle("ODL", BLUE, "s"),
    "rls-dla": LineStyle("RLS-DLA", GREEN, "o"),
}


@contextmanager
def paper_style():
    """Create new figures in the style of the paper's columns.

    All other settings are matplotlib's defaults. A file `matplotlibrc` has no effect: matplotlib
    would also read an untrusted one in the current folder, which could run LaTeX.
    """
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield


def new_axes(height_inches, width_inches=COLUMN_INCHES):
    """Return a figure and its only axes; call it within `paper_style`."""
    figure = Figure(figsize=(width_inches, height_inches))
    axes = figure.add_subplot()
    # Ticks are created when a figure is rendered, usually outside of the context.
    axes.tick_params(which="both", labelsize=FONT_SIZE, width=_SETTINGS["axes.linewidth"])
    return figure, axes


def plot_means(axes, x, mean, error, style):
    """Draw a line with error bars of `error` to each side; without bars if all are NaN."""
    axes.errorbar(
        x,
        mean,
        yerr=None if np.isnan(error).all() else error,
        label=style.label,
        color=style.color,
        marker=style.marker,
        linestyle=style.linestyle,
        elinewidth=0.6,
        capsize=1.4,
        capthick=0.6,
    )


def use_powers_of_two(axes, values, max_ticks=12):
    """Set a logarithmic abscissa with ticks at powers of two that span `values`."""
    first, last = np.floor(np.log2(np.min(values))), np.ceil(np.log2(np.max(values)))
    step = np.ceil((last - first + 1) / max_ticks)
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
