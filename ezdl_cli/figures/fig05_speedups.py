"""Figure 5 of the paper: speed-ups of projection algorithms over Hoyer's original one.

The algorithms are those of the paper's comparison and the default of this package. Hoyer's own
speed-up is one everywhere and is drawn as a reference line.
"""

from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

from .line_styles import PROJECTION_STYLES
from .style import new_axes, paper_style, use_powers_of_two


def draw(table):
    """Draw one line for each algorithm.

    Parameters
    ----------
    table : dict
        Columns `n`, `algorithm`, `seconds` and `speedup`; one row per algorithm and n, any of
        which may be missing.

    Returns
    -------
    matplotlib.figure.Figure
    """
    with paper_style():
        figure, axes = new_axes(height_inches=2.7)
        use_powers_of_two(axes, table["n"])
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axes.yaxis.set_minor_locator(NullLocator())
        for algorithm, style in PROJECTION_STYLES.items():
            appearance = {"label": style.label, "color": style.color, "linestyle": style.linestyle}
            rows = table["algorithm"] == algorithm
            if algorithm == "hoyer":
                axes.axhline(1, zorder=1, **appearance)
            elif rows.any():
                axes.plot(
                    table["n"][rows], table["speedup"][rows], marker=style.marker, **appearance
                )
        axes.set(xlabel="Problem dimensionality $n$", ylabel="Speed-up over Hoyer (2004)")
        figure.legend(loc="outside upper center", ncols=2)
    return figure
