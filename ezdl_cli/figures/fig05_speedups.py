"""Figure 5 of the paper: speed-ups of projection algorithms over Hoyer's original one.

One panel for algorithms as published and one for the optimised implementations of this package,
which include its default. Names in quotation marks are solvers of `ezdl_cli.project`. Hoyer's own
speed-up is one everywhere and is drawn as a reference line.
"""

from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

from .line_styles import PROJECTION_STYLES
from .style import FONT_SIZE, new_panels, paper_style, use_powers_of_two

PANELS = {
    "as published": "Scalar transcriptions\nas published",
    "optimised": "Optimised code\nof this package",
}
MAX_TICKS = 4


def draw(table):
    """Draw one line for each algorithm.

    Parameters
    ----------
    table : dict
        Columns `n`, `style`, `algorithm` and `speedup`; one row per style, algorithm and n, any of
        which may be missing.

    Returns
    -------
    matplotlib.figure.Figure
    """
    with paper_style():
        figure, panels = new_panels(height_inches=2.9, n_columns=len(PANELS))
        for axes, (style, title) in zip(panels, PANELS.items(), strict=True):
            use_powers_of_two(axes, table["n"], MAX_TICKS)
            axes.set_title(title, fontsize=FONT_SIZE)
            _plot_style(axes, table, table["style"] == style)
        axes = panels[0]
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axes.yaxis.set_minor_locator(NullLocator())
        figure.supxlabel("Problem dimensionality $n$", fontsize=FONT_SIZE)
        axes.set_ylabel("Speed-up over Hoyer (2004)")
        lines = {line.get_label(): line for axes in panels for line in axes.lines}
        labels = [one.label for one in PROJECTION_STYLES.values() if one.label in lines]
        handles = [lines[label] for label in labels]
        figure.legend(handles, labels, loc="outside upper center", ncols=2)
    return figure


def _plot_style(axes, table, in_style):
    """Draw the lines of the algorithms of one style."""
    for algorithm, line in PROJECTION_STYLES.items():
        appearance = {"label": line.label, "color": line.color, "linestyle": line.linestyle}
        rows = in_style & (table["algorithm"] == algorithm)
        if algorithm == "hoyer":
            axes.axhline(1, zorder=1, **appearance)
        elif rows.any():
            axes.plot(table["n"][rows], table["speedup"][rows], marker=line.marker, **appearance)
