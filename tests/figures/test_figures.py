"""Figures 1 to 5: values, labels and layout."""

import subprocess
import sys
from itertools import combinations, pairwise

import numpy as np
import pytest
from helpers.drawing import found_by_id, legend_labels, line_called, render, visible_texts
from matplotlib.colors import to_hex
from matplotlib.contour import ContourSet
from matplotlib.text import Text

from ezdl_cli import figures, io
from ezdl_cli.experiments.summaries import SUMMARIES
from ezdl_cli.figures import line_styles, style

pytestmark = pytest.mark.filterwarnings("error")


def sparseness_table():
    side = np.linspace(-1, 1, 41)
    first, second = (grid.ravel() for grid in np.meshgrid(side, side))
    length = np.hypot(first, second)
    length[length == 0] = np.nan
    sparseness = (np.sqrt(2) - (abs(first) + abs(second)) / length) / (np.sqrt(2) - 1)
    return {"x1": first, "x2": second, "sparseness": sparseness}


def auxiliary_table():
    rows = [("psi", alpha, 1 - 2 * alpha) for alpha in np.linspace(0, 1, 11)]
    slopes = ((0, -0.1), (0.2, -0.2), (0.4, -0.3), (0.4, -0.1), (0.6, -0.2), (0.7, -0.1), (1, -0.5))
    rows += [("slope", *point) for point in slopes]
    rows += [("entry", entry, 0) for entry in (0.65, 0.4)]
    rows += [("left", 0.4, 0.2), ("root", 0.5, 0), ("right", 0.65, -0.3)]
    quantity, alpha, value = zip(*rows, strict=True)
    return {
        "quantity": np.array(quantity),
        "alpha": np.array(alpha, float),
        "value": np.array(value, float),
    }


def evaluations_table():
    exponents = np.arange(2, 25.0)
    solvers = np.array(["bisection", "newton", "newton_sqr", "halley"])
    slopes = np.repeat([0.77, 0.23, 0.05, 0.16], exponents.size)
    mean = 3 + slopes * np.tile(exponents, solvers.size)
    return {
        "n": np.tile(2**exponents, solvers.size),
        "solver": np.repeat(solvers, exponents.size),
        "vectors": np.full(mean.size, 1000.0),
        "mean": mean,
        "low": 0.9 * mean,
        "high": 1.1 * mean,
    }


def speedups_table():
    exponents = np.arange(2, 21.0)
    growth = {"auto": 0.2, "newton_sqr": 0.1, "hoyer": 0, "potluru": 0.05, "thom_palm": 0.04}
    rows = [
        (2**exponent, style, name, 2 ** (factor * rate * exponent))
        for style, factor in (("as published", 1), ("optimised", 0.5))
        for name, rate in growth.items()
        for exponent in exponents
        if not (name == "potluru" and exponent > 16)
        and not (name == "auto" and style == "as published")
    ]
    names = ("n", "style", "algorithm", "speedup")
    return {
        name: np.array(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)
    }


TABLES = {
    "sparseness": sparseness_table,
    "auxiliary": auxiliary_table,
    "flowchart": lambda: io.load_table(figures.shipped_table("flowchart")),
    "evaluations": evaluations_table,
    "speedups": speedups_table,
}


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


def test_figures_are_numbered_as_in_the_paper_and_all_tested():
    numbers = [figure.number for figure in figures.FIGURES.values()]
    assert " ".join(numbers) == "1 2 3 4 5 6 7 8a 8b 9a 9b 10a 10b 11a 11b 12 13 14"
    # Dictionaries are tested in test_atom_tiles.py, summaries in test_quality_curves.py and
    # test_gabor_figures.py.
    others = [
        name
        for name, figure in figures.FIGURES.items()
        if figure.needs_dictionary or name in SUMMARIES
    ]
    assert list(figures.FIGURES) == [*TABLES, *others]


@pytest.mark.parametrize("name", TABLES)
def test_figure_is_as_wide_as_a_column(name):
    assert draw(name).get_figwidth() * 25.4 == pytest.approx(84)


@pytest.mark.parametrize("name", TABLES)
def test_no_text_is_cut_off_at_the_edge(name):
    figure = draw(name)
    renderer = render(figure)
    texts = visible_texts(figure)
    assert texts
    for text in texts:
        extent = text.get_window_extent(renderer)
        assert 0 <= extent.x0 < extent.x1 <= figure.bbox.x1, text.get_text()
        assert 0 <= extent.y0 < extent.y1 <= figure.bbox.y1, text.get_text()


@pytest.mark.parametrize("name", ["sparseness", "auxiliary", "evaluations", "speedups"])
def test_both_axes_are_labelled(name):
    figure = draw(name)
    axes = figure.axes[0]
    assert axes.get_xlabel() or figure.get_supxlabel()
    assert axes.get_ylabel()


@pytest.mark.parametrize("name", ["auxiliary", "evaluations", "speedups"])
def test_legend_covers_no_data(name):
    figure = draw(name)
    renderer = render(figure)
    legend = figure.legends[0].get_window_extent(renderer)
    assert not legend.overlaps(figure.axes[0].get_window_extent(renderer))


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
def test_ticks_are_powers_of_two_and_do_not_overlap(name):
    figure = draw(name)
    renderer = render(figure)
    axis = figure.axes[0].xaxis
    exponents = np.log2(axis.get_majorticklocs())
    np.testing.assert_array_equal(exponents, np.round(exponents))
    assert len(axis.get_minorticklocs()) == 0
    extents = [label.get_window_extent(renderer) for label in axis.get_ticklabels()]
    assert len(extents) >= 5
    assert all(left.x1 < right.x0 for left, right in pairwise(extents))


def test_a_single_dimensionality_can_be_drawn():
    table = {name: column[:1] for name, column in evaluations_table().items()}
    render(figures.load("evaluations")(table))


@pytest.mark.parametrize(("panel", "style"), [(0, "as published"), (1, "optimised")])
def test_speedup_lines_hold_the_values_of_the_table(panel, style):
    table = speedups_table()
    axes = draw("speedups").axes[panel]
    assert axes.get_title().lower() == style
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


def test_algorithm_without_measurements_is_left_out():
    table = speedups_table()
    kept = table["algorithm"] != "thom_palm"
    figure = figures.load("speedups")({name: column[kept] for name, column in table.items()})
    assert legend_labels(figure) == [
        "This package",
        "Linear time (paper)",
        "Potluru et al. (2013)",
        "Hoyer (2004)",
    ]


def test_solver_of_the_paper_looks_the_same_in_both_comparisons():
    solver = line_styles.SOLVER_STYLES["newton_sqr"]
    line = line_called(draw("speedups").axes[0], "Linear time (paper)")
    assert (to_hex(line.get_color()).upper(), line.get_marker()) == (solver.color, solver.marker)


@pytest.mark.parametrize("styles", [line_styles.SOLVER_STYLES, line_styles.PROJECTION_STYLES])
def test_no_two_lines_of_a_figure_look_alike(styles):
    assert len({one.color for one in styles.values()}) == len(styles)
    assert len({one.marker for one in styles.values()}) == len(styles)
