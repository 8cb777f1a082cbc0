"""Figure 6 of the paper: frequency and widths of fitted Gabor functions over the sparseness σ_H.

Means over all atoms that are Gabor functions, error bars over dictionaries.
"""

import numpy as np
from matplotlib.figure import Figure

from .repeats import columns, of_gabors, over_repeats
from .style import (
    BLUE,
    COLUMN_INCHES,
    FONT_SIZE,
    GREEN,
    VERMILLION,
    Look,
    paper_style,
    plot_means,
)

FREQUENCY = {"f": Look("Frequency $f$", VERMILLION, "D")}
WIDTHS = {
    "sigma_x": Look(r"Width $\sigma_{x′}$", BLUE, "s"),
    "sigma_y": Look(r"Width $\sigma_{y′}$", GREEN, "^", "--"),
}
COLUMNS = ("curve", "abscissa", "mean", "deviation", "dictionaries", "atoms")


def summarise(table, name):
    """Mean of each parameter at each sparseness."""
    table = of_gabors(table)
    sparseness = table["dictionary_sparseness"]
    rows = []
    for curve in (*FREQUENCY, *WIDTHS):
        for x in np.unique(sparseness):
            here = {name: column[sparseness == x] for name, column in table.items()}
            values = here[curve]
            rows.append((curve, x, *over_repeats(here, values), values.size))
    return columns(COLUMNS, rows)


def draw(table):
    """Draw the frequency above the widths."""
    with paper_style():
        figure = Figure(figsize=(COLUMN_INCHES, 3.4))
        upper, lower = figure.subplots(2, sharex=True)
        for axes, looks in ((upper, FREQUENCY), (lower, WIDTHS)):
            axes.tick_params(which="both", labelsize=FONT_SIZE)
            for curve, look in looks.items():
                rows = table["curve"] == curve
                deviation = table["deviation"][rows]
                bars = None if np.isnan(deviation).all() else deviation
                plot_means(axes, table["abscissa"][rows], table["mean"][rows], bars, look)
            axes.set_ylim(bottom=0)
        upper.set_ylabel("Cycles per pixel")
        lower.set(xlabel=r"Dictionary sparseness $\sigma_H$", ylabel="Pixels")
        figure.align_ylabels()
        figure.legend(loc="outside upper center", ncols=3)
    return figure
