"""What lies in the current folder, be it a stranger's, is data: nothing of it is run."""

import numpy as np
import pytest
from PIL import Image

CODE = "open('ran', 'a').write(__name__)\n"
# What the packages import, and what Python does when it starts.
MODULES = (
    "numpy",
    "numba",
    "yaml",
    "click",
    "snakemake",
    "matplotlib",
    "ezdl_cli",
    "sitecustomize",
)
SETTINGS = {
    "matplotlibrc": "text.usetex: True\nlines.linewidth: 9\nsavefig.facecolor: red\n",
    ".numba_config.yaml": "cache_dir: here\n",
}


@pytest.fixture
def strange(tmp_path):
    """A folder with a picture, vectors and traps."""
    folder = tmp_path / "strange"
    folder.mkdir()
    for name in MODULES:
        (folder / f"{name}.py").write_text(CODE)
    for name, text in SETTINGS.items():
        (folder / name).write_text(text)
    pixels = np.random.default_rng(0).integers(0, 256, (20, 20), dtype=np.uint8)
    Image.fromarray(pixels).save(folder / "a.png")
    np.save(folder / "vectors.npy", np.random.default_rng(0).random((5, 10)))
    return folder


def test_traps_are_traps(run, strange):
    assert run("python", "-c", "import numpy", cwd=strange).returncode == 0
    assert (strange / "ran").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("images", "import", ".", "../out"),
        ("extract", ".", "../patches.npy", "--patch-size", "4", "--per-image", "10"),
        ("project", "vectors.npy", "../projected.npy", "--sparseness", "0.8"),
        ("info", "vectors.npy"),
        ("bench", "run", "--help"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_no_code_of_the_current_folder_is_run(run, strange, arguments):
    before = sorted(strange.iterdir())
    done = run("ezdl", *arguments, cwd=strange)
    assert done.returncode == 0, done.stderr
    assert sorted(strange.iterdir()) == before


def test_figures_do_not_look_as_the_current_folder_says(run, strange, tmp_path):
    for folder in (tmp_path, strange):
        done = run("ezdl", "figure", "flowchart", "figure.pdf", cwd=folder)
        assert done.returncode == 0, done.stderr
    assert not (strange / "ran").exists()
    for name in ("figure.pdf", "figure.png"):
        assert (strange / name).read_bytes() == (tmp_path / name).read_bytes()
