"""Figures 6 and 7: means over atoms and repeats, and how they are drawn."""

import numpy as np
import pytest
from helpers.drawing import legend_labels, render, visible_texts

from ezdl_cli import figures
from ezdl_cli.figures.fits import pair_up

pytestmark = pytest.mark.filterwarnings("error")


def table(sparseness=(0.7, 0.75, 0.99), seeds=(0, 1, 2), n_atoms=40):
    """Rows as `ezdl gabor` writes them; every tenth atom is none, with absurd numbers."""
    rng = np.random.default_rng(0)
    parts = []
    for value in sparseness:
        for seed in seeds:
            none = np.arange(n_atoms) % 10 == 9
            parts.append(
                {
                    "dictionary": np.full(n_atoms, "d.npz"),
                    "dictionary_sparseness": np.full(n_atoms, value),
                    "seed": np.full(n_atoms, float(seed)),
                    "reason": np.where(none, "several blobs", ""),
                    "f": np.where(none, 100.0, 0.5 - 0.4 * value + 0.01 * seed),
                    "sigma_x": np.where(none, np.nan, 2.0 + 4.0 * value),
                    "sigma_y": np.where(none, 1e9, 3.0 + 4.0 * value - 0.1 * seed),
                    "phi": np.where(none, np.nan, rng.uniform(0, np.pi / 2, n_atoms)),
                }
            )
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def test_means_are_over_atoms_that_are_gabor_functions_and_deviations_over_repeats():
    found = figures.summarise("gabor", table())
    here = (found["curve"] == "f") & (found["abscissa"] == 0.75)
    assert found["mean"][here] == pytest.approx(0.5 - 0.3 + 0.01)
    assert found["deviation"][here] == pytest.approx(0.01)
    assert found["dictionaries"][here] == 3 and found["atoms"][here] == 3 * 36
    widths = found["mean"][found["curve"] == "sigma_y"]
    np.testing.assert_allclose(widths, [5.7, 5.9, 6.86])
    assert len(found["mean"]) == 9


def test_shares_of_a_histogram_sum_to_one():
    found = figures.summarise("phases", table())
    assert list(dict.fromkeys(found["sparseness"])) == [0.75, 0.99]
    for value in (0.75, 0.99):
        rows = found["sparseness"] == value
        assert rows.sum() == 8 and found["share"][rows].sum() == pytest.approx(1)
        np.testing.assert_allclose(found["start"][rows][1:], found["end"][rows][:-1])
    assert found["end"].max() == pytest.approx(np.pi / 2)


def test_phases_at_the_ends_are_in_the_first_and_last_bin():
    given = table((0.75,), (0,), 10)
    given["phi"] = np.array([0.0] * 4 + [np.pi / 2] * 6)
    share = figures.summarise("phases", given)["share"]
    np.testing.assert_allclose(share, [4 / 9, 0, 0, 0, 0, 0, 0, 5 / 9])


@pytest.mark.parametrize("name", ["gabor", "phases"])
def test_a_single_dictionary_has_no_error_bars(name):
    found = figures.summarise(name, table(seeds=(0,)))
    assert np.isnan(found["deviation"]).all()
    render(figures.load(name)(found))


@pytest.mark.parametrize("name", ["gabor", "phases"])
def test_figure_is_as_wide_as_a_column_and_nothing_is_cut_off(name):
    figure = figures.load(name)(figures.summarise(name, table()))
    assert figure.get_figwidth() * 25.4 == pytest.approx(84)
    renderer = render(figure)
    extents = [text.get_window_extent(renderer) for text in visible_texts(figure)]
    assert len(extents) > 10
    for extent in extents:
        assert 0 <= extent.x0 < extent.x1 <= figure.bbox.x1
        assert 0 <= extent.y0 < extent.y1 <= figure.bbox.y1
    for i, first in enumerate(extents):
        assert not any(first.overlaps(second) for second in extents[i + 1 :])


def test_curves_hold_the_values_of_the_table():
    found = figures.summarise("gabor", table())
    figure = figures.load("gabor")(found)
    upper, lower = figure.axes
    assert len(legend_labels(figure)) == 3
    (frequency,) = upper.containers
    np.testing.assert_array_equal(
        frequency.lines[0].get_ydata(), found["mean"][found["curve"] == "f"]
    )
    assert [line.lines[0].get_ydata()[0] for line in lower.containers] == pytest.approx([4.8, 5.7])


def test_bars_hold_the_shares():
    found = figures.summarise("phases", table())
    figure = figures.load("phases")(found)
    heights = [bar.get_height() for axes in figure.axes for bar in axes.patches]
    np.testing.assert_allclose(heights, 100 * found["share"])


def test_one_of_the_two_histograms_can_be_drawn_alone_but_none_is_refused():
    render(figures.load("phases")(figures.summarise("phases", table((0.99,)))))
    with pytest.raises(ValueError, match=r"0\.75"):
        figures.summarise("phases", table((0.8,)))


@pytest.mark.parametrize("name", ["gabor", "phases"])
def test_tables_without_gabor_functions_are_refused(name):
    given = table()
    given["reason"][:] = "poor fit"
    with pytest.raises(ValueError, match="no rows"):
        figures.summarise(name, given)
    given = table()
    given["dictionary_sparseness"][:] = np.nan
    with pytest.raises(ValueError, match="no rows"):
        figures.summarise(name, given)


def test_pairs_clip_what_is_beyond_the_atom_and_fill_the_last_row():
    atoms = np.array([[1.0, -1.0, 0.0, 0.5]] * 5)
    picture = pair_up(atoms, 3.0 * atoms, [False] * 5, (2, 3))
    assert picture.shape == (2 * 5 + 3, 3 * 8 + 3, 3) and picture.dtype == np.uint8
    assert picture[3, 3:8, 0].tolist() == [255, 0, 255, 255, 0]
    assert picture[4, 3:8, 0].tolist() == [128, 191, 255, 128, 255]
    assert (picture[8:, 19:] == 255).all()


def test_pictures_of_pairs_are_nearly_square():
    height, width, _ = pair_up(np.eye(256), np.eye(256), np.zeros(256)).shape
    assert 0.8 < height / width < 1.25
