r"""Figure 3 of the paper: flowchart of the proposed projection.

It starts at the upper left and ends at the lower left: bisection narrows an interval until the
auxiliary function changes sign between two neighbouring entries of the vector; then the offset
:math:`\alpha^*` and the projection follow in closed form. The boxes and arrows are in
`fig03_flowchart.csv`: kind, id and text of each box (two backslashes separate lines), its centre
and size in millimetres, and for arrows the boxes and sides that they connect.
"""

import numpy as np
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Polygon
from matplotlib.path import Path

from .line_styles import BLACK
from .style import COLUMN_INCHES, MILLIMETRES_PER_INCH, SMALL_FONT_SIZE, new_axes, paper_style

LINE_BREAK = r" \\ "
MARGIN = 1.5
FILLINGS = {"terminal": "#DCEBF5", "box": "#FFFFFF", "decision": "#FBEBCB"}


def draw(table):
    """Draw the boxes and arrows of a table.

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
