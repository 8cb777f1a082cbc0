r"""Figure 2 of the paper: the auxiliary function of the projection and its derivative.

For a random vector x, the root :math:`\alpha^*` of :math:`\Psi` lies between two neighbouring
entries :math:`x_j` and :math:`x_k` of x. The derivative, scaled to be visible, has a step wherever
:math:`\alpha` equals an entry of x.
"""

import numpy as np
from matplotlib.transforms import ScaledTranslation

from .line_styles import BLACK, BLUE, GREY, VERMILLION
from .style import new_axes, paper_style

# Quantity, label, and horizontal position of the label in points from the root.
NEIGHBOURHOOD = (
    ("left", "$x_j$", 4),
    ("root", r"$\alpha^{\!*}$", 17),
    ("right", "$x_k$", 31),
)
LABEL_HEIGHT = 26

# A prime sign: an apostrophe would load a second font, whose odd date makes the PDF writer warn.
SLOPE_LABEL = "$\\Psi\N{PRIME}(\\alpha)$ (scaled)"


def draw(table):
    """Draw both functions, the entries of the vector and the neighbourhood of the root.

    Parameters
    ----------
    table : dict
        Columns `quantity`, `alpha` and `value`. Quantities are "psi" and "slope" (points of
        a curve in the order of alpha; the slope has a point on either side of every step), "entry"
        (an entry of the vector) and, with one row each, "left", "root" and "right".

    Returns
    -------
    matplotlib.figure.Figure
    """
    with paper_style():
        figure, axes = new_axes(height_inches=2.35)
        axes.axhline(0, color=GREY, linewidth=0.6, zorder=1)
        axes.plot(*_select(table, "psi"), color=BLUE, label=r"$\Psi(\alpha)$")
        axes.plot(
            *_break_at_steps(*_select(table, "slope"), _select(table, "entry")[0]),
            color=VERMILLION,
            label=SLOPE_LABEL,
        )
        axes.plot(
            *_select(table, "entry"),
            linestyle="",
            marker="|",
            markersize=5,
            markeredgewidth=0.7,
            color=BLACK,
            label="Entries of $x$",
        )
        _label_neighbourhood(axes, table)
        axes.margins(x=0.02)
        axes.set(xlabel=r"Offset $\alpha$", ylabel="Value")
        figure.legend(loc="outside upper center", ncols=3)
    return figure


def _select(table, quantity):
    chosen = table["quantity"] == quantity
    return table["alpha"][chosen], table["value"][chosen]


def _break_at_steps(alpha, value, entries):
    """Insert a gap wherever an entry lies between two points, or a point is repeated."""
    entries = np.sort(entries)
    inside = np.searchsorted(entries, alpha[1:], "left") > np.searchsorted(
        entries, alpha[:-1], "right"
    )
    gaps = np.flatnonzero(inside | (alpha[1:] == alpha[:-1])) + 1
    return np.insert(alpha, gaps, np.nan), np.insert(value, gaps, np.nan)


def _label_neighbourhood(axes, table):
    """Mark the root and the two entries next to it, with leader lines to separate the labels."""
    root = next(zip(*_select(table, "root"), strict=True))
    for quantity, label, shift in NEIGHBOURHOOD:
        point = next(zip(*_select(table, quantity), strict=True))
        filling = VERMILLION if quantity == "root" else "white"
        axes.plot(
            *point, marker="o", color=BLACK, markerfacecolor=filling, markeredgewidth=0.7, zorder=4
        )
        text = axes.annotate(
            label,
            point,
            xytext=root,
            textcoords=_shifted(axes, shift, LABEL_HEIGHT),
            ha="center",
            va="bottom",
            arrowprops={"arrowstyle": "-", "linewidth": 0.5, "color": GREY, "shrinkB": 2},
        )
        text.set_gid(quantity)


def _shifted(axes, right, up):
    """Return data coordinates shifted by a distance in points."""
    return axes.transData + ScaledTranslation(right / 72, up / 72, axes.figure.dpi_scale_trans)
