"""Tiles of atoms, and figures 8 and 9."""

import io as buffers
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from ezdl_cli import figures
from ezdl_cli.figures import atom_tiles as atoms
from ezdl_cli.figures import style

pytestmark = pytest.mark.filterwarnings("error")

DICTIONARIES = [name for name, figure in figures.FIGURES.items() if figure.needs_dictionary]


def random_atoms(n_atoms, side, seed=0):
    return np.random.default_rng(seed).standard_normal((n_atoms, side * side)).astype(np.float32)


def atom_at(picture, row, column, side, gap=1):
    top, left = row * (side + gap), column * (side + gap)
    return picture[top : top + side, left : left + side]


@pytest.mark.parametrize("grid", [(3, 4), (4, 3), (1, 12), (12, 1)])
@pytest.mark.parametrize("gap", [0, 1, 3])
def test_atoms_are_laid_out_row_by_row(grid, gap):
    pixels = random_atoms(12, 5)
    picture = atoms.tile(pixels, grid, gap)
    rows, columns = grid
    assert picture.shape == (rows * (5 + gap) - gap, columns * (5 + gap) - gap)
    for j, atom in enumerate(pixels):
        shown = atom_at(picture, j // columns, j % columns, 5, gap)
        np.testing.assert_allclose(shown, atom.reshape(5, 5) / abs(atom).max(), rtol=1e-6)


def test_gaps_are_white_and_everything_else_is_an_atom():
    picture = atoms.tile(np.zeros((6, 9)), (2, 3))
    assert np.unique(picture).tolist() == [0.0, 1.0]
    white = picture == 1.0
    assert np.flatnonzero(white.all(axis=1)).tolist() == [3]
    assert np.flatnonzero(white.all(axis=0)).tolist() == [3, 7]
    assert np.count_nonzero(~white) == 6 * 9


@pytest.mark.parametrize("factor", [1e-40, 1e-3, 1.0, 1e30])
def test_brightness_does_not_depend_on_the_scale_of_an_atom(factor):
    pixels = random_atoms(4, 3).astype(np.float64)
    scaled = pixels * np.array([[1.0], [factor], [1.0], [1.0]])
    np.testing.assert_allclose(atoms.tile(scaled), atoms.tile(pixels), rtol=1e-12)


def test_zero_is_mid_grey_and_the_largest_magnitude_black_or_white():
    picture = atoms.tile(np.array([[0.0, -2.0, 1.0, 0.5], [4.0, 0.0, -1.0, -2.0]]), (1, 2), gap=0)
    np.testing.assert_array_equal(picture, [[0, -1, 1, 0], [0.5, 0.25, -0.25, -0.5]])
    grey = atoms.to_grey(np.array([[-1.0, 0.0, 1.0]]))
    assert (grey.dtype, grey.tolist()) == (np.uint8, [[0, 128, 255]])


@pytest.mark.parametrize("n_atoms, grid", [(1, (1, 1)), (2, (1, 2)), (5, (2, 3)), (256, (16, 16))])
def test_default_grid_is_as_square_as_possible(n_atoms, grid):
    picture = atoms.tile(random_atoms(n_atoms, 2), gap=0)
    assert picture.shape == (2 * grid[0], 2 * grid[1])


def test_empty_cells_are_white():
    picture = atoms.tile(np.zeros((5, 4)), (2, 3))
    assert (atom_at(picture, 1, 2, 2) == 1.0).all()
    assert (atom_at(picture, 1, 1, 2) == 0.0).all()


@pytest.mark.parametrize(
    "pixels, grid, message",
    [
        (np.ones((3, 8)), None, "8 pixels are not square"),
        (np.ones((3, 0)), None, "shape"),
        (np.ones(9), None, "shape"),
        (np.full((3, 4), np.nan), None, "NaN"),
        (np.ones((3, 4)), (1, 2), "too small for 3"),
        (np.ones((3, 4)), (-1, -3), "too small"),
    ],
)
def test_atoms_that_cannot_be_tiled_are_refused(pixels, grid, message):
    with pytest.raises(ValueError, match=message):
        atoms.tile(pixels, grid)


def test_tiling_does_not_load_matplotlib():
    code = "import sys, ezdl_cli.figures.atom_tiles; sys.exit('matplotlib' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_table_has_one_row_per_pixel_with_four_digits():
    table = atoms.to_table(np.array([[1.23456789, 0, -1 / 3, 1e-9], [1, 2, 3, 4_000_000.4]]))
    assert list(table) == ["atom", "row", "column", "value"]
    assert table["atom"].tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    assert table["row"].tolist() == [0, 0, 1, 1] * 2
    assert table["column"].tolist() == [0, 1, 0, 1] * 2
    assert table["value"].tolist() == [1.235, 0, -0.3333, 1e-9, 1, 2, 3, 4_000_000]


def test_table_round_trip_in_any_row_order():
    pixels = random_atoms(6, 4)
    table = atoms.to_table(pixels)
    order = np.random.default_rng(1).permutation(table["value"].size)
    shuffled = {name: column[order] for name, column in table.items()}
    np.testing.assert_allclose(atoms.from_table(shuffled), pixels, rtol=1e-3)


def test_a_table_with_a_missing_pixel_is_refused():
    table = {name: column[1:] for name, column in atoms.to_table(random_atoms(2, 3)).items()}
    with pytest.raises(ValueError, match="NaN"):
        figures.load("rank1-ordinary")(table)


def test_figures_of_dictionaries_have_the_numbers_of_the_paper():
    numbers = {name: figures.FIGURES[name].number for name in DICTIONARIES}
    assert numbers == {
        "whitened-topographic": "8a",
        "whitened-rank": "8b",
        "rank1-ordinary": "9a",
        "rank1-topographic": "9b",
    }


@pytest.mark.parametrize("n_atoms, side, grid", [(12, 5, (3, 4)), (12, 7, (6, 2)), (25, 4, None)])
def test_png_of_the_figure_is_the_tiling_in_integer_dots(n_atoms, side, grid):
    table = atoms.to_table(random_atoms(n_atoms, side))
    figure = figures.load("whitened-topographic")(table, grid)
    with Image.open(buffers.BytesIO(style.encode(figure, "png"))) as png:
        shown = np.array(png.convert("RGB"))
    expected = atoms.to_grey(atoms.tile(atoms.from_table(table), grid))
    dots = shown.shape[0] // expected.shape[0]
    assert dots > 1
    enlarged = expected.repeat(dots, axis=0).repeat(dots, axis=1)
    np.testing.assert_array_equal(shown, np.stack([enlarged] * 3, axis=2))


@pytest.mark.parametrize("grid", [(16, 16), (4, 64), (64, 4)])
def test_figure_of_a_dictionary_fits_a_column(grid):
    table = atoms.to_table(random_atoms(256, 8))
    figure = figures.load("rank1-topographic")(table, grid)
    width, height = figure.get_size_inches() * 25.4
    assert 42 < max(width, height) <= 84
    assert width / height == pytest.approx((9 * grid[1] - 1) / (9 * grid[0] - 1), rel=1e-3)
