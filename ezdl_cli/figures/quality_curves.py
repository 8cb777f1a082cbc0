"""Curves of figures 10 to 14: mean quality over a parameter, with 95 % intervals."""

import numpy as np
from matplotlib.ticker import LogLocator, NullLocator

from .error_bars import plot_means
from .style import new_axes, paper_style

YLABELS = {"ssim": "SSIM index", "psnr_final": "PSNR (dB)"}


def draw_curves(table, columns, styles, x, xlabel, logarithmic=False):
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

    Raises
    ------
    ValueError
        If the table has a curve without a line style.
    """
    curves = [
        tuple(None if value != value else value for value in combination)
        for combination in zip(*(table[name].tolist() for name in columns), strict=True)
    ]
    unknown = sorted({str(curve) for curve in curves if curve not in styles})
    if unknown:
        raise ValueError(f"no line style for {', '.join(columns)} = {'; '.join(unknown)}")
    with paper_style():
        figure, axes = new_axes(height_inches=2.7)
        if logarithmic:
            axes.set_xscale("log")
            axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.xaxis.set_major_formatter("{x:g}")
            axes.xaxis.set_minor_locator(NullLocator())
        for curve, style in styles.items():
            rows = np.array([one == curve for one in curves])
            if rows.any():
                columns_drawn = (table[name][rows] for name in (x, "mean", "low", "high"))
                plot_means(axes, *columns_drawn, style)
        axes.set(xlabel=xlabel, ylabel=YLABELS[str(table["measure"][0])])
        figure.legend(loc="outside upper center", ncols=3 if len(axes.containers) == 3 else 2)
    return figure
