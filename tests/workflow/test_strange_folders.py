"""Files in the working directory are data: none of them is executed."""

import numpy as np
import pytest
from PIL import Image

CODE = "open('ran', 'a').write(__name__)\n"
# Modules that the packages import, or Python itself at startup.
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
    """Create a folder with an image, vectors, and modules that would be imported by mistake."""
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


def test_python_itself_imports_from_the_working_directory(run, strange):
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
def test_no_code_in_the_working_directory_is_executed(run, strange, arguments):
    before = sorted(strange.iterdir())
    done = run("ezdl", *arguments, cwd=strange)
    assert done.returncode == 0, done.stderr
    assert sorted(strange.iterdir()) == before


def test_figures_ignore_settings_in_the_working_directory(run, strange, tmp_path):
    for folder in (tmp_path, strange):
        done = run("ezdl", "figure", "flowchart", "figure.pdf", cwd=folder)
        assert done.returncode == 0, done.stderr
    assert not (strange / "ran").exists()
    for name in ("figure.pdf", "figure.png"):
        assert (strange / name).read_bytes() == (tmp_path / name).read_bytes()
