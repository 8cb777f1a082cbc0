"""Results do not depend on the order in which files are created or folders are listed."""

import os
import random
import zipfile
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from helpers.hard_numbers import SEEDS, share
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from ezdl_cli import io
from ezdl_cli.commands import evaluate, extract, images

NAMES = ["a.png", "b.png", "C.tif", "sub/a.png", "sub/deep/z.bmp", "sub.png", "ä.png"]
ORDERS = st.permutations(NAMES)


def write(folder, names):
    """Create images, whose contents depend on their names, in the given order."""
    for name in names:
        pixels = np.random.default_rng(list(name.encode())).integers(0, 256, (16, 24), np.uint8)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels).save(folder / name)


class Shuffled:
    """Iterator over entries of a folder, with the interface of `os.scandir`."""

    def __init__(self, entries):
        self.entries = entries

    def __iter__(self):
        return self

    def __next__(self):
        if not self.entries:
            raise StopIteration
        return self.entries.pop()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


@contextmanager
def new_folder(seed, threads=3):
    """Create an empty working directory, in which folders are listed in a random order."""
    scandir, listdir, state = os.scandir, os.listdir, random.Random(seed)

    def shuffled(entries):
        state.shuffle(entries)
        return entries

    with (
        TemporaryDirectory() as folder,
        chdir(folder),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(os, "scandir", lambda path=".": Shuffled(shuffled([*scandir(path)])))
        patch.setattr(os, "listdir", lambda path=".": shuffled(listdir(path)))
        patch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
        patch.setenv("EZDL_THREADS", str(threads))
        yield Path()


def run(command, *arguments):
    command.main([str(argument) for argument in arguments], standalone_mode=False)


def extracted(folder):
    run(extract.command, "photos", "p.npy", "--per-image", 5, "--patch-size", 4)
    return [(folder / name).read_bytes() for name in ("p.npy", "p.json")]


def evaluated(folder):
    atoms = np.random.default_rng(0).standard_normal((12, 16))
    io.save_dictionary(folder / "d.npz", io.Dictionary(atoms))
    run(evaluate.command, "d.npz", "photos", "t.csv", "--iterations", 2, "--sparseness", "0.7,0.9")
    return [(folder / "t.csv").read_bytes()]


def imported(folder):
    run(images.command, "import", "photos", "collection")
    return written(folder / "collection")


def written(folder):
    """Return the names and contents of all files of a collection."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in files]


@pytest.mark.parametrize("compute", [extracted, evaluated, imported])
@share(0.1)
@given(ORDERS, SEEDS, st.integers(1, 3))
def test_results_do_not_depend_on_the_order_of_files_or_on_threads(compute, order, seed, threads):
    results = []
    for arguments, names in (((0, 1), NAMES), ((seed, threads), order)):
        with new_folder(*arguments) as folder:
            write(folder / "photos", names)
            results.append(compute(folder))
    assert results[0] == results[1]


@share(0.1)
@given(ORDERS, SEEDS)
def test_import_does_not_depend_on_the_order_of_sources_or_members(order, seed):
    results = []
    for names, sources in ((NAMES, ["photos", "more.zip"]), (order, ["more.zip", "photos"])):
        with new_folder(seed) as folder:
            write(folder / "photos", names)
            with zipfile.ZipFile("more.zip", "w") as archive:
                for name in names:
                    archive.write(folder / "photos" / name, f"more/{name}")
            run(images.command, "import", *sources, "collection")
            results.append(written(folder / "collection"))
    assert results[0] == results[1]
    assert len(results[0]) == 2 * len(NAMES) + 1  # and the manifest
