"""Commands that are disturbed, with their inputs and outputs."""

import os
import resource
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from skimage import data

EZDL = str(Path(sys.executable).with_name("ezdl"))
RESTORE = ("restore", "ready.npz", "photos", "table.csv", "--examples", "examples.png")
DENOISE = ("denoise", "ready.npz", "photos", "table.csv", "--examples", "examples.png")


@dataclass(frozen=True)
class Scenario:
    """A command, and another that has written older results under the same names."""

    name: str
    command: tuple
    older: tuple
    inputs: tuple
    results: tuple
    """Names of the files and folders that it writes."""


TRAINING = ("--atoms", "32", "--samples-per-epoch", "3000", "--checkpoint-every", "2", "--quiet")
DRAWN = "results/figures/fig08a_whitened-topographic.pdf"
SNAPSHOTS = ("dictionary.epoch-0001.npz", "dictionary.epoch-0020.npz")


def _training(learner, epochs):
    command = ("train", learner, "patches.npy", "dictionary.npz", *TRAINING)
    return Scenario(
        f"train {learner}",
        (*command, "--epochs", epochs, "--snapshot-epochs", "1,20", "--resume", "--discard-other"),
        (*command, "--epochs", "20", "--seed", "1", "--snapshot-epochs", "1,20"),
        ("patches.npy", "patches.json"),
        ("dictionary.npz", *SNAPSHOTS),
    )


SCENARIOS = (
    Scenario(
        "extract",
        ("extract", "photos", "new.npy", "--per-image", "60000"),
        ("extract", "photos", "new.npy", "--per-image", "100", "--seed", "1"),
        ("photos",),
        ("new.npy", "new.json"),
    ),
    Scenario(
        "whiten",
        ("whiten", "patches.npy", "whitened.npz", "--components", "40"),
        ("whiten", "patches.npy", "whitened.npz", "--components", "3"),
        ("patches.npy", "patches.json"),
        ("whitened.npz",),
    ),
    _training("ezdl", "300"),
    _training("odl", "100"),
    _training("rls-dla", "60"),
    Scenario(
        "evaluate",
        ("evaluate", "ready.npz", "photos", "table.csv", "--save-images", "made"),
        ("evaluate", "ready.npz", "photos", "table.csv", "--iterations", "1"),
        ("photos", "ready.npz"),
        ("table.csv", "made"),
    ),
    Scenario(
        "denoise",
        (*DENOISE, "--sigma", "20", "--save-images", "made"),
        (*DENOISE, "--sigma", "0", "--repeats", "1"),
        ("photos", "ready.npz"),
        ("table.csv", "made", "examples.png"),
    ),
    Scenario(
        "restore",
        (*RESTORE, "--task", "super-resolution", "--save-images", "made"),
        (*RESTORE, "--task", "inpainting", "--missing", "20"),
        ("photos", "ready.npz"),
        ("table.csv", "made", "examples.png"),
    ),
    Scenario(
        "denoise-image",
        ("denoise-image", "photos/b.png", "clean.png", "--sigma", "25"),
        ("denoise-image", "photos/a.png", "clean.png", "--sigma", "0"),
        ("photos",),
        ("clean.png",),
    ),
    Scenario(
        "inpaint",
        ("inpaint", "photos/b.png", "mask.png", "filled.png"),
        ("inpaint", "photos/b.png", "mask.png", "filled.png", "--rounds", "1"),
        ("photos", "mask.png"),
        ("filled.png",),
    ),
    Scenario(
        "upscale",
        ("upscale", "photos/a.png", "large.png", "--rounds", "5"),
        ("upscale", "photos/a.png", "large.png", "--rounds", "1"),
        ("photos",),
        ("large.png",),
    ),
    Scenario(
        "deblur",
        ("deblur", "photos/b.png", "gaussian:1.6", "sharp.png", "--rounds", "5"),
        ("deblur", "photos/b.png", "gaussian:1.6", "sharp.png", "--rounds", "1"),
        ("photos",),
        ("sharp.png",),
    ),
    Scenario(
        "gabor",
        ("gabor", "ready.npz", "fits.csv", "--picture", "fits.png"),
        ("gabor", "few.npz", "fits.csv", "--picture", "fits.png"),
        ("ready.npz", "few.npz"),
        ("fits.csv", "fits.png"),
    ),
    Scenario(
        "project",
        ("project", "patches.npy", "sparse.npy", "--sparseness", "0.9"),
        ("project", "patches.npy", "sparse.npy", "--sparseness", "0.5"),
        ("patches.npy",),
        ("sparse.npy",),
    ),
    Scenario(
        "images import",
        ("images", "import", "photos", "collection"),
        ("images", "import", "photos/a.png", "collection"),
        ("photos",),
        ("collection",),
    ),
    Scenario(
        "figure",
        ("figure", "whitened-topographic", "ready.npz", "drawn.pdf"),
        ("figure", "whitened-topographic", "few.npz", "drawn.pdf"),
        ("ready.npz", "few.npz"),
        ("drawn.pdf", "drawn.png", "drawn.svg", "drawn.csv"),
    ),
    Scenario(
        "report",
        ("report", "results", "article.pdf"),
        ("report", "results", "article.pdf", "--configuration", '{"profile": "older"}'),
        ("results",),
        ("article.pdf",),
    ),
    # It never replaces a file, so there are no older results.
    Scenario("init", ("init", "project"), ("init", "project"), (), ()),
)


