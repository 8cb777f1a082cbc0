"""A small folder of results with everything that the report shows, and its report."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers.synthetic_results import Results
from PIL import Image

from ezdl_cli import io
from ezdl_cli.figures import FIGURES, stem

EZDL = Path(sys.executable).parent / "ezdl"
CONFIGURATION = {"profile": "tiny", "training": {"epochs": 7, "note": "<b> & ümlaut"}}
DICTIONARIES = ("ezdl-0.99", "whitened-topographic")
LONG = "a word and, " * 20


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    """Synthetic tables, tiny images, and two dictionaries with two seeds and a snapshot."""
    folder = Results().write(tmp_path_factory.mktemp("report") / "tiny")
    rng = np.random.default_rng(0)
    (folder / "figures").mkdir()
    for name in FIGURES:
        pixels = rng.integers(0, 256, (30, 700), dtype=np.uint8)
        Image.fromarray(pixels).save(folder / "figures" / f"{stem(name)}.png")
        table = folder / "figures" / f"{stem(name)}.csv"
        table.write_text(f'x,text\n1,"{LONG}<i>"\n0.123456789,b\n')
    many = "".join(f"{i},{i / 7}\n" for i in range(9000))
    (folder / "figures" / "fig01_sparseness.csv").write_text(f"x,y\n{many}")
    for kind in ("dictionaries", "pictures/denoising", "benchmarks/tables/gabor"):
        (folder / kind).mkdir(parents=True)
    for name in DICTIONARIES:
        W = rng.standard_normal((9, 16)).astype(np.float32)
        for ending in ("_0", "_1", "_0.epoch-0001"):
            made = io.Dictionary(W)
            io.save_dictionary(folder / "dictionaries" / f"{name}{ending}.npz", made)
    crop = Image.fromarray(rng.integers(0, 256, (40, 900), dtype=np.uint8))
    crop.save(folder / "pictures" / "denoising" / "odl-2_0.png")
    for name, seconds in (("images", 1), ("tables/gabor/a_0", 20), ("tables/gabor/b_0", 22.5)):
        row = f"s\tmax_rss\tcpu_time\n{seconds}\t100\t3\n"
        (folder / "benchmarks" / f"{name}.tsv").write_text(row)
    return folder


@pytest.fixture(scope="session")
def page(results):
    """The report, written by the real command."""
    target = results / "report.html"
    command = [EZDL, "report", results, target, "--configuration", json.dumps(CONFIGURATION)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return target
