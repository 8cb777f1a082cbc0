"""No command overwrites its input, whatever path or link leads to it."""

import shutil

import numpy as np
import pytest
from PIL import Image

FEW = ("--atoms", "4", "--epochs", "1", "--samples-per-epoch", "20")


@pytest.fixture
def files(run_here, tmp_path):
    """An image, patches, whitened samples, a dictionary and a table; their contents."""
    (tmp_path / "photos").mkdir()
    pixels = np.random.default_rng(0).integers(0, 256, (24, 24), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "photos" / "a.png")
    for command in (
        ("extract", "photos", "p.npy", "--patch-size", "4", "--per-image", "50"),
        ("whiten", "p.npy", "w.npz"),
        ("train", "ezdl", "p.npy", "d.npz", *FEW),
    ):
        assert run_here("ezdl", *command).returncode == 0
    (tmp_path / "results" / "tables").mkdir(parents=True)
    (tmp_path / "results" / "tables" / "a.csv").write_text("a,b\n1,2\n")
    Image.fromarray(np.uint8(255) * (pixels < 50)).save(tmp_path / "m.png")
    (tmp_path / "hard.png").hardlink_to(tmp_path / "m.png")
    (tmp_path / "linked.png").symlink_to("photos/a.png")
    (tmp_path / "q.npy").symlink_to("photos/a.png")
    (tmp_path / "q.png").symlink_to("d.npz")
    for kind in ("md", "html", "pdf"):
        (tmp_path / f"q.{kind}").symlink_to("results/tables/a.csv")
    shutil.copy(tmp_path / "w.npz", tmp_path / "z.checkpoint.npz")
    (tmp_path / "hard.npz").hardlink_to(tmp_path / "w.npz")
    return contents(tmp_path)


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "command",
    [
        ("train", "ezdl", "z.checkpoint.npz", "z.npz", *FEW, "--resume", "--discard-other"),
        ("whiten", "w.npz", "w.npz"),
        ("whiten", "w.npz", "hard.npz"),
        ("show", "d.npz", "q.png"),
        ("extract", "photos", "q.npy", "--patch-size", "4"),
        ("inpaint", "photos/a.png", "m.png", "hard.png"),
        ("inpaint", "m.png", "photos/a.png", "linked.png"),
        ("upscale", "photos/a.png", "linked.png"),
        ("deblur", "photos/a.png", "m.png", "hard.png"),
        ("deblur", "m.png", "box:3", "hard.png", "--dictionary", "d.npz"),
        ("deblur", "photos/a.png", "box:3", "q.png", "--dictionary", "d.npz"),
        ("report", "results", "q.html"),
        ("report", "results", "q.pdf"),
        ("report", "results", "results/tables/a.csv"),
        ("claims", "results", "q.md"),
    ],
    ids=" ".join,
)
def test_overwriting_an_input_is_rejected(refused, files, tmp_path, command):
    refused("ezdl", *command)
    assert contents(tmp_path) == files
