"""All code blocks of the documentation run, in the order of their page, in one folder per page.

With EZDL_UPDATE_PICTURES=1, the pictures in docs/images are replaced by those that the blocks make.
"""

import os
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
)
BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PICTURES = sorted(ROOT.glob("docs/images/*/*.png"))
PICTURE = re.compile(r"\]\(((?:\.\./)?images/[\w/.-]+)\)")
RUNNABLE = {
    "fish": ("fish", "-c"),
    "python": ("python", "-W", "error", "-c"),
    "sh": ("bash", "-ec"),
    "zsh": ("zsh", "-ec"),
}
DATA = {"csv", "json", "text", "yaml"}

# Blocks that no test runs, by page and a line of them, and why.
NOT_RUN = {
    ("README.md", "make figures "): "everything with the quick profile; test_pipeline.py runs ci",
    ("CONTRIBUTING.md", "make test "): "would call this test",
    ("docs/index.md", "pip install ."): "needs the network",
    ("docs/gallery/README.md", "ezdl run --profile docs"): "needs photographs we may not include",
    ("docs/how-to/pipeline.md", "ezdl images mcgill"): "needs photographs we may not include",
    ("docs/how-to/cluster.md", "snakemake --workflow"): "a cluster; see `make test-slurm`",
    ("docs/how-to/cluster.md", ".venv/bin/pip"): "needs a cluster; `make test-slurm` has one",
    ("docs/how-to/cluster.md", "docker build"): "needs Docker and the network",
    ("docs/how-to/cluster.md", "(cd FOLDER"): "needs Apptainer and the network",
}
# Pages that take more than a few seconds.
SLOW = {
    "docs/bench.md",
    "docs/denoising.md",
    "docs/gallery/README.md",
    "docs/how-to/deblur.md",
    "docs/how-to/denoise.md",
    "docs/how-to/dictionaries.md",
    "docs/how-to/inpaint.md",
    "docs/how-to/measure.md",
    "docs/how-to/other-data.md",
    "docs/how-to/pipeline.md",
    "docs/how-to/project.md",
    "docs/how-to/scikit-learn.md",
    "docs/how-to/topographic-maps.md",
    "docs/how-to/upscale.md",
}
# Rounding differs between processors, and learning amplifies it. With NUMBA_CPU_NAME=generic, the
# correlation with the published pictures is at least 0.73 for atoms and 0.98 for photographs, and
# the detail differs by at most 1.6 %.
MIN_CORRELATION = {"photograph": 0.96, "atoms": 0.65}
MAX_DETAIL_DIFFERENCE = 0.02
ATOMS = {"atoms.png", "map.png", "rank.png", "waves.png"}
EXIT_CODES = {"ezdl bench check --history bench.jsonl": 4}  # too few runs


def read(page):
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page):
    """Return language and content of the blocks that can be run."""
    return [block for block in BLOCK.findall(read(page)) if block[0] in RUNNABLE]


def is_skipped(page, block):
    return any(
        page == name and re.search(f"^{re.escape(line)}", block, re.M) for name, line in NOT_RUN
    )


def pages_with_blocks():
    pages = [page for page in PAGES if any(not is_skipped(page, code) for _, code in blocks(page))]
    return [pytest.param(page, marks=pytest.mark.slow if page in SLOW else ()) for page in pages]


def prepare(page, folder):
    """Make the files that a page presupposes."""
    if page in ("docs/denoising.md", "docs/gallery/README.md"):  # in the repository
        (folder / "ezdl_cli").symlink_to(ROOT / "ezdl_cli")
    if page == "docs/denoising.md":
        pixels = np.random.default_rng(0).integers(0, 256, (32, 32, 3), dtype=np.uint8)
        for name in ("Set12", "BSD68", "CBSD68", "Kodak24", "McMaster", "Urban100"):
            (folder / name).mkdir()
            Image.fromarray(pixels).save(folder / name / "image.png")


@pytest.mark.parametrize("page", pages_with_blocks())
def test_code_blocks_run(run, tmp_path, page):
    prepare(page, tmp_path)
    missing = []
    for language, code in blocks(page):
        if is_skipped(page, code):
            continue
        command = RUNNABLE[language]
        if language in ("fish", "zsh") and not shutil.which(command[0]):
            missing.append(language)
            continue
        done = run(*command, code, timeout=900, env={"MPLBACKEND": "agg"})
        expected = next((EXIT_CODES[line] for line in EXIT_CODES if code.startswith(line)), 0)
        assert done.returncode == expected, (code, done.stdout, done.stderr)
    for picture in PICTURE.findall(read(page)):
        check_picture(tmp_path, (ROOT / page).parent / picture)
    if missing:
        pytest.skip(f"all other blocks run, but {' and '.join(missing)} are not installed")


def check_picture(folder, published):
    """Check that the published picture is the one that the blocks have made."""
    # Of files with this name, the one nearest to the top.
    made = min(folder.rglob(published.name), key=lambda path: len(path.parts))
    if os.environ.get("EZDL_UPDATE_PICTURES"):
        published.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(made, published)
    assert is_similar(read_pixels(made), published), published


def read_pixels(path):
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"), dtype=float)


def is_similar(pixels, published):
    """Return whether pixels differ from a published picture by no more than rounding explains."""
    expected = read_pixels(published)
    if pixels.shape != expected.shape:
        return False
    covariance = np.mean((pixels - pixels.mean()) * (expected - expected.mean()))
    limit = MIN_CORRELATION["atoms" if published.name in ATOMS else "photograph"]
    difference = abs(detail(pixels) / detail(expected) - 1)
    return bool(
        covariance > limit * pixels.std() * expected.std() and difference < MAX_DETAIL_DIFFERENCE
    )


def detail(pixels):
    """Return the mean absolute difference of neighbouring pixels."""
    return np.abs(np.diff(pixels, axis=0)).mean() + np.abs(np.diff(pixels, axis=1)).mean()


@pytest.mark.parametrize("published", PICTURES, ids=lambda path: path.name)
def test_pictures_can_be_told_apart(published):
    assert [path for path in PICTURES if is_similar(read_pixels(path), published)] == [published]
    pixels = read_pixels(published)
    assert not is_similar(np.full_like(pixels, np.median(pixels)), published)
    assert not is_similar(pixels[::-1], published)


def test_blocks_that_are_not_run_exist():
    for page, line in NOT_RUN:
        assert any(is_skipped(page, code) and line in code for _, code in blocks(page)), line
    assert set(PAGES) >= SLOW


@pytest.mark.parametrize("page", PAGES)
def test_commands_are_in_blocks_that_are_run(page):
    text = read(page)
    for language, code in BLOCK.findall(text):
        assert language in {*RUNNABLE, *DATA}, code
        if language in DATA:
            assert not re.search(r"^(ezdl|make|pip|python|snakemake) ", code, re.MULTILINE), code
    outside = BLOCK.sub("", text)
    assert "```" not in outside, "a block that is not closed, or indented"
    assert not re.search(
        r"^( {4}|\t)\$?\s*[./\w]*(ezdl|make|pip|snakemake) ", outside, re.MULTILINE
    )
