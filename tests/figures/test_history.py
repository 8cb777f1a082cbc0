"""Figure 13: samples presented, and epochs on top."""

import numpy as np
import pytest
from helpers.drawing import render, visible_texts
from helpers.observations import all_learners, concatenated, evaluated

from ezdl_cli import figures
from ezdl_cli.experiments.summaries import SUMMARIES

pytestmark = pytest.mark.filterwarnings("error")


def draw(table):
    figure = figures.load("history")(SUMMARIES["history"].compute(table))
    render(figure)
    return figure


def labels(figure):
    return {text.get_text() for text in visible_texts(figure)}


def test_abscissa_is_samples_in_millions_with_epochs_on_top():
    figure = draw(all_learners())
    axes = figure.axes[0]
    for curve in axes.containers:
        np.testing.assert_allclose(curve.lines[0].get_xdata(), [5 * 0.03, 20 * 0.03])
    assert axes.get_xlabel() == "Samples presented (millions)"
    (top,) = axes.child_axes
    assert top.get_xlabel() == "Epochs of learning"
    np.testing.assert_allclose(np.array(top.get_xlim()) * 0.03, axes.get_xlim())
    assert {"0.2", "0.5", "5", "10", "20"} <= labels(figure)


def test_older_tables_have_epochs_only():
    table = {name: one for name, one in all_learners().items() if name != "samples_per_epoch"}
    summary = SUMMARIES["history"].compute(table)
    assert "samples" not in summary
    axes = draw(table).axes[0]
    assert axes.get_xlabel() == "Epochs of learning" and not axes.child_axes
    np.testing.assert_array_equal(axes.containers[0].lines[0].get_xdata(), [5, 20])


@pytest.mark.parametrize("empty", [np.nan, ""])
def test_some_or_all_rows_without_the_number_of_samples_have_epochs_only(empty):
    table = all_learners()
    if empty == "":
        table["samples_per_epoch"] = np.full(table["ssim"].size, "", object)
    else:
        table["samples_per_epoch"][:3] = empty
    assert "samples" not in SUMMARIES["history"].compute(table)


def test_epochs_of_different_lengths_have_no_axis_on_top():
    longer = evaluated()
    longer["eta0"][:] = 0.25
    longer["samples_per_epoch"][:] = 60_000
    table = concatenated(evaluated(), longer)
    summary = SUMMARIES["history"].compute(table)
    curves = {eta0: summary["samples"][summary["eta0"] == eta0].tolist() for eta0 in (0.25, 1.0)}
    assert curves == {0.25: [300_000, 1_200_000], 1.0: [150_000, 600_000]}
    axes = draw(table).axes[0]
    assert axes.get_xlabel() == "Samples presented (millions)" and not axes.child_axes


@pytest.mark.parametrize("epochs", [(1,), (1, 2), (9, 10)])
def test_few_epochs_have_ticks_at_their_values(epochs):
    table = all_learners()
    chosen = np.flatnonzero(table["epoch"] == table["epoch"][0])
    parts = [
        {name: column[chosen] for name, column in table.items()}
        | {"epoch": np.full(chosen.size, float(epoch))}
        for epoch in epochs
    ]
    rows = {name: np.concatenate([part[name] for part in parts]) for name in table}
    rows["samples_per_epoch"] = np.full(rows["epoch"].size, 500.0)
    shown = labels(draw(rows))
    assert {f"{500e-6 * epoch:g}" for epoch in epochs} <= shown
    assert {f"{epoch:g}" for epoch in epochs} <= shown
