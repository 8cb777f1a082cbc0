"""Curves of figures 10 to 14: mean quality over a parameter, with 95 % intervals."""

import numpy as np
from matplotlib.ticker import FixedLocator, LogLocator, MaxNLocator, NullLocator

from .error_bars import plot_means
from .style import new_axes, paper_style

YLABELS = {"ssim": "SSIM index", "psnr_final": "PSNR (dB)", "gain": "Gain in PSNR (dB)"}
NARROW_DECADES = 0.35
"""A logarithmic axis over less has ticks at its values: round numbers may be missing."""
MAX_TICKS = 5  # of such an axis
WIDE_DECADES = 2.5
"""A logarithmic axis over more decades has fewer ticks in each."""


def draw_curves(table, columns, styles, x, xlabel, logarithmic=False, height_inches=2.7):
    """Draw one line with error bars for each combination of parameters.

    Parameters
    ----------
    table : dict
        A summary, as `experiments.averages.mean_quality` returns it.
    columns : sequence of str
        Parameters that tell the curves apart.
    styles : dict from a tuple of values of these parameters to LineStyle
        NaN in the table matches None. Combinations that the table lacks are left out.
    x, xlabel : str
        Column of the abscissa, and its label.
    logarithmic : bool
        Whether the abscissa has a logarithmic scale.
    height_inches : float

    Raises
    ------
    ValueError
        If the table has a curve without a line style.
    """
    curves = find_curves(table, columns, styles)
    with paper_style():
        figure, axes = new_axes(height_inches)
        if logarithmic:
            use_plain_logarithms(axes.xaxis, table[x])
        plot_quality(axes, table, curves, x)
        axes.set(xlabel=xlabel)
        add_legend(figure, curves)
    return figure


def find_curves(table, columns, styles):
    """Return the line style and the rows (array of bool) of each curve; see `draw_curves`."""
    curves = [
        tuple(None if value != value else value for value in combination)
        for combination in zip(*(table[name].tolist() for name in columns), strict=True)
    ]
    unknown = sorted({str(curve) for curve in curves if curve not in styles})
    if unknown:
        raise ValueError(f"no line style for {', '.join(columns)} = {'; '.join(unknown)}")
    rows = {curve: np.array([one == curve for one in curves]) for curve in styles}
    return [(style, rows[curve]) for curve, style in styles.items() if rows[curve].any()]


def plot_quality(axes, table, curves, x):
    """Plot the means of curves with their intervals, and label the ordinate."""
    for style, rows in curves:
        plot_means(axes, *(table[name][rows] for name in (x, "mean", "low", "high")), style)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=7, steps=(1, 2, 5, 10)))
    axes.set(ylabel=YLABELS[str(table["measure"][0])])


def add_legend(figure, curves):
    """Name the curves above the axes."""
    handles, labels = figure.axes[0].get_legend_handles_labels()
    n_columns = 3 if len(curves) == 3 else 2
    figure.legend(handles, labels, loc="outside upper center", ncols=n_columns)


def use_plain_logarithms(axis, values):
    """Set a logarithmic scale with ticks at round numbers, which are written out."""
    axis.axes.set_xscale("log")
    decades = np.log10(np.max(values) / np.min(values))
    if decades < NARROW_DECADES:
        axis.set_major_locator(FixedLocator(_few(np.unique(values))))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_locator(NullLocator())
        return
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if decades < WIDE_DECADES else (1, 3)))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_locator(NullLocator())


def _few(values):
    """Return a few of the values, the last one among them."""
    return values[::-1][:: -(-len(values) // MAX_TICKS)]
