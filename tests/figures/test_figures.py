"""Figures 1 to 5: values, labels and layout."""

import re
import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest
from helpers.drawing import found_by_id, legend_labels, line_called, render
from helpers.figure_tables import (
    TABLES,
    auxiliary_table,
    evaluations_table,
    sparseness_table,
    speedups_table,
)
from matplotlib.colors import to_hex
from matplotlib.contour import ContourSet
from matplotlib.text import Text

from ezdl_cli import figures
from ezdl_cli.core.projection import SOLVERS
from ezdl_cli.experiments.summaries import SUMMARIES
from ezdl_cli.figures import line_styles, style

pytestmark = pytest.mark.filterwarnings("error")


def draw(name):
    return figures.load(name)(TABLES[name]())


def test_listing_the_figures_does_not_load_matplotlib():
    code = (
        "import sys, ezdl_cli\n"
        "before = 'matplotlib' in sys.modules\n"
        "import ezdl_cli.figures\n"
        "sys.exit('matplotlib' in sys.modules and not before)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_drawing_does_not_load_pyplot():
    code = (
        "import sys\nfrom ezdl_cli import figures, io\n"
        "figures.load('flowchart')(io.load_table(figures.shipped_table('flowchart')))\n"
        "sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_figures_are_numbered_as_in_the_paper_and_beyond_it_and_all_tested():
    numbers = [figure.number for figure in figures.FIGURES.values()]
    assert " ".join(numbers) == "1 2 3 4 5 6 7 8a 8b 9a 9b 10a 10b 11a 11b 12 13 14 15 16 17"
    # Dictionaries are tested in test_atom_tiles.py, summaries in test_quality_curves.py and
    # test_gabor_figures.py.
    others = [
        name
        for name, figure in figures.FIGURES.items()
        if figure.needs_dictionary or name in SUMMARIES
    ]
    assert list(figures.FIGURES) == [*TABLES, *others]


@pytest.mark.parametrize("name", ["sparseness", "auxiliary", "evaluations", "speedups"])
def test_both_axes_are_labelled(name):
    figure = draw(name)
    axes = figure.axes[0]
    assert axes.get_xlabel() or figure.get_supxlabel()
    assert axes.get_ylabel()


@pytest.mark.parametrize("file_format, start", [("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_encoding_twice_gives_the_same_bytes(file_format, start):
    first, second = (style.encode(draw("evaluations"), file_format) for _ in range(2))
    assert first.startswith(start)
    assert first == second


def test_drawing_leaves_the_settings_of_matplotlib_alone():
    import matplotlib

    before = dict(matplotlib.rcParams)
    draw("speedups")
    assert dict(matplotlib.rcParams) == before


def test_sparseness_image_holds_the_values_of_the_table():
    table = sparseness_table()
    mesh = draw("sparseness").axes[0].collections[0]
    shown = np.ma.filled(mesh.get_array(), np.nan).reshape(41, 41)
    np.testing.assert_array_equal(shown, table["sparseness"].reshape(41, 41))


def test_sparseness_image_does_not_depend_on_the_order_of_the_rows():
    table = sparseness_table()
    order = np.random.default_rng(0).permutation(table["x1"].size)
    shuffled = {name: column[order] for name, column in table.items()}
    meshes = [figures.load("sparseness")(t).axes[0].collections[0] for t in (table, shuffled)]
    np.testing.assert_array_equal(*(np.ma.filled(mesh.get_array(), -1) for mesh in meshes))


def test_sparseness_contours_are_dashed_and_a_quarter_apart():
    axes = draw("sparseness").axes[0]
    (contours,) = (item for item in axes.collections if isinstance(item, ContourSet))
    np.testing.assert_array_equal(contours.levels, [0.25, 0.5, 0.75])
    assert all(dashes is not None for _, dashes in contours.get_linestyle())


def test_sparseness_axes_are_equal_and_the_colour_bar_is_labelled_from_zero_to_one():
    figure = draw("sparseness")
    render(figure)
    axes = figure.axes[0]
    (bar_axes,) = axes.child_axes
    assert axes.get_aspect() == 1
    assert "Sparseness" in bar_axes.get_ylabel()
    np.testing.assert_allclose(bar_axes.get_ylim(), [0, 1])


def test_auxiliary_function_is_drawn_through_the_given_points():
    table = auxiliary_table()
    chosen = table["quantity"] == "psi"
    line = line_called(draw("auxiliary").axes[0], r"$\Psi(\alpha)$")
    np.testing.assert_array_equal(line.get_xdata(), table["alpha"][chosen])
    np.testing.assert_array_equal(line.get_ydata(), table["value"][chosen])


def test_slope_is_broken_exactly_at_the_entries():
    axes = draw("auxiliary").axes[0]
    line = next(line for line in axes.lines if "(scaled)" in str(line.get_label()))
    nan = np.nan
    np.testing.assert_array_equal(line.get_xdata(), [0, 0.2, 0.4, nan, 0.4, 0.6, nan, 0.7, 1])
    np.testing.assert_array_equal(
        line.get_ydata(), [-0.1, -0.2, -0.3, nan, -0.1, -0.2, nan, -0.1, -0.5]
    )


def test_entries_are_ticks_on_the_zero_line():
    line = line_called(draw("auxiliary").axes[0], "Entries of $x$")
    assert line.get_marker() == "|"
    np.testing.assert_array_equal(line.get_xdata(), [0.65, 0.4])
    np.testing.assert_array_equal(line.get_ydata(), [0, 0])


def test_labels_of_root_and_neighbours_point_at_them_without_overlap():
    figure = draw("auxiliary")
    renderer = render(figure)
    labels = {name: found_by_id(figure)[name] for name in ("left", "root", "right")}
    assert [label.xy for label in labels.values()] == [(0.4, 0.2), (0.5, 0), (0.65, -0.3)]
    extents = [Text.get_window_extent(label, renderer) for label in labels.values()]
    assert not any(first.overlaps(second) for first, second in combinations(extents, 2))


def test_error_bars_are_confidence_intervals_around_the_mean():
    table = evaluations_table()
    axes = draw("evaluations").axes[0]
    assert len(axes.containers) == 4
    for solver, line_style in line_styles.SOLVER_STYLES.items():
        rows = table["solver"] == solver
        (container,) = (item for item in axes.containers if item.get_label() == line_style.label)
        data, _, (bars,) = container.lines
        np.testing.assert_array_equal(data.get_ydata(), table["mean"][rows])
        ends = np.array(bars.get_segments())
        np.testing.assert_array_equal(ends[:, 0, 0], table["n"][rows])
        np.testing.assert_allclose(ends[:, 0, 1], table["low"][rows])
        np.testing.assert_allclose(ends[:, 1, 1], table["high"][rows])


def test_evaluations_legend_has_the_names_of_the_solvers():
    labels = legend_labels(draw("evaluations"))
    assert len(labels) == 4
    assert {"Bisection", "Newton", "Halley"} < set(labels)
    assert any("squared" in label and r"\tilde{\Psi}" in label for label in labels)


@pytest.mark.parametrize("name", ["evaluations", "speedups"])
def test_ticks_are_even_powers_of_two_with_readable_exponents(name):
    figure = draw(name)
    render(figure)
    axis = figure.axes[0].xaxis
    exponents = np.log2(axis.get_majorticklocs())
    np.testing.assert_array_equal(exponents % 2, 0)
    assert len(exponents) >= 4 and len(axis.get_minorticklocs()) == 0
    assert all(0.7 * label.get_fontsize() >= 7 for label in axis.get_ticklabels())


def test_a_single_dimensionality_can_be_drawn():
    table = {name: column[:1] for name, column in evaluations_table().items()}
    render(figures.load("evaluations")(table))


@pytest.mark.parametrize(("panel", "style"), [(0, "as published"), (1, "optimised")])
def test_speedup_lines_hold_the_values_of_the_table(panel, style):
    table = speedups_table()
    axes = draw("speedups").axes[panel]
    assert ("published" if style == "as published" else style) in axes.get_title().lower()
    assert axes.get_yscale() == "log"
    algorithms = set(table["algorithm"][table["style"] == style])
    assert len(axes.lines) == len(algorithms) == 4 + panel
    for algorithm in algorithms - {"hoyer"}:
        rows = (table["algorithm"] == algorithm) & (table["style"] == style)
        line = line_called(axes, line_styles.PROJECTION_STYLES[algorithm].label)
        np.testing.assert_array_equal(line.get_xdata(), table["n"][rows])
        np.testing.assert_array_equal(line.get_ydata(), table["speedup"][rows])


def test_speedups_of_a_single_style_can_be_drawn():
    table = speedups_table()
    kept = table["style"] == "optimised"
    figure = figures.load("speedups")({name: column[kept] for name, column in table.items()})
    render(figure)
    assert len(legend_labels(figure)) == 5


def test_hoyer_is_the_reference_line_at_one():
    line = line_called(draw("speedups").axes[0], "Hoyer (2004)")
    np.testing.assert_array_equal(line.get_ydata(), [1, 1])
    assert line.get_linestyle() == "--"


def test_legend_of_speedups_names_existing_solvers_and_titles_both_kinds_of_code():
    figure = draw("speedups")
    named = {name for label in legend_labels(figure) for name in re.findall('"(.*)"', label)}
    assert named == {"auto", "newton_sqr"} <= set(SOLVERS)
    titles = [axes.get_title() for axes in figure.axes]
    assert "transcriptions" in titles[0] and "this package" in titles[1]


def test_algorithm_without_measurements_is_left_out():
    table = speedups_table()
    kept = table["algorithm"] != "thom_palm"
    figure = figures.load("speedups")({name: column[kept] for name, column in table.items()})
    assert legend_labels(figure) == [
        'This package: "auto"',
        'The paper: "newton_sqr"',
        "Potluru et al. (2013)",
        "Hoyer (2004)",
    ]


def test_solver_of_the_paper_looks_the_same_in_both_comparisons():
    solver = line_styles.SOLVER_STYLES["newton_sqr"]
    line = line_called(draw("speedups").axes[0], 'The paper: "newton_sqr"')
    assert (to_hex(line.get_color()).upper(), line.get_marker()) == (solver.color, solver.marker)


@pytest.mark.parametrize("styles", [line_styles.SOLVER_STYLES, line_styles.PROJECTION_STYLES])
def test_no_two_lines_of_a_figure_look_alike(styles):
    assert len({one.color for one in styles.values()}) == len(styles)
    assert len({one.marker for one in styles.values()}) == len(styles)
