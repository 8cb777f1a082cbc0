"""Figures 10 to 14: means of measurements, and how they are drawn."""

from itertools import product

import numpy as np
import pytest
from helpers.drawing import legend_labels, render, visible_texts

from ezdl_cli import figures
from ezdl_cli.figures import curves, fig13_history, style
from ezdl_cli.figures.crops import draw_crops

pytestmark = pytest.mark.filterwarnings("error")


def table(algorithm="ezdl", parameters=(0.75, 0.99), seeds=(0, 1), iterations=(10, 100)):
    """Rows as `ezdl evaluate` writes them, with a quality that says what they are."""
    column = {"ezdl": "dictionary_sparseness", "odl": "lambda", "rls-dla": "nonzeros"}[algorithm]
    rows = []
    for value, seed, image, sparseness, count, epochs in product(
        parameters, seeds, ("a", "b"), (0.5, 0.9), iterations, (5, 20)
    ):
        quality = 0.5 + 0.01 * value + 0.1 * (image == "b") + 0.02 * seed - 0.1 * sparseness
        row = {
            "dictionary": f"{value}_{seed}",
            "dictionary_sparseness": np.nan,
            "lambda": np.nan,
            "nonzeros": np.nan,
        }
        row |= {column: value, "step_size": 1.0, "seed": seed, "image": image, "epochs": epochs}
        row |= {"inference_sparseness": sparseness, "iterations": count, "algorithm": algorithm}
        rows.append({**row, "ssim": quality + 0.001 * count / 100})
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def together(*tables):
    return {name: np.concatenate([part[name] for part in tables]) for name in tables[0]}


def all_learners():
    return together(table(), table("odl", (0.5, 2.0)), table("rls-dla", (4.0, 8.0)))


TABLES = {
    "iterations": table,
    "ezdl": table,
    "odl": lambda: table("odl", (0.5, 2.0)),
    "rls-dla": lambda: table("rls-dla", (4.0, 8.0)),
    "envelopes": all_learners,
    "history": all_learners,
}


def summary(name):
    return figures.summarise(name, TABLES[name]())


def test_means_are_over_images_and_deviations_over_dictionaries():
    found = summary("ezdl")
    here = (found["curve"] == "sigma_H=0.75") & (found["abscissa"] == 0.5)
    means = [0.5 + 0.0075 + 0.05 + 0.02 * seed - 0.05 + 0.001 for seed in (0, 1)]
    assert found["ssim"][here] == pytest.approx(np.mean(means))
    assert found["deviation"][here] == pytest.approx(np.std(means, ddof=1))
    assert found["dictionaries"][here] == 2 and found["images"][here] == 2


def test_a_single_dictionary_has_no_deviation_and_no_error_bars():
    found = figures.summarise("ezdl", table(seeds=(0,)))
    assert np.isnan(found["deviation"]).all()
    render(figures.load("ezdl")(found))


def test_only_the_most_iterations_count_but_for_the_figure_of_iterations():
    fewer = figures.summarise("ezdl", table(iterations=(100,)))
    np.testing.assert_array_equal(summary("ezdl")["ssim"], fewer["ssim"])
    assert set(summary("iterations")["abscissa"]) == {10, 100}


def test_the_envelope_is_the_best_of_each_learner():
    found = summary("envelopes")
    assert set(found["curve"]) == {"ezdl", "odl", "rls-dla"}
    assert set(found["best"]) == {"ezdl 0.99", "odl 2", "rls-dla 8"}
    assert len(found["ssim"]) == 6


def test_the_history_has_a_curve_for_each_step_size():
    smaller = table()
    smaller["step_size"][:] = 0.25
    found = figures.summarise("history", together(all_learners(), smaller))
    assert set(found["curve"]) == {"ezdl 1", "ezdl 0.25", "odl", "rls-dla"}
    assert set(found["abscissa"]) == {5, 20}
    assert set(found["curve"]) <= set(fig13_history.LOOKS)


