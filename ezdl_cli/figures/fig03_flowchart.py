r"""Figure 3 of the paper: flowchart of the proposed projection.

It starts at the upper left and ends at the lower left: bisection narrows an interval until the
auxiliary function changes sign between two neighbouring entries of the vector; then the offset
:math:`\alpha^*` and the projection follow in closed form. The table holds the boxes and arrows.
"""

import numpy as np
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Polygon
from matplotlib.path import Path

from .style import (
    BLACK,
    COLUMN_INCHES,
    MILLIMETRES_PER_INCH,
    SMALL_FONT_SIZE,
    new_axes,
    paper_style,
)

LINE_BREAK = r" \\ "
MARGIN = 1.5
FILLINGS = {"terminal": "#DCEBF5", "box": "#FFFFFF", "decision": "#FBEBCB"}

# Kind, name, text, then centre and size in millimetres.
BOXES = (
    (
        "terminal",
        "start",
        r"Input: $x\in\mathbb{R}^n_{\geq 0}$ \\ and target norms $\lambda_1$, $\lambda_2$",
        (19, 88, 35, 10),
    ),
    (
        "decision",
        "increase",
        r"Increase sparseness? \\ $\Psi(\alpha) > 0$ for $\alpha = 0$",
        (19, 69.5, 35, 13),
    ),
    (
        "box",
        "interval",
        r"Start with the interval \\ $\mathrm{lo} = 0$, $\mathrm{up} = x_{\mathrm{2nd\,max}}$",
        (61, 69.5, 34, 10),
    ),
    (
        "box",
        "midpoint",
        r"Take its midpoint \\ $\alpha = (\mathrm{lo} + \mathrm{up})\,/\,2$",
        (61, 54.5, 34, 10),
    ),
    (
        "box",
        "evaluate",
        r"Evaluate $\Psi(\alpha)$, find the \\ neighbours $x_j\leq\alpha < x_k$",
        (61, 39.5, 34, 10),
    ),
    (
        "decision",
        "sign",
        r"$\Psi(x_j)\geq 0$ and \\ $\Psi(x_k) < 0$?",
        (61, 23.5, 34, 12),
    ),
    (
        "box",
        "update",
        r"If $\Psi(\alpha) > 0$ set $\mathrm{lo} = \alpha$, \\ else set $\mathrm{up} = \alpha$",
        (61, 6.5, 34, 10),
    ),
    (
        "box",
        "offset",
        r"Closed form of $\alpha^{\!*}$ \\ from all entries $x_i > \alpha$",
        (19, 23.5, 35, 10),
    ),
    (
        "terminal",
        "end",
        r"$q = \max(x - \alpha^{\!*} e,\ 0)$ \\ $p = (\lambda_2 / \Vert q\Vert_2)\, q$",
        (19, 6.5, 35, 10),
    ),
)

# Text, source and its side, target and its side, abscissa of a detour in millimetres.
ARROWS = (
    ("", "start", "bottom", "increase", "top", np.nan),
    ("yes", "increase", "right", "interval", "left", np.nan),
    ("no", "increase", "bottom", "offset", "top", np.nan),
    ("", "interval", "bottom", "midpoint", "top", np.nan),
    ("", "midpoint", "bottom", "evaluate", "top", np.nan),
    ("", "evaluate", "bottom", "sign", "top", np.nan),
    ("yes", "sign", "left", "offset", "right", np.nan),
    ("no", "sign", "bottom", "update", "top", np.nan),
    ("", "update", "right", "midpoint", "right", 81.5),
    ("", "offset", "bottom", "end", "top", np.nan),
)


def table():
    """Return the flowchart as a table: boxes first, then arrows, which have no size and no name.

    Returns
    -------
    dict
        Columns `kind` ("terminal", "box", "decision" or "arrow"), `id`, `text` (two backslashes
        separate lines), `x`, `y`, `width`, `height` (millimetres, `x` and `y` of the centre),
        `source`, `source_side`, `target`, `target_side` and `detour`.
    """
    boxes = [
        (kind, name, text, *place, "", "", "", "", np.nan) for kind, name, text, place in BOXES
    ]
    arrows = [("arrow", "", arrow[0], *[np.nan] * 4, *arrow[1:]) for arrow in ARROWS]
    names = ("kind", "id", "text", "x", "y", "width", "height")
    names += ("source", "source_side", "target", "target_side", "detour")
    return {
        name: np.array(column)
        for name, column in zip(names, zip(*boxes, *arrows, strict=True), strict=True)
    }


