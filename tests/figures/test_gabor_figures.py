"""Figures 6 and 7, and atoms next to their fits."""

import numpy as np
import pytest
from helpers.drawing import legend_labels, render
from helpers.observations import fitted

from ezdl_cli import figures
from ezdl_cli.experiments.summaries import SUMMARIES
from ezdl_cli.figures.fit_tiles import pair_up

pytestmark = pytest.mark.filterwarnings("error")


def summary(name, *arguments, **options):
    return SUMMARIES[name].compute(fitted(*arguments, **options))


@pytest.mark.parametrize("name", ["gabor", "phases"])
def test_a_single_seed_has_no_error_bars(name):
    table = summary(name, seeds=(0,))
    assert np.isnan(table["low"]).all()
    render(figures.load(name)(table))


def test_curves_hold_the_means():
    table = summary("gabor")
    upper, lower = figures.load("gabor")(table).axes
    (frequency,) = upper.containers
    drawn = frequency.lines[0].get_ydata()
    np.testing.assert_array_equal(drawn, table["mean"][table["parameter"] == "f"])
    assert [line.lines[0].get_ydata()[0] for line in lower.containers] == pytest.approx([4.8, 5.7])
    assert len(legend_labels(upper.figure)) == 3


def test_bars_hold_the_shares():
    table = summary("phases")
    figure = figures.load("phases")(table)
    heights = [bar.get_height() for axes in figure.axes for bar in axes.patches]
    np.testing.assert_allclose(heights, 100 * table["share"])


def test_one_of_the_two_histograms_can_be_drawn_alone():
    render(figures.load("phases")(summary("phases", (0.99,))))


def test_pairs_clip_fits_to_the_range_of_the_atom():
    atoms = np.array([[1.0, -1.0, 0.0, 0.5]] * 5)
    image = pair_up(atoms, 3.0 * atoms, [False] * 5, (2, 3))
    assert image.shape == (2 * 5 + 3, 3 * 8 + 3, 3) and image.dtype == np.uint8
    assert image[3, 3:8, 0].tolist() == [255, 0, 255, 255, 0]
    assert image[4, 3:8, 0].tolist() == [128, 191, 255, 128, 255]
    assert (image[8:, 19:] == 255).all()


def test_images_of_pairs_are_nearly_square():
    height, width, _ = pair_up(np.eye(256), np.eye(256), np.zeros(256)).shape
    assert 0.8 < height / width < 1.25
