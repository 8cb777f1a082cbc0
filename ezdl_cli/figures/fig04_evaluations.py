"""Figure 4 of the paper: evaluations of the auxiliary function that four solvers need.

Means over random vectors of each dimensionality; error bars are 95 % confidence intervals.
"""

from .error_bars import plot_means
from .line_styles import SOLVER_STYLES
from .style import new_axes, paper_style, use_powers_of_two


def draw(table):
    """Draw one line with error bars for each solver.

    Parameters
    ----------
    table : dict
        Columns `n`, `solver`, `mean`, `low` and `high`; one row per solver and n.

    Returns
    -------
    matplotlib.figure.Figure
    """
    with paper_style():
        figure, axes = new_axes(height_inches=2.6)
        use_powers_of_two(axes, table["n"])
        for solver, style in SOLVER_STYLES.items():
            rows = table["solver"] == solver
            if rows.any():
                columns = (table[name][rows] for name in ("n", "mean", "low", "high"))
                plot_means(axes, *columns, style)
        axes.set_ylim(bottom=0)
        axes.set(xlabel="Problem dimensionality $n$", ylabel="Number of function evaluations")
        figure.legend(loc="outside upper center", ncols=2)
    return figure
