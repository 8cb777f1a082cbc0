"""The style that all figures share: sizes and fonts; colours and lines are in `line_styles`.

Figures are made without pyplot and need no display.
"""

import io
from contextlib import contextmanager

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, LogFormatterMathtext, NullLocator

from .svg_images import with_small_images

MILLIMETRES_PER_INCH = 25.4
COLUMN_INCHES = 84 / MILLIMETRES_PER_INCH
DOTS_PER_INCH = 300

FONT_SIZE = 8
SMALL_FONT_SIZE = 7
POWER_FONT_SIZE = 10
"""Of ticks such as 2^10: matplotlib draws the exponent at 70 % of it."""

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
    "svg.hashsalt": "ezdl",  # the same figure has the same ids
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
    figure, (axes,) = new_panels(height_inches, 1, width_inches)
    return figure, axes


def new_panels(height_inches, n_columns, width_inches=COLUMN_INCHES):
    """Return a figure and its axes side by side with a common ordinate; see `new_axes`."""
    figure = Figure(figsize=(width_inches, height_inches))
    panels = figure.subplots(1, n_columns, sharey=True, squeeze=False)[0]
    return figure, _with_ticks(panels)


def new_stack(heights_inches):
    """Return a figure and its axes below each other with a common abscissa; see `new_axes`."""
    figure = Figure(figsize=(COLUMN_INCHES, sum(heights_inches)))
    panels = figure.subplots(len(heights_inches), sharex=True, height_ratios=heights_inches)
    return figure, _with_ticks(panels)


def _with_ticks(panels):
    """Set the style of ticks: they are created in rendering, usually outside of the context."""
    for axes in panels:
        axes.tick_params(which="both", labelsize=FONT_SIZE, width=_SETTINGS["axes.linewidth"])
    return panels


def use_powers_of_two(axes, values, max_ticks=8):
    """Set a logarithmic abscissa with ticks at every second power of two, or fewer."""
    first, last = np.floor(np.log2(np.min(values))), np.ceil(np.log2(np.max(values)))
    step = 2 * np.ceil((last - first + 1) / (2 * max_ticks))
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(FixedLocator(2 ** np.arange(first, last + 1, step)))
    axes.xaxis.set_major_formatter(LogFormatterMathtext(base=2))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.tick_params(axis="x", labelsize=POWER_FONT_SIZE)


def encode(figure, file_format):
    """Return the bytes of a "pdf", "png" or "svg" file of the figure, without a date."""
    metadata = {"pdf": {"CreationDate": None}, "png": {"Software": None}, "svg": {"Date": None}}
    buffer = io.BytesIO()
    with paper_style():
        figure.savefig(buffer, format=file_format, metadata=metadata.get(file_format))
    content = buffer.getvalue()
    return with_small_images(content) if file_format == "svg" else content
