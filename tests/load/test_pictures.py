"""Pictures of a hundred megapixels: tile by tile, and few bytes a pixel."""

import json

import numpy as np
import pytest
from helpers.memory import MIB, measure
from PIL import Image

from ezdl_cli.images.guards.image_size import MAX_PIXELS
from ezdl_cli.images.png16 import write_png16

# Quick, and yet all tiles go through both passes: few atoms, and groups of all near patches.
QUICK = ("--window", 8, "--spacing", 16, "--group-size", 289, "--distance", 1000)
SIGMA = 8
# Bytes a pixel of grey, 8 bits: what Pillow has decoded and our array, or our array and the result.
EACH = 2
SLACK = 0.5  # of a byte: numbers are from looks at running processes


def picture(side, channels=1, dtype=np.uint8, width=None):
    """A ramp with noise."""
    width = width or side
    stream = np.random.default_rng(0)
    unit = np.iinfo(dtype).max // 255
    image = np.empty((side, width, channels), dtype)
    ramp = np.linspace(40, 200, width, dtype=np.float32)[:, np.newaxis]
    for first in range(0, side, 256):
        rows = image[first : first + 256]
        rows[:] = unit * (ramp + 4 * stream.standard_normal(rows.shape, np.float32))
    return image[..., 0] if channels == 1 else image


def save(path, image):
    if image.dtype == np.uint16 and image.ndim == 3:
        write_png16(path, image)
    else:
        Image.fromarray(image).save(path, compress_level=1)


@pytest.fixture(scope="module")
def few_atoms(folder):
    """Sixteen waves."""
    path = folder / "waves.npz"
    waves = np.cos(np.pi * np.outer(np.arange(1, 5), np.arange(8) + 0.5) / 8)
    W = np.einsum("ay,bx->abyx", waves, waves).reshape(16, 64).astype(np.float32)
    meta = {"kind": "ezdl dictionary", "algorithm": "made up", "history": []}
    np.savez(path, W=W, meta=np.array(json.dumps(meta)))
    return path


def slope(stands, folder, atoms, title, sides, **kind):
    """Bytes of memory for each pixel more, of pictures with such sides."""
    taken = []
    for side in sides:
        source, target = folder / "noisy.png", folder / "clean.png"
        noisy = picture(side, **kind)
        save(source, noisy)
        unit = np.iinfo(noisy.dtype).max // 255
        words = ("denoise-image", source, target, "--dictionary", atoms, "--sigma", SIGMA * unit)
        what = f"denoise-image, {side**2 / 1e6:.0f} megapixels, {title}"
        taken.append(stands(what, "ezdl", *words, *QUICK))
        check_calmer(noisy, target)
    grown = taken[-1].memory - taken[0].memory
    return grown / (sides[-1] ** 2 - sides[0] ** 2)


def check_calmer(noisy, target):
    """Everywhere the noise has become less: each tile was worked on."""
    if noisy.ndim == 3 and noisy.dtype == np.uint16:
        return  # Pillow would read 8 bits
    with Image.open(target) as image:
        clean = np.asarray(image)
    assert clean.shape == noisy.shape and clean.dtype == noisy.dtype
    for top in range(0, len(noisy) - 64, 512):
        for left in range(0, noisy.shape[1] - 64, 512):
            part = slice(top, top + 64), slice(left, left + 64)
            before, after = (np.diff(one[part].astype(float), axis=0) for one in (noisy, clean))
            assert after.std() < 0.7 * before.std()


@pytest.fixture(autouse=True)
def many_pixels(monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", None)


def test_memory_of_a_hundred_megapixels_is_two_bytes_a_pixel(stands, folder, few_atoms):
    assert slope(stands, folder, few_atoms, "grey", (2000, 5000, 10_000)) < EACH + SLACK


@pytest.mark.parametrize(
    "title, kind, each",
    [
        # Two bytes a pixel in Pillow, in our array and in the result, two of them at a time.
        ("16 bits", {"dtype": np.uint16}, 4),
        # Pillow has four bytes for three; it is there with our array, then with the result as well.
        ("colours", {"channels": 3}, 10),
        # Unpacked and unfiltered rows beside the pixels, or these and the result.
        ("16-bit colours", {"channels": 3, "dtype": np.uint16}, 18),
    ],
)
def test_other_kinds_take_few_bytes_a_pixel(stands, folder, few_atoms, title, kind, each):
    assert slope(stands, folder, few_atoms, title, (3464, 5000), **kind) < each + SLACK


def test_picture_just_below_the_limit_is_denoised(stands, folder):
    source = folder / "largest.png"
    save(source, picture(MAX_PIXELS // 16384, width=16384))
    words = ("denoise-image", source, folder / "clean.png", "--sigma", 0)
    stands("denoise-image, 134 megapixels, no noise", "ezdl", *words)
    with Image.open(folder / "clean.png") as clean, Image.open(source) as noisy:
        assert np.array_equal(np.asarray(clean), np.asarray(noisy))


def test_picture_above_the_limit_is_refused_at_once(folder):
    source = folder / "larger.png"
    save(source, picture(MAX_PIXELS // 16384 + 1, width=16384))
    target = folder / "none.png"
    taken = measure("ezdl", "denoise-image", source, target)
    assert taken.code == 2 and taken.stderr.count("\n") == 1 and "limit" in taken.stderr
    assert taken.memory < 150 * MIB  # that of an interpreter with numpy and numba
    assert not target.exists()


def test_evaluation_takes_few_bytes_a_pixel(stands, folder, dictionary):
    """8 for the quality of each pixel, 4 for pictures; two threads, which may decode as well."""
    taken = []
    sides = (2000, 5000)
    for side in sides:
        photos = folder / f"photos-{side}"
        photos.mkdir()
        save(photos / "large.png", picture(side))
        words = ("evaluate", dictionary, photos, folder / "table.csv")
        options = ("--sparseness", "0.8,0.9", "--iterations", "1,2,5")
        what = f"evaluate, {side**2 / 1e6:.0f} megapixels"
        taken.append(stands(what, "ezdl", *words, *options))
    grown = taken[1].memory - taken[0].memory
    assert grown < 2 * 14 * (sides[1] ** 2 - sides[0] ** 2)
