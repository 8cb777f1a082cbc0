"""Figure 1 of the paper: Hoyer's sparseness measure of vectors with two entries.

The axes are the two entries, colour is the sparseness, and dashed contour lines are at intervals of
0.25. The sparseness of the origin is undefined, so its value may be missing.
"""

import numpy as np

from .style import new_axes, paper_style

CONTOUR_LEVELS = (0.25, 0.5, 0.75)
CONTOUR_COLORS = ("white", "white", "black")
BAR_POSITION = (1.06, 0, 0.06, 1)  # left, bottom, width, height relative to the axes


def draw(table):
    """Draw the sparseness over a regular grid.

    Parameters
    ----------
    table : dict
        Columns `x1`, `x2` and `sparseness`, one row per grid point, in any order.

    Returns
    -------
    matplotlib.figure.Figure
    """
    first, second, sparseness = _reshape_to_grid(table)
    with paper_style():
        figure, axes = new_axes(height_inches=2.5)
        axes.spines[["top", "right"]].set_visible(True)
        image = axes.pcolormesh(
            first, second, sparseness, cmap="viridis", vmin=0, vmax=1, rasterized=True
        )
        contours = axes.contour(
            first,
            second,
            sparseness,
            levels=CONTOUR_LEVELS,
            colors=CONTOUR_COLORS,
            linestyles="dashed",
            linewidths=0.7,
        )
        axes.set(aspect="equal", xlabel="$x_1$", ylabel="$x_2$")
        axes.set(xticks=(-1, -0.5, 0, 0.5, 1), yticks=(-1, -0.5, 0, 0.5, 1))
        bar = figure.colorbar(
            image, cax=axes.inset_axes(BAR_POSITION), ticks=(0, *CONTOUR_LEVELS, 1)
        )
        bar.add_lines(contours)
        bar.set_label(r"Sparseness $\sigma(x)$")
    return figure


def _reshape_to_grid(table):
    """Return the two axes of the grid and the values as an image, one row per value of `x2`."""
    first, column = np.unique(table["x1"], return_inverse=True)
    second, row = np.unique(table["x2"], return_inverse=True)
    sparseness = np.ma.masked_all((second.size, first.size))
    sparseness[row, column] = np.ma.masked_invalid(table["sparseness"])
    return first, second, sparseness
