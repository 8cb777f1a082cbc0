"""`ezdl show` and the figures of dictionaries."""

import os

import numpy as np
import pytest
from PIL import Image

from ezdl_cli import io
from ezdl_cli.figures.atom_tiles import tile, to_grey


def save(path, n_atoms=12, d=16, matrices=None, **metadata):
    W = np.random.default_rng(0).standard_normal((n_atoms, d)).astype(np.float32)
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    metadata = io.DictionaryMetadata(**metadata)
    io.save_dictionary(path, io.Dictionary(W, metadata, matrices or {}))
    return W


def read(path):
    with Image.open(path) as picture:
        assert (picture.format, picture.mode) == ("PNG", "L")
        return np.array(picture)


def test_atoms_are_enlarged_by_an_integer_factor(run, tmp_path):
    W = save(tmp_path / "d.npz")
    done = run("ezdl", "show", "d.npz", "d.png", "--scale", "3")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    expected = to_grey(tile(W)).repeat(3, axis=0).repeat(3, axis=1)
    np.testing.assert_array_equal(read(tmp_path / "d.png"), expected)
    assert sorted(os.listdir(tmp_path)) == ["d.npz", "d.png"]


def test_default_image_is_about_a_thousand_pixels_wide(run_here, tmp_path):
    save(tmp_path / "d.npz", 256, 64)
    assert run_here("ezdl", "show", "d.npz", "d.PNG").returncode == 0
    assert read(tmp_path / "d.PNG").shape == (7 * 143, 7 * 143)


GRIDS = {
    "topographic": ({"inference": "topographic", "grid": [2, 6]}, (2, 6)),
    "rank": ({"inference": "rank", "grid": [6, 2]}, (6, 2)),
    "none given": ({"inference": "topographic", "grid": None}, None),
    "ordinary": ({"inference": "ordinary", "grid": [2, 6]}, None),
    "of another number": ({"inference": "rank", "grid": [5, 5]}, None),
    "no parameters": ({}, None),
}


@pytest.mark.parametrize("parameters, grid", GRIDS.values(), ids=GRIDS)
def test_topographic_dictionaries_are_arranged_on_their_grid(tmp_path, parameters, grid):
    save(tmp_path / "d.npz", parameters=parameters)
    assert io.load_dictionary(tmp_path / "d.npz").grid == grid


def test_atoms_are_shown_in_the_order_of_the_grid(run_here, tmp_path):
    W = save(tmp_path / "d.npz", parameters={"inference": "topographic", "grid": [2, 6]})
    assert run_here("ezdl", "show", "d.npz", "d.png", "--scale", "1").returncode == 0
    np.testing.assert_array_equal(read(tmp_path / "d.png"), to_grey(tile(W, (2, 6))))


def test_whitened_atoms_are_shown_as_pixels(run_here, tmp_path):
    back = np.random.default_rng(1).standard_normal((9, 5))
    W = save(tmp_path / "d.npz", 4, 5, {"dewhitening": back, "whitening": np.linalg.pinv(back)})
    assert run_here("ezdl", "show", "d.npz", "d.png", "--scale", "1").returncode == 0
    difference = read(tmp_path / "d.png").astype(int) - to_grey(tile(W @ back.T))
    assert abs(difference).max() <= 1


@pytest.mark.parametrize("name", ["d.jpg", "d", "missing/d.png", "folder.png"])
def test_target_must_be_a_png_file(refused, tmp_path, name):
    save(tmp_path / "d.npz")
    (tmp_path / "folder.png").mkdir()
    assert name in refused("ezdl", "show", "d.npz", name)
    assert sorted(os.listdir(tmp_path)) == ["d.npz", "folder.png"]


def test_dictionaries_that_cannot_be_drawn_are_rejected(refused, tmp_path):
    save(tmp_path / "d.npz", 4, 15)
    assert "15 pixels are not square" in refused("ezdl", "show", "d.npz", "d.png")
    assert "no such file" in refused("ezdl", "show", "e.npz", "d.png")
    (tmp_path / "e.npz").write_bytes((tmp_path / "d.npz").read_bytes()[:-100])
    assert "e.npz" in refused("ezdl", "show", "e.npz", "d.png")
    save(tmp_path / "f.npz")
    assert "--scale must be at most" in refused(
        "ezdl", "show", "f.npz", "d.png", "--scale", "100000"
    )
    refused("ezdl", "show", "f.npz", "d.png", "--scale", "0")
    assert not (tmp_path / "d.png").exists()


def test_figure_of_a_dictionary_is_written_with_png_and_table(run_here, tmp_path):
    W = save(tmp_path / "d.npz", parameters={"inference": "topographic", "grid": [2, 6]})
    done = run_here("ezdl", "figure", "whitened-topographic", "d.npz", "f.pdf")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "f.pdf").read_bytes().startswith(b"%PDF")
    with Image.open(tmp_path / "f.png") as picture:
        assert picture.width / picture.height == (6 * 5 - 1) / (2 * 5 - 1)
    table = io.load_table(tmp_path / "f.csv")
    assert list(table) == ["atom", "row", "column", "value"]
    places = tuple(table[name].astype(int) for name in ("atom", "row", "column"))
    np.testing.assert_allclose(table["value"], W.reshape(12, 4, 4)[places], rtol=6e-4)
    assert len(set(zip(*places, strict=True))) == W.size


def test_figure_of_a_dictionary_requires_a_dictionary(refused, tmp_path):
    save(tmp_path / "d.npz", 4, 15)
    (tmp_path / "t.csv").write_text("atom,row,column,value\n0,0,0,1\n")
    assert "not square" in refused("ezdl", "figure", "rank1-ordinary", "d.npz", "f.pdf")
    assert "t.csv" in refused("ezdl", "figure", "rank1-ordinary", "t.csv", "f.pdf")
    assert "but 0 were given" in refused("ezdl", "figure", "rank1-ordinary", "f.pdf")
    assert sorted(os.listdir(tmp_path)) == ["d.npz", "t.csv"]


def test_list_shows_the_inputs_of_figures(run_here):
    lines = run_here("ezdl", "figure", "--list").stdout.splitlines()
    sources = {line.split()[0]: line for line in lines}
    assert "Fig. 8a" in sources["whitened-topographic"]
    assert "DICT.npz" in sources["rank1-ordinary"]
    assert "TABLE.csv" in sources["speedups"]
