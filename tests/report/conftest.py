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
STORED = {"cores": 3, "profile": "stored", "images": "builtin"}
DICTIONARIES = ("ezdl-0.99", "whitened-topographic")
LONG = "a word and, " * 20
SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 300" width="700" height="300">'
    b'<rect width="700" height="300" fill="green"/></svg>'
)
NOISE_LEVELS = (10.0, 50.0)


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    """Synthetic tables, tiny images, and two dictionaries with two seeds and a snapshot."""
    measured = Results()
    measured.curves["restoration"].pop(("inpainting", "odl"))  # X3 is not measured
    folder = measured.write(tmp_path_factory.mktemp("report") / "tiny")
    rng = np.random.default_rng(0)
    (folder / "figures").mkdir()
    for name in FIGURES:
        pixels = rng.integers(0, 256, (30, 700), dtype=np.uint8)
        Image.fromarray(pixels).save(folder / "figures" / f"{stem(name)}.png")
        svg = SVG if name != "history" else None  # as in results of earlier versions
        for kind, content in (("svg", svg), ("pdf", b"%PDF-1.4 " + name.encode())):
            if content:
                (folder / "figures" / f"{stem(name)}.{kind}").write_bytes(content)
        table = folder / "figures" / f"{stem(name)}.csv"
        table.write_text(f'x,text\n1,"{LONG}<i>"\n0.123456789,b\n')
    many = "".join(f"{i},{i / 7}\n" for i in range(9000))
    (folder / "figures" / "fig01_sparseness.csv").write_text(f"x,y\n{many}")
    folders = ("dictionaries", "pictures/examples", "pictures/restored", "benchmarks/tables/gabor")
    for kind in folders:
        (folder / kind).mkdir(parents=True)
    for name in DICTIONARIES:
        W = rng.standard_normal((9, 16)).astype(np.float32)
        for ending in ("_0", "_1", "_0.epoch-0001"):
            made = io.Dictionary(W, io.DictionaryMetadata(algorithm="ezdl"))
            io.save_dictionary(folder / "dictionaries" / f"{name}{ending}.npz", made)
    save_examples(folder / "pictures" / "examples", rng)
    for i, name in enumerate(("ezdl-0.99_0", "other_0")):
        crops = np.random.default_rng(1).integers(0, 256, (5, 20, 20), dtype=np.uint8)
        crops = (*crops[:3], crops[3 + i])
        one = io.RestorationExample(50.0, crops, (8.5, 25.25, 30.5 + i), "inpainting")
        io.save_restoration_examples(folder / "pictures" / "restored" / f"{name}.png", [one])
    io.save_run_configuration(folder, STORED)
    for name, seconds in (("images", 1), ("tables/gabor/a_0", 20), ("tables/gabor/b_0", 22.5)):
        row = f"s\tmax_rss\tcpu_time\n{seconds}\t100\t3\n"
        (folder / "benchmarks" / f"{name}.tsv").write_text(row)
    return folder


def save_examples(folder, rng):
    """Examples of denoising by two dictionaries, from the same noisy images."""
    crops = {level: rng.integers(0, 256, (4, 20, 20), dtype=np.uint8) for level in NOISE_LEVELS}
    for i, name in enumerate(("authors-ezdl-0.99_0", "authors-other_0")):
        examples = [
            io.RestorationExample(level, (*four[:2], four[2 + i]), (20.125, 30.5 + i))
            for level, four in crops.items()
        ]
        io.save_restoration_examples(folder / f"{name}.png", examples)


@pytest.fixture(scope="session")
def page(results):
    """The report, written by the real command."""
    target = results / "report.html"
    command = [EZDL, "report", results, target, "--configuration", json.dumps(CONFIGURATION)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return target
