"""The panels of figures 12 and 14 to 17 with the differences to ODL."""

import numpy as np
import pytest
from helpers.drawing import legend_labels, render
from helpers.figure_tables import figure_table
from helpers.observations import concatenated, denoised
from matplotlib.colors import to_hex

from ezdl_cli import figures
from ezdl_cli.experiments.summaries import SUMMARIES
from ezdl_cli.figures.line_styles import LEARNER_STYLES

pytestmark = pytest.mark.filterwarnings("error")
SCALES = {"envelopes": 1000.0, "denoising": 1.0, "inpainting": 1.0}


def noisy_table(name):
    """A summary whose differences have errors and intervals of different sizes."""
    table = figure_table(name)
    size = table["mean"].size
    compared = table["algorithm"] != "odl"
    middle = np.where(compared, np.linspace(-0.01, 0.02, size), np.nan)
    table |= {"minus_odl": middle, "minus_odl_standard_error": 0.001 * np.arange(1, size + 1)}
    return table | {"minus_odl_low": middle - 0.05, "minus_odl_high": middle + 0.06}


def ends(container):
    """Return the lower and upper ends of error bars."""
    return np.array([segment[:, 1] for segment in container.lines[2][0].get_segments()]).T


@pytest.mark.parametrize("name", SCALES)
def test_thick_bars_are_standard_errors_and_thin_ones_intervals(name):
    table, scale = noisy_table(name), SCALES[name]
    _, lower = figures.load(name)(table).axes
    learners = [one for one in LEARNER_STYLES if one != "odl" and one in table["algorithm"]]
    assert len(lower.containers) == 2 * len(learners)
    for i, learner in enumerate(learners):
        thick, thin = lower.containers[2 * i : 2 * i + 2]
        rows = table["algorithm"] == learner
        middle, error, low, high = (
            scale * table[f"minus_odl{end}"][rows]
            for end in ("", "_standard_error", "_low", "_high")
        )
        np.testing.assert_array_equal(thin.lines[0].get_ydata(), middle)
        np.testing.assert_allclose(ends(thick), [middle - error, middle + error])
        np.testing.assert_allclose(ends(thin), [low, high])
        widths = [one.lines[2][0].get_linewidth()[0] for one in (thick, thin)]
        assert widths[0] > 2 * widths[1]
        assert thin.get_label() == LEARNER_STYLES[learner].label


@pytest.mark.parametrize("name", SCALES)
def test_all_bars_are_within_the_axes(name):
    table = noisy_table(name)
    figure = figures.load(name)(table)
    render(figure)
    bottom, top = figure.axes[1].get_ylim()
    assert bottom < SCALES[name] * np.nanmin(table["minus_odl_low"])
    assert top > SCALES[name] * np.nanmax(table["minus_odl_high"])


@pytest.mark.parametrize(
    ("name", "unit"), [("envelopes", "10⁻³"), ("denoising", "dB"), ("deblurring", "dB")]
)
def test_zero_line_is_odl_and_the_unit_is_named(name, unit):
    upper, lower = figures.load(name)(noisy_table(name)).axes
    (zero,) = (line for line in lower.lines if set(line.get_ydata()) == {0.0})
    assert to_hex(zero.get_color()).upper() == LEARNER_STYLES["odl"].color
    assert "− ODL" in lower.get_ylabel() and unit in lower.get_ylabel()
    assert lower.get_xlabel() and not upper.get_xlabel()


def test_points_of_different_learners_are_side_by_side():
    figure = figures.load("envelopes")(noisy_table("envelopes"))
    render(figure)
    lines = [one.lines[0] for one in figure.axes[1].containers[1::2]]
    first, second = (line.get_transform().transform(line.get_xydata())[:, 0] for line in lines)
    points = 72 * (second - first) / figure.dpi
    assert (points > 2).all() and (points < 4).all()


@pytest.mark.parametrize(
    "learners", [("ezdl",), ("odl",), ("ezdl", "rls-dla"), ("odl", "rls-dla"), ("odl", "ezdl")]
)
def test_the_panel_is_left_out_without_a_difference(learners):
    tables = [denoised(name, 0.0) for name in learners]
    figure = figures.load("denoising")(SUMMARIES["denoising"].compute(concatenated(*tables)))
    render(figure)
    assert len(figure.axes) == (2 if "odl" in learners and len(learners) > 1 else 1)
    assert figure.axes[-1].get_xlabel() and len(legend_labels(figure)) == len(learners)


def test_a_single_run_has_points_without_bars():
    rows = denoised("ezdl", 1.0)
    chosen = (rows["image"] == "a") & (np.arange(rows["sigma"].size) % 2 == 0)
    tables = [
        {name: column[chosen] for name, column in denoised(learner, shift).items()}
        for learner, shift in (("ezdl", 1.0), ("odl", 0.0))
    ]
    figure = figures.load("denoising")(SUMMARIES["denoising"].compute(concatenated(*tables)))
    render(figure)
    (points,) = figure.axes[1].containers
    assert points.lines[0].get_ydata() == pytest.approx([1.0, 1.0]) and not points.has_yerr


def test_default_rules_have_open_markers_next_to_those_of_the_authors():
    tables = [
        denoised(name, shift, rules)
        for rules in ("authors", "ezdl")
        for name, shift in (("ezdl", 0.3), ("odl", 0.0))
    ]
    figure = figures.load("denoising")(SUMMARIES["denoising"].compute(concatenated(*tables)))
    markers = [one.lines[0].get_markerfacecolor() for one in figure.axes[1].containers[1::2]]
    assert [to_hex(one).upper() for one in markers] == [LEARNER_STYLES["ezdl"].color, "#FFFFFF"]