@pytest.mark.parametrize("name", TABLES)
def test_figure_is_as_wide_as_a_column_and_nothing_is_cut_off(name):
    figure = figures.load(name)(summary(name))
    assert figure.get_figwidth() * 25.4 == pytest.approx(84)
    renderer = render(figure)
    for text in visible_texts(figure):
        extent = text.get_window_extent(renderer)
        assert 0 <= extent.x0 < extent.x1 <= figure.bbox.x1, text.get_text()
        assert 0 <= extent.y0 < extent.y1 <= figure.bbox.y1, text.get_text()
    axes = figure.axes[0]
    assert axes.get_xlabel() and axes.get_ylabel() == curves.QUALITIES["ssim"]
    legend = figure.legends[0].get_window_extent(renderer)
    assert not legend.overlaps(axes.get_window_extent(renderer))
    assert len(legend_labels(figure)) == len(set(summary(name)["curve"]))


def test_each_learner_has_its_own_figure():
    alone = summary("odl")
    np.testing.assert_array_equal(figures.summarise("odl", all_learners())["ssim"], alone["ssim"])
    for name in ("iterations", "rls-dla"):
        with pytest.raises(ValueError, match="no rows"):
            figures.summarise(name, table("odl", (0.5,)))


def test_learners_that_are_missing_are_left_out():
    lone = table()
    lone["lambda"] = lone["nonzeros"] = np.full(lone["ssim"].size, "")
    assert set(figures.summarise("envelopes", lone)["curve"]) == {"ezdl"}


def test_a_step_size_without_a_line_is_refused():
    odd = table()
    odd["step_size"][:] = 0.5
    with pytest.raises(ValueError, match=r"ezdl 0\.5"):
        figures.load("history")(figures.summarise("history", odd))


def test_labels_have_greek_letters():
    (look,) = curves.looks(["sigma_H=0.75 lambda=2"]).values()
    assert look.label == r"$\sigma_H = 0.75$, $\lambda = 2$"


@pytest.mark.parametrize(
    "looks", [style.LEARNERS, fig13_history.LOOKS, curves.looks("abcdefghijk")]
)
def test_no_two_lines_of_a_figure_look_alike(looks):
    assert len({(look.color, look.linestyle) for look in looks.values()}) == len(looks)


def denoised(algorithm, better):
    """Rows as `ezdl denoise` writes them."""
    rows = list(product(("a", "b"), (2.5, 25.0), (1, 2)))
    return {
        "dictionary": np.full(len(rows), algorithm),
        "algorithm": np.full(len(rows), algorithm),
        "image": np.array([image for image, _, _ in rows]),
        "sigma": np.array([sigma for _, sigma, _ in rows]),
        "psnr_final": np.array([40 - sigma / 5 + better + repeat for _, sigma, repeat in rows]),
    }


def test_denoising_has_a_curve_for_each_learner_with_all_repeats():
    found = figures.summarise("denoising", together(denoised("ezdl", 1.0), denoised("odl", 0.0)))
    assert list(found["curve"]) == ["ezdl", "ezdl", "odl", "odl"]
    np.testing.assert_allclose(found["psnr_final"], [42.0, 37.5, 41.0, 36.5])
    figure = figures.load("denoising")(found)
    render(figure)
    assert "dB" in figure.axes[0].get_ylabel() and "noise" in figure.axes[0].get_xlabel()
    assert legend_labels(figure) == ["EZDL", "ODL"]
    with pytest.raises(ValueError, match="no line for mine"):
        figures.load("denoising")(figures.summarise("denoising", denoised("mine", 0.0)))


def test_crops_are_side_by_side_with_their_ratios():
    crops = [np.full((20, 30), value) for value in (10, 20, 30)]
    figure = draw_crops([(5.0, crops, (34.1, 40.25)), (50.0, crops, (14.0, 29.0))])
    renderer = render(figure)
    texts = [text.get_text() for text in visible_texts(figure)]
    assert {"Original", "Noisy", "Denoised", "34.10 dB", "40.25 dB"} <= set(texts)
    for text in visible_texts(figure):
        extent = text.get_window_extent(renderer)
        assert 0 <= extent.x0 < extent.x1 <= figure.bbox.x1, text.get_text()
