"""Figure 3: positions of boxes, arrows and texts."""

from itertools import combinations

import numpy as np
import pytest
from helpers.drawing import found_by_id, render, visible_texts

from ezdl_cli import figures, io

pytestmark = pytest.mark.filterwarnings("error")


def draw():
    return figures.load("flowchart")(io.load_table(figures.shipped_table("flowchart")))


def test_flowchart_boxes_do_not_overlap():
    figure = draw()
    renderer = render(figure)
    kinds = ("terminal", "box", "decision")
    boxes = [item for name, item in found_by_id(figure).items() if name.split()[0] in kinds]
    extents = [box.get_window_extent(renderer) for box in boxes]
    assert len(extents) == 9
    assert not any(first.overlaps(second) for first, second in combinations(extents, 2))


def test_flowchart_texts_lie_inside_their_boxes():
    figure = draw()
    renderer = render(figure)
    table = io.load_table(figures.shipped_table("flowchart"))
    artists = found_by_id(figure)
    for kind, name in zip(table["kind"], table["id"], strict=True):
        if kind != "arrow":
            box = artists[f"{kind} {name}"].get_window_extent(renderer)
            text = artists[f"text {name}"].get_window_extent(renderer)
            assert box.x0 < text.x0 < text.x1 < box.x1, name
            assert box.y0 < text.y0 < text.y1 < box.y1, name


def test_flowchart_answers_touch_no_box():
    figure = draw()
    renderer = render(figure)
    kinds = ("terminal", "box", "decision")
    boxes = [item for name, item in found_by_id(figure).items() if name.split()[0] in kinds]
    answers = [text for text in visible_texts(figure) if text.get_text() in ("yes", "no")]
    assert len(answers) == 4
    for answer in answers:
        extent = answer.get_window_extent(renderer)
        assert not any(extent.overlaps(box.get_window_extent(renderer)) for box in boxes)


def test_flowchart_arrows_join_existing_boxes_and_decisions_have_two_answers():
    table = io.load_table(figures.shipped_table("flowchart"))
    arrow = table["kind"] == "arrow"
    names = set(table["id"][~arrow])
    assert len(names) == np.count_nonzero(~arrow)
    assert set(table["source"][arrow]) | set(table["target"][arrow]) == names
    for decision in table["id"][table["kind"] == "decision"]:
        assert sorted(table["text"][table["source"] == decision]) == ["no", "yes"]


def test_flowchart_leads_from_the_upper_left_to_the_lower_left():
    table = io.load_table(figures.shipped_table("flowchart"))
    place = {name: (x, y) for name, x, y in zip(table["id"], table["x"], table["y"], strict=True)}
    boxes = table["kind"] != "arrow"
    assert place["start"] == (np.min(table["x"][boxes]), np.max(table["y"][boxes]))
    assert place["end"] == (np.min(table["x"][boxes]), np.min(table["y"][boxes]))
    assert "start" not in table["target"]
    assert "end" not in table["source"]
