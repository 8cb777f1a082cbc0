"""Stores of ten million patches need the same memory as a part of them.

The part is large enough to fill all chunks.
"""

import numpy as np
import pytest
from helpers.memory import MIB
from skimage import data

MANY = 10_000_000
BYTES_OF_FEW = 1 << 28
PICTURES = 10
# Tolerance: samples are read from the file, so the memory should not grow with its size.
ALLOWED = 50 * MIB


@pytest.fixture(scope="module")
def photos(folder):
    from PIL import Image

    photos = folder / "photos"
    photos.mkdir()
    for number in range(PICTURES):
        Image.fromarray(np.roll(data.camera(), 31 * number, axis=1)).save(photos / f"{number}.png")
    return photos


@pytest.mark.parametrize("side", [8, 16])
def test_memory_does_not_grow_with_the_number_of_patches(stands, folder, photos, side):
    small, large = folder / f"small{side}.npy", folder / f"large{side}.npy"
    taken = {}
    few = BYTES_OF_FEW // side**2
    for path, count in ((small, few), (large, MANY)):
        for step, words in steps(photos, path, side, count).items():
            title = f"{step}, {count} patches of {side} x {side}"
            taken[step, count] = stands(title, "ezdl", *words, "--quiet")
    shape = np.load(large, mmap_mode="r").shape
    assert shape == (MANY, side * side)
    stands("info", "ezdl", "info", large)
    for step in {step for step, _ in taken}:
        more = taken[step, MANY].memory - taken[step, few].memory
        assert more < ALLOWED, (step, more / MIB)
        # Training reads the same number of samples; of whitened ones, all are checked first.
        if step in ("train ezdl", "train odl", "train rls-dla"):
            assert taken[step, MANY].processor < 2 * taken[step, few].processor, step
    for path in folder.glob("large*"):
        path.unlink()


def steps(photos, store, side, count):
    """Return commands that read a store or their own results."""
    white, learned = store.with_suffix(".white.npz"), store.with_suffix(".learned.npz")
    learning = ("--epochs", 2, "--samples-per-epoch", 10_000, "--atoms", 64)
    per_image = ("--per-image", count // PICTURES)
    return {
        "extract": ("extract", photos, store, "--patch-size", side, *per_image),
        "whiten": ("whiten", store, white),
        "train ezdl": ("train", "ezdl", store, learned, *learning),
        "train odl": ("train", "odl", store, learned, *learning),
        "train rls-dla": ("train", "rls-dla", store, learned, *learning),
        "train ezdl, whitened": ("train", "ezdl", white, learned, *learning),
        "bench epochs": (
            *("bench", "epochs", store, store.with_suffix(".csv")),
            *("--atoms", 64, "--samples-per-epoch", 10_000, "--repeats", 1),
        ),
    }
