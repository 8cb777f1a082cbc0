"""Long tables, long benchmark histories and large dictionaries."""

import json
from datetime import datetime, timedelta

import numpy as np
import pytest
from helpers.memory import MIB
from PIL import Image
from skimage import data

ROWS = 1_000_000
RUNS = 10_000
EACH_RUN = 150_000  # bytes: a line has 24 000, and Python objects take five times as much


@pytest.fixture(scope="module")
def table(folder):
    """Write a table as `ezdl evaluate` would for 20 dictionaries and thousands of images."""
    path = folder / "table.csv"
    stream = np.random.default_rng(0)
    names = "dictionary,algorithm,seed,epoch,sigma_h,image,sigma_i"
    with open(path, "w") as out:
        out.write(f"{names},iterations,ssim,psnr\n")
        for row in range(ROWS):
            number, index = row % 20, row // 20
            wanted, share = 0.7 + 0.01 * number, 0.5 + 0.05 * (index % 10)
            ssim, psnr = stream.random(2).tolist()
            out.write(
                f"ezdl-{number}.npz,ezdl,0,100,{wanted:g},image-{index // 10}.png,{share:g},100,"
                f"{ssim!r},{psnr!r}\n"
            )
    return path


def test_info_describes_a_table_of_a_million_rows(stands, table):
    taken = stands("info, table of a million rows", "ezdl", "info", table)
    assert "1 000 000 rows" in taken.stdout and "5 000 different" in taken.stdout
    # Of 10 columns, 7 are numbers of 8 bytes and 3 strings of up to 16 characters of 4 bytes; twice
    # that while the parts of a column are concatenated.
    assert taken.memory < 600 * MIB
    assert taken.processor < 120


def test_figure_draws_a_table_of_a_million_rows(stands, folder, table):
    taken = stands("figure, of a million rows", "ezdl", "figure", "ezdl", table, folder / "f.pdf")
    assert len((folder / "f.csv").read_text().splitlines()) == 1 + 20 * 10
    # The name of each row's curve as well.
    assert taken.memory < 1000 * MIB
    assert taken.processor < 240


@pytest.fixture(scope="module")
def history(folder):
    """Write 27 years of nightly runs with 24 groups of 6 candidates, as in the standard suite."""
    stream = np.random.default_rng(0)
    path = folder / "history.jsonl"
    start = datetime(2026, 1, 1)
    with open(path, "w") as out:
        for number in range(RUNS):
            groups = {f"group {i}": synthetic_group(stream) for i in range(24)}
            run = {
                "format": 1,
                "time": (start + timedelta(days=number)).isoformat() + "+00:00",
                "suite": "standard",
                "machine": {"id": "here", "processor": "synthetic", "cores": 2},
                "versions": {"ezdl": "0.1.0", "numpy": "2.0"},
                "commit": f"{number:040}",
                "seconds": 150.0,
                "load": 0.5,
                "groups": groups,
            }
            out.write(json.dumps(run) + "\n")
    return path


def synthetic_group(stream):
    medians = dict(zip("abcdef", stream.normal(1.0, 0.02, 6).tolist(), strict=True))
    times = {}
    for name, median in medians.items():
        ratios = {other: median / one for other, one in medians.items() if other != name}
        kind = "ours" if name in "ab" else "limit" if name in "cd" else "peer"
        one = {"kind": kind, "least": 0.9 * median, "median": median, "spread": 0.02, "turns": 9}
        times[name] = {**one, "ratios": ratios} if kind == "ours" else one
    return {"things": "row", "times": times, "qualities": {}}


def test_check_handles_a_history_of_ten_thousand_runs(stands, history):
    taken = stands("bench check, 10 000 runs", "ezdl", "bench", "check", "--history", history)
    assert taken.memory < RUNS * EACH_RUN
    assert taken.processor < 120


def test_report_handles_a_history_of_ten_thousand_runs(stands, folder, history):
    page = folder / "page.html"
    words = ("bench", "report", page, "--history", history)
    taken = stands("bench report, 10 000 runs", "ezdl", *words)
    assert page.stat().st_size < 2 * MIB  # the last 90 points of each trend, and no more
    assert taken.memory < RUNS * EACH_RUN
    assert taken.processor < 180


@pytest.fixture(scope="module")
def large_dictionary(folder):
    """Write a dictionary of 4096 Gabor functions of 32 x 32 pixels."""
    stream = np.random.default_rng(0)
    y, x = np.mgrid[:32, :32] / 31.0 - 0.5
    atoms = []
    for angle, shift, wave in stream.random((4096, 3)):
        u = x * np.cos(np.pi * angle) + y * np.sin(np.pi * angle) - 0.3 * (shift - 0.5)
        atoms.append(
            (np.exp(-20 * (x * x + y * y)) * np.cos(2 * np.pi * (1 + 4 * wave) * u)).ravel()
        )
    W = np.array(atoms, np.float32)
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    path = folder / "large.npz"
    meta = {"kind": "ezdl dictionary", "algorithm": "synthetic", "history": []}
    np.savez(path, W=W, meta=np.array(json.dumps(meta)))
    return path


def test_show_draws_4096_atoms(stands, folder, large_dictionary):
    taken = stands("show, 4096 atoms", "ezdl", "show", large_dictionary, folder / "atoms.png")
    assert taken.memory < 600 * MIB and taken.processor < 60


def test_gabor_fits_4096_atoms(stands, folder, large_dictionary):
    target = folder / "fits.csv"
    taken = stands("gabor, 4096 atoms of 32 x 32", "ezdl", "gabor", large_dictionary, target)
    assert len(target.read_text().splitlines()) == 1 + 4096
    assert taken.memory < 600 * MIB and taken.processor < 1200


def test_evaluate_uses_4096_atoms(stands, folder, large_dictionary):
    photos = folder / "photos"
    photos.mkdir()
    Image.fromarray(data.camera()).save(photos / "camera.png")
    words = ("evaluate", large_dictionary, photos, folder / "quality.csv")
    options = ("--sparseness", "0.9", "--iterations", "1,10")
    taken = stands("evaluate, 4096 atoms of 32 x 32", "ezdl", *words, *options)
    assert taken.memory < 600 * MIB and taken.processor < 300
