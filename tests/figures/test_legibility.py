"""All figures at print size: the width of a column, readable texts, nothing on top of another."""

from itertools import combinations

import numpy as np
import pytest
from helpers.drawing import render, visible_texts
from helpers.figure_tables import figure_table
from helpers.observations import all_learners, concatenated, denoised, evaluated
from matplotlib.text import Text

from ezdl_cli import figures
from ezdl_cli.experiments.summaries import SUMMARIES
from ezdl_cli.figures import style
from ezdl_cli.figures.crops import draw_crops

pytestmark = pytest.mark.filterwarnings("error")

MILLIMETRES = 25.4
MIN_POINTS = 7


def long_training():
    """Fig. 13 with all curves, over the thousand epochs of the paper."""
    smaller = [evaluated(), evaluated()]
    for table, eta0 in zip(smaller, (0.25, 0.0625), strict=True):
        table["eta0"][:] = eta0
    table = concatenated(all_learners(), *smaller)
    early = {**table, "epoch": np.where(table["epoch"] == 5, 1, 1000)}
    return SUMMARIES["history"].compute(early)


def older_training():
    """Fig. 13 from tables without the number of samples."""
    table = {k: v for k, v in all_learners().items() if k != "samples_per_epoch"}
    return SUMMARIES["history"].compute(table)


def both_rules():
    """Fig. 14 with two sets of denoising rules."""
    shifts = {"ezdl": 0.1, "odl": 0.0, "rls-dla": -0.2}
    tables = [
        denoised(name, shift, rules)
        for rules in ("authors", "ezdl")
        for name, shift in shifts.items()
    ]
    return SUMMARIES["denoising"].compute(concatenated(*tables))


def long_vectors():
    """Fig. 4 up to the dimensionality of the paper."""
    table = figure_table("evaluations")
    return table | {"n": table["n"] * 2.0**6}


CASES = {name: (name, lambda name=name: figure_table(name)) for name in figures.FIGURES} | {
    "history, 1000 epochs": ("history", long_training),
    "history, older tables": ("history", older_training),
    "denoising, both rules": ("denoising", both_rules),
    "evaluations, 2^30": ("evaluations", long_vectors),
}


@pytest.fixture(params=CASES, scope="module")
def figure(request):
    name, table = CASES[request.param]
    drawn = figures.load(name)(table())
    render(drawn)
    return drawn


def extents(figure):
    """The extent of each text, without the arrows of annotations."""
    renderer = render(figure)
    return {text: Text.get_window_extent(text, renderer) for text in visible_texts(figure)}


def test_figure_is_as_wide_as_a_column(figure):
    assert figure.get_figwidth() * MILLIMETRES == pytest.approx(84, rel=0.03)


def test_no_text_is_smaller_than_seven_points(figure):
    for text in visible_texts(figure):
        assert text.get_fontsize() >= MIN_POINTS, text.get_text()


def test_no_text_leaves_the_canvas(figure):
    for text, extent in extents(figure).items():
        assert 0 <= extent.x0 < extent.x1 <= figure.bbox.x1, text.get_text()
        assert 0 <= extent.y0 < extent.y1 <= figure.bbox.y1, text.get_text()


def test_no_two_texts_overlap(figure):
    for (first, one), (second, other) in combinations(extents(figure).items(), 2):
        assert not one.overlaps(other), (first.get_text(), second.get_text())


def test_legend_covers_no_data(figure):
    renderer = render(figure)
    for legend in figure.legends:
        for axes in figure.axes:
            extent = axes.get_window_extent(renderer)
            assert not legend.get_window_extent(renderer).overlaps(extent)


def test_svg_is_small(figure):
    assert len(style.encode(figure, "svg")) < 150_000


def test_crops_are_legible():
    crops = [np.full((20, 30), value) for value in (10, 20, 30)]
    drawn = draw_crops(
        [("σ = 5", crops, (34.1, 40.25)), ("σ = 50", crops, (14.0, 29.0))],
        ("Original", "Noisy", "Denoised"),
    )
    render(drawn)
    test_no_text_is_smaller_than_seven_points(drawn)
    test_no_text_leaves_the_canvas(drawn)
    test_no_two_texts_overlap(drawn)
