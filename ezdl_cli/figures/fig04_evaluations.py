"""Figure 4 of the paper: evaluations of the auxiliary function that four solvers need.

Means over random vectors of each dimensionality; error bars are one standard deviation.
"""

from .error_bars import plot_means
from .line_styles import SOLVER_STYLES
from .style import new_axes, paper_style, use_powers_of_two


def draw(table):
    """Draw one line with error bars for each solver.

    Parameters
    ----------
    table : dict
        Columns `n`, `solver`, `vectors`, `mean` and `standard_deviation`; one row per solver and n.

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
                deviation = table["standard_deviation"][rows]
                plot_means(axes, table["n"][rows], table["mean"][rows], deviation, style)
        axes.set_ylim(bottom=0)
        axes.set(xlabel="Problem dimensionality $n$", ylabel="Number of function evaluations")
        figure.legend(loc="outside upper center", ncols=2)
    return figure