def ezdl(folder, *arguments, **options):
    """Run a command and wait for it."""
    return subprocess.run(
        [EZDL, *arguments], cwd=folder, capture_output=True, text=True, check=False, **options
    )


def start(folder, *arguments, **options):
    """Start a command in a new session, so that it can be killed with all of its children."""
    return subprocess.Popen(
        [EZDL, *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env=os.environ | options.pop("env", {}),
        **options,
    )


def kill(process):
    """Kill a command and its children, and return whether it was still running."""
    running = process.poll() is None
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    return running


def make_inputs(folder):
    """Create photographs, patches and dictionaries."""
    for name in ("photos", Path(DRAWN).parent):
        (folder / name).mkdir(parents=True)
    camera, moon = data.camera(), data.moon()
    for name, pixels in {"a": camera[:96, :96], "b": camera[128:320, 128:320]}.items():
        Image.fromarray(pixels).save(folder / "photos" / f"{name}.png")
    Image.fromarray(moon[:96, :128]).save(folder / "photos" / "c.tif")
    mask = np.random.default_rng(0).random((192, 192)) < 0.3
    Image.fromarray(np.uint8(255) * mask).save(folder / "mask.png")
    few = ("--atoms", "64", "--samples-per-epoch", "2000", "--epochs", "3")
    for command in (
        ("extract", "photos", "patches.npy", "--per-image", "40000"),
        ("train", "ezdl", "patches.npy", "ready.npz", *few),
        ("train", "ezdl", "patches.npy", "few.npz", "--atoms", "4", *few[2:]),
        ("compare", "ready.npz", "ready.npz", "compared.csv"),
        ("compare", "ready.npz", "few.npz", "compared-few.csv"),
        ("figure", "whitened-topographic", "ready.npz", DRAWN),
    ):
        done = ezdl(folder, *command)
        assert done.returncode == 0, done.stderr


def lay_out(inputs, folder, *names):
    """Copy some files and folders from one folder to another."""
    folder.mkdir(exist_ok=True)
    for name in names:
        if (inputs / name).is_dir():
            shutil.copytree(inputs / name, folder / name)
        elif (inputs / name).exists():
            shutil.copy2(inputs / name, folder / name)
    return folder


def by_scenario(test):
    """Parametrize a test by scenario, with all tests of a scenario in the same process."""
    cases = [
        pytest.param(one, id=one.name, marks=pytest.mark.xdist_group(one.name)) for one in SCENARIOS
    ]
    return pytest.mark.parametrize("scenario", cases)(test)


def limited(kind, size):
    """Return a function for `preexec_fn` that limits a resource."""
    return lambda: resource.setrlimit(kind, (size, size))
