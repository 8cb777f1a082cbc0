"""Figure 6 of the paper: frequency and widths of fitted Gabor functions over the sparseness σ_H."""

from matplotlib.figure import Figure

from .error_bars import plot_means
from .line_styles import BLUE, GREEN, VERMILLION, LineStyle
from .style import COLUMN_INCHES, FONT_SIZE, paper_style

FREQUENCY = {"f": LineStyle("Frequency $f$", VERMILLION, "D")}
WIDTHS = {
    "sigma_x": LineStyle(r"Width $\sigma_{x′}$, across stripes", BLUE, "s"),
    "sigma_y": LineStyle(r"Width $\sigma_{y′}$, along stripes", GREEN, "^", "--"),
}


def draw(table):
    """Draw the frequency above the widths."""
    with paper_style():
        figure = Figure(figsize=(COLUMN_INCHES, 3.5))
        upper, lower = figure.subplots(2, sharex=True)
        for axes, styles in ((upper, FREQUENCY), (lower, WIDTHS)):
            axes.tick_params(which="both", labelsize=FONT_SIZE)
            for parameter, style in styles.items():
                rows = table["parameter"] == parameter
                columns = (table[name][rows] for name in ("sigma_h", "mean", "low", "high"))
                plot_means(axes, *columns, style)
            axes.set_ylim(bottom=0)
        upper.set_ylabel("Cycles per pixel")
        lower.set(xlabel=r"Dictionary sparseness $\sigma_H$", ylabel="Pixels")
        figure.align_ylabels()
        figure.legend(loc="outside upper center", ncols=2)
    return figure
