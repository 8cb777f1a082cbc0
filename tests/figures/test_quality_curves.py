"""Figures 10 to 17 and crops of denoised images."""

import numpy as np
import pytest
from helpers.drawing import legend_labels, render, visible_texts
from helpers.figure_tables import figure_table
from helpers.observations import concatenated, denoised, evaluated

from ezdl_cli import figures
from ezdl_cli.experiments.summaries import SUMMARIES
from ezdl_cli.figures import fig13_history, line_styles
from ezdl_cli.figures.crops import draw_crops

pytestmark = pytest.mark.filterwarnings("error")
N_CURVES = {
    "iterations": 4,
    "ezdl": 2,
    "odl": 2,
    "rls-dla": 2,
    "envelopes": 3,
    "history": 3,
    "denoising": 2,
    **dict.fromkeys(("super-resolution", "deblurring", "inpainting"), 3),
}
YLABELS = {"denoising": "PSNR (dB)"} | dict.fromkeys(
    ("super-resolution", "deblurring", "inpainting"), "Gain in PSNR (dB)"
)


@pytest.mark.parametrize("name", N_CURVES)
def test_axes_are_labelled_and_all_curves_are_named(name):
    figure = figures.load(name)(figure_table(name))
    render(figure)
    assert figure.axes[-1].get_xlabel()
    assert figure.axes[0].get_ylabel() == YLABELS.get(name, "SSIM index")
    assert len(legend_labels(figure)) == N_CURVES[name]


@pytest.mark.parametrize("name", N_CURVES)
def test_lines_and_error_bars_hold_the_summary(name):
    table = figure_table(name)
    axes = figures.load(name)(table).axes[0]
    drawn = np.concatenate([line.lines[0].get_ydata() for line in axes.containers])
    np.testing.assert_array_equal(np.sort(drawn), np.sort(table["mean"]))
    bars = [line.lines[2][0].get_segments() for line in axes.containers if line.has_yerr]
    heights = [np.ptp(np.array(bar)[:, 1]) for line in bars for bar in line]
    np.testing.assert_allclose(np.sort(heights), np.sort(table["high"] - table["low"]))


def test_a_curve_without_a_line_style_is_refused():
    odd = evaluated()
    odd["eta0"][:] = 0.5
    with pytest.raises(ValueError, match=r"'ezdl', 0\.5"):
        figures.load("history")(SUMMARIES["history"].compute(odd))
    with pytest.raises(ValueError, match="svd"):
        figures.load("denoising")(SUMMARIES["denoising"].compute(denoised("svd", 0.0)))


def test_authors_rules_are_solid_and_default_rules_dashed():
    learners = ("ezdl", "odl", "rls-dla")
    tables = [denoised(name, 0.0, rules) for name in learners for rules in ("ezdl", "authors")]
    figure = figures.load("denoising")(SUMMARIES["denoising"].compute(concatenated(*tables)))
    lines = {line.get_label(): line.lines[0] for line in figure.axes[0].containers}
    assert len(lines) == 6
    for name in ("EZDL", "ODL", "RLS-DLA"):
        solid, dashed = lines[f"{name}, authors' rules"], lines[f"{name}, default rules"]
        assert (solid.get_linestyle(), dashed.get_linestyle()) == ("-", "--")
        assert solid.get_color() == dashed.get_color()
    for rules in ("ezdl", "authors"):
        figure = figures.load("denoising")(
            SUMMARIES["denoising"].compute(denoised("odl", 0.0, rules))
        )
        assert legend_labels(figure) == ["ODL"]
        assert figure.axes[0].containers[0].lines[0].get_linestyle() == "-"


def test_unknown_denoising_rules_are_refused():
    with pytest.raises(ValueError, match="other"):
        figures.load("denoising")(SUMMARIES["denoising"].compute(denoised("odl", 0.0, "other")))


def test_labels_have_the_symbols_of_the_paper():
    table = {"sigma_h": np.array([0.75]), "lambda": np.array([2.0])}
    (one,) = line_styles.parameter_styles(table, "sigma_h", "lambda").values()
    assert one.label == r"$\sigma_H = 0.75$, $\lambda = 2$"


@pytest.mark.parametrize(
    "styles",
    [
        line_styles.LEARNER_STYLES,
        fig13_history.STYLES,
        line_styles.parameter_styles({"zeta": np.arange(11.0)}, "zeta"),
    ],
)
def test_no_two_lines_of_a_figure_look_alike(styles):
    assert len({(one.color, one.linestyle) for one in styles.values()}) == len(styles)


def test_crops_are_side_by_side_with_their_psnr():
    crops = [np.full((20, 30), value) for value in (10, 20, 30)]
    figure = draw_crops(
        [("σ = 5", crops, (34.1, 40.25)), ("σ = 50", crops, (14.0, 29.0))],
        ("Original", "Noisy", "Denoised"),
    )
    renderer = render(figure)
    texts = [text.get_text() for text in visible_texts(figure)]
    assert {"Original", "Noisy", "Denoised", "34.10 dB", "40.25 dB"} <= set(texts)
    for text in visible_texts(figure):
        extent = text.get_window_extent(renderer)
        assert 0 <= extent.x0 < extent.x1 <= figure.bbox.x1, text.get_text()
