"""Benchmarks of whole commands on tiny files: start with compiled kernels, and compilation."""

import os
import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image

from ... import io
from ..benchmark_group import BenchmarkGroup
from ..clock import Clock
from ..interleaved_timing import LIMIT, Candidate

MAIN = "import sys; sys.argv[0] = 'ezdl'; from ezdl_cli.cli import main; main()"
TRAINING = ("--atoms", "16", "--epochs", "1", "--samples-per-epoch", "64")
COMMANDS = {
    "project": ("project", "vectors.npy", "out.npy", "--sparseness", "0.9"),
    **{
        f"train {name}": ("train", name, "vectors.npy", "out.npz", *TRAINING)
        for name in ("ezdl", "odl", "rls-dla")
    },
    "evaluate": ("evaluate", "atoms.npz", "images", "out.csv", "--iterations", "2"),
    "denoise-image": ("denoise-image", "images/a.png", "out.png", "--sigma", "25"),
    "gabor": ("gabor", "atoms.npz", "out.csv"),
}
"""Commands with kernels, by name."""
DRAWING = {"figure": ("figure", "flowchart", "out.pdf")}
# CPU times of processes vary little. A round takes 10 s, and a minute without compiled kernels.
WARM_ROUNDS, COLD_ROUNDS = 3, 1


def warm_start():
    """Return the CPU time of each command with compiled kernels."""
    about = "CPU time of each command on tiny files, with kernels that were compiled before."
    return _commands(COMMANDS | DRAWING, WARM_ROUNDS, about)


def compilation():
    """Return the CPU time of each command without compiled kernels."""
    about = "CPU time of each command on tiny files, with the compilation of its kernels."
    return _commands(COMMANDS, COLD_ROUNDS, about, _forget_kernels)


def _commands(commands, n_rounds, about, prepare=lambda folder: None):
    """Return a group that runs commands in a temporary folder, and Python as a limit."""
    folder = tempfile.TemporaryDirectory(prefix="ezdl-bench-")
    _write_inputs(Path(folder.name))
    clock = Clock()

    def candidate(name, words, **options):
        command = [sys.executable, "-P", *words]
        run = partial(clock.run, command, folder=folder.name)
        return Candidate(name, run, prepare=lambda: prepare(folder.name), **options)

    ours = [candidate(name, ("-c", MAIN, *words)) for name, words in commands.items()]
    limits = [
        candidate("python", ("-c", "pass"), kind=LIMIT),
        candidate("import numba", ("-c", "import numba"), kind=LIMIT),
    ]
    candidates = [*ours, *limits]
    return BenchmarkGroup(candidates, "run", clock=clock, n_rounds=n_rounds, about=about)


def _forget_kernels(folder):
    """Let the next process start with an empty folder of compiled kernels."""
    os.environ["EZDL_CACHE_DIR"] = tempfile.mkdtemp(dir=folder)


def _write_inputs(folder):
    """Write the files that the commands read."""
    random = np.random.default_rng(0)
    np.save(folder / "vectors.npy", random.standard_normal((64, 64)).astype(np.float32))
    atoms = random.standard_normal((16, 64)).astype(np.float32)
    atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
    io.save_dictionary(folder / "atoms.npz", io.Dictionary(atoms))
    (folder / "images").mkdir()
    pixels = random.integers(0, 256, (32, 32), dtype=np.uint8)
    Image.fromarray(pixels).save(folder / "images" / "a.png")