def draw(table):
    """Draw the boxes and arrows of the table that `table` returns.

    Returns
    -------
    matplotlib.figure.Figure
    """
    rows = [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]
    boxes = {row["id"]: row for row in rows if row["kind"] != "arrow"}
    width = COLUMN_INCHES * MILLIMETRES_PER_INCH
    height = max(box["y"] + box["height"] / 2 for box in boxes.values()) + MARGIN
    with paper_style():
        figure, axes = new_axes(height / MILLIMETRES_PER_INCH)
        figure.set_layout_engine("none")
        axes.set_position((0, 0, 1, 1))
        axes.set(xlim=(0, width), ylim=(0, height))
        axes.axis("off")
        for box in boxes.values():
            _draw_box(axes, box)
        for row in rows:
            if row["kind"] == "arrow":
                _draw_arrow(axes, row, boxes)
    return figure


def _draw_box(axes, box):
    left, right = _port(box, "left")[0], _port(box, "right")[0]
    bottom, top = _port(box, "bottom")[1], _port(box, "top")[1]
    appearance = {"facecolor": FILLINGS[box["kind"]], "edgecolor": BLACK, "linewidth": 0.7}
    if box["kind"] == "decision":
        tip = box["height"] / 4
        corners = [(left, box["y"]), (left + tip, top), (right - tip, top)]
        corners += [(right, box["y"]), (right - tip, bottom), (left + tip, bottom)]
        patch = Polygon(corners, **appearance)
    else:
        rounding = box["height"] / 2 if box["kind"] == "terminal" else 0.8
        shape = f"round,pad=0,rounding_size={rounding}"
        size = (box["width"], box["height"])
        patch = FancyBboxPatch((left, bottom), *size, boxstyle=shape, **appearance)
    patch.set_gid(f"{box['kind']} {box['id']}")
    axes.add_patch(patch)
    text = str(box["text"]).replace(LINE_BREAK, "\n")
    label = axes.text(
        box["x"], box["y"], text, ha="center", va="center_baseline", fontsize=SMALL_FONT_SIZE
    )
    label.set_gid(f"text {box['id']}")


def _draw_arrow(axes, arrow, boxes):
    start = _port(boxes[arrow["source"]], arrow["source_side"])
    end = _port(boxes[arrow["target"]], arrow["target_side"])
    points = [start, end]
    if np.isfinite(arrow["detour"]):
        points[1:1] = [(arrow["detour"], start[1]), (arrow["detour"], end[1])]
    style = {"arrowstyle": "-|>", "mutation_scale": 6, "linewidth": 0.8, "color": BLACK}
    patch = FancyArrowPatch(path=Path(points), joinstyle="miter", **style)
    patch.set_gid(f"arrow {arrow['source']} {arrow['target']}")
    axes.add_patch(patch)
    if arrow["text"]:
        _label_arrow(axes, arrow, start)


def _label_arrow(axes, arrow, start):
    """Write the answer to a decision next to the start of the arrow."""
    shift, horizontal, vertical = {
        "bottom": ((1, -1), "left", "top"),
        "right": ((1, 0.8), "left", "bottom"),
        "left": ((-1, 0.8), "right", "bottom"),
    }[arrow["source_side"]]
    axes.text(
        start[0] + shift[0],
        start[1] + shift[1],
        arrow["text"],
        ha=horizontal,
        va=vertical,
        fontsize=SMALL_FONT_SIZE,
    )


def _port(box, side):
    """Return the middle of one side of a box."""
    right, up = {"left": (-1, 0), "right": (1, 0), "bottom": (0, -1), "top": (0, 1)}[side]
    return box["x"] + right * box["width"] / 2, box["y"] + up * box["height"] / 2
