"""`ezdl gabor`."""

import os

import numpy as np
import pytest
from PIL import Image

import ezdl_cli as ez
from ezdl_cli import io
from ezdl_cli.gabor.fit import COLUMNS

SIDE = 10
NUMBERS = tuple(name for name in COLUMNS if name != "reason")


def atoms(n_atoms=12):
    """Gabor functions, and at the end a constant atom and a checkerboard."""
    rng = np.random.default_rng(0)
    y, x = np.mgrid[:SIDE, :SIDE]
    made = []
    for _ in range(n_atoms - 2):
        theta, phase = rng.uniform(0, np.pi), rng.uniform(0, 2 * np.pi)
        u = (x - 4.5) * np.cos(theta) + (y - 4.5) * np.sin(theta)
        envelope = np.exp(-((x - 4.5) ** 2 + (y - 4.5) ** 2) / 10)
        made.append(envelope * np.cos(2 * np.pi * 0.2 * u + phase))
    made += [np.ones((SIDE, SIDE)), (-1.0) ** (x // 2 + y // 2)]
    W = np.array(made, np.float32).reshape(n_atoms, -1)
    return W / np.linalg.norm(W, axis=1, keepdims=True)


def save(path, W, matrices=None, **parameters):
    metadata = io.DictionaryMetadata(
        algorithm="ezdl",
        parameters={"sparseness": 0.85, "inference": "ordinary", **parameters},
        seed=7,
        history=[{"epoch": 1}, {"epoch": 2}],
    )
    io.save_dictionary(path, io.Dictionary(W, metadata, matrices or {}))


@pytest.fixture
def setting(tmp_path):
    save(tmp_path / "d.npz", atoms())
    grid = {"inference": "topographic", "grid": [3, 4]}
    save(tmp_path / "map.npz", atoms(), **grid)
    return tmp_path


def test_table_agrees_with_fit_gabor(run, setting):
    done = run("ezdl", "gabor", "d.npz", "t.csv")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    table = io.load_table(setting / "t.csv", (*NUMBERS, "n_x", "n_y"), ("reason",))
    assert table["atom"].tolist() == list(range(12))
    assert set(table["dictionary"]) == {"d.npz"} and set(table["sigma_h"]) == {0.85}
    assert set(table["epoch"]) == {2} and set(table["seed"]) == {7}
    assert set(table["side"]) == {SIDE} and set(table["whitened"]) == {0}
    for i, atom in enumerate(atoms().reshape(-1, SIDE, SIDE)):
        fit = ez.fit_gabor(atom)
        assert table["reason"][i] == fit.reason
        for name in (*NUMBERS, "n_x", "n_y"):
            np.testing.assert_equal(table[name][i], getattr(fit, name))
    assert table["reason"].tolist() == [""] * 10 + ["constant", "checkerboard"]
    assert (table["r2"][:10] > 0.999).all()
    np.testing.assert_allclose(table["rank_ratio"][10:], 0, atol=1e-6)
    angle = np.mod(table["theta"][:10], np.pi / 2)
    np.testing.assert_allclose(table["axis_angle"][:10], np.minimum(angle, np.pi / 2 - angle))
    assert sorted(os.listdir(setting)) == ["d.npz", "map.npz", "t.csv"]


def test_number_of_cores_does_not_change_the_table(run, setting):
    for cores, name in (("0", "one"), ("0-1", "two")):
        arguments = ("map.npz", f"{name}.csv", "--picture", f"{name}.png", "--topography", name)
        done = run("taskset", "-c", cores, "ezdl", "gabor", *arguments)
        assert done.returncode == 0, done.stderr
    for kind in (".csv", ".png", ""):
        first, second = (setting / f"{name}{kind}" for name in ("one", "two"))
        assert first.read_bytes() == second.read_bytes()


@pytest.mark.slow
def test_compiled_and_cached_kernels_give_the_same_table(run, setting):
    environment = {"EZDL_CACHE_DIR": str(setting / "cache")}
    for name in ("fresh.csv", "kept.csv"):
        done = run("ezdl", "gabor", "d.npz", name, env=environment)
        assert done.returncode == 0, done.stderr
    assert (setting / "fresh.csv").read_bytes() == (setting / "kept.csv").read_bytes()


def test_image_shows_atoms_next_to_fits_and_frames_failures(run_here, setting):
    assert run_here("ezdl", "gabor", "map.npz", "t.csv", "--picture", "p.png").returncode == 0
    with Image.open(setting / "p.png") as file:
        picture = np.array(file)
    height, width = SIDE + 3, 2 * SIDE + 4
    scale = picture.shape[0] // (3 * height + 3)
    small = picture[::scale, ::scale].astype(int)
    assert small.shape == (3 * height + 3, 4 * width + 3, 3)
    assert 1000 <= max(picture.shape) <= 2400
    for i, atom in enumerate(atoms()):
        top, left = 3 + i // 4 * height, 3 + i % 4 * width
        drawn = small[top : top + SIDE, left : left + SIDE, 0] / 127.5 - 1
        scaled = atom.reshape(SIDE, SIDE) / np.abs(atom).max()
        np.testing.assert_allclose(drawn, scaled, atol=0.01)
        fitted = small[top : top + SIDE, left + SIDE + 1 : left + 2 * SIDE + 1, 0] / 127.5 - 1
        if i < 10:
            np.testing.assert_allclose(fitted, scaled, atol=0.02)
        corner = small[top - 1, left - 1].tolist()
        assert corner == ([255] * 3 if i < 10 else [0xD5, 0x5E, 0x00])


def test_topography_is_measured(run_here, setting):
    command = ("ezdl", "gabor", "map.npz", "t.csv", "--topography", "l.csv")
    done = run_here(*command, "--permutations", "50", "--seed", "3")
    assert done.returncode == 0, done.stderr
    table = io.load_table(setting / "l.csv", ("similarity", "permuted_mean"), ("pairs",))
    kinds = ["neighbours", "rows and columns", "all pairs", "checkerboards"]
    assert table["pairs"].tolist() == kinds
    assert set(table["permutations"]) == {50} and set(table["rows"]) == {3}
    assert table["n_pairs"][2] == 66
    assert np.isfinite(table["score"][:2]).all() and np.isnan(table["score"][2])


def test_whitened_atoms_are_fitted_as_pixels(run_here, setting):
    back = np.linalg.qr(np.random.default_rng(0).standard_normal((100, 100)))[0]
    save(setting / "w.npz", (atoms() @ back).astype(np.float32), {"dewhitening": back})
    assert run_here("ezdl", "gabor", "w.npz", "w.csv").returncode == 0
    table = io.load_table(setting / "w.csv", ("r2", "f"), ("reason",))
    assert (table["r2"][:10] > 0.999).all() and set(table["whitened"]) == {1}
    np.testing.assert_allclose(table["f"][:10], 0.2, rtol=0.01)


def test_atoms_of_one_pixel_are_constant(run_here, setting):
    save(setting / "one.npz", np.ones((3, 1), np.float32))
    done = run_here("ezdl", "gabor", "one.npz", "t.csv", "--picture", "p.png")
    assert done.returncode == 0, done.stderr
    assert io.load_table(setting / "t.csv")["reason"].tolist() == ["constant"] * 3


def test_unsuitable_dictionaries_and_outputs_are_rejected(refused, setting):
    save(setting / "odd.npz", atoms()[:, :99])
    (setting / "bad.npz").write_text("nonsense")
    before = sorted(os.listdir(setting))
    assert "square" in refused("ezdl", "gabor", "odd.npz", "t.csv")
    assert "bad.npz" in refused("ezdl", "gabor", "bad.npz", "t.csv")
    assert "nothing.npz" in refused("ezdl", "gabor", "nothing.npz", "t.csv")
    assert "grid" in refused("ezdl", "gabor", "d.npz", "t.csv", "--topography", "l.csv")
    assert ".png" in refused("ezdl", "gabor", "d.npz", "t.csv", "--picture", "p.jpg")
    assert "p.png" in refused("ezdl", "gabor", "d.npz", "t.csv", "--picture", "no/p.png")
    assert "two" in refused("ezdl", "gabor", "d.npz", "t.png", "--picture", "t.png")
    assert "over" in refused("ezdl", "gabor", "d.npz", "d.npz")
    assert "folder" in refused("ezdl", "gabor", "d.npz", "no/t.csv")
    assert "1" in refused("ezdl", "gabor", "d.npz", "t.csv", "--permutations", "1")
    assert sorted(os.listdir(setting)) == before


def test_atoms_as_pixels_must_be_finite(refused, setting):
    back = np.full((100, 100), 1e38)
    W = np.full((3, 100), 1e30, np.float32)
    save(setting / "huge.npz", W, {"dewhitening": back})
    assert "finite" in refused("ezdl", "gabor", "huge.npz", "t.csv")
