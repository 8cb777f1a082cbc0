"""Images of 100 megapixels are processed in tiles, with a few bytes per pixel."""

import json

import numpy as np
import pytest
from helpers.memory import MIB, measure
from PIL import Image

from ezdl_cli.images.guards.image_size import MAX_PIXELS
from ezdl_cli.images.png16 import write_png16

# Fast, yet all tiles go through both passes: few atoms, and groups of all nearby patches.
QUICK = ("--window", 8, "--spacing", 16, "--group-size", 289, "--distance", 1000)
SIGMA = 8
# Bytes per pixel, 8-bit grey: Pillow's buffer and our array, or our array and the result.
EACH = 2
SLACK = 0.5  # bytes per pixel: memory is sampled


def noisy_ramp(side, channels=1, dtype=np.uint8, width=None):
    """Return a noisy ramp."""
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
    """Write a dictionary of 16 cosine waves."""
    path = folder / "waves.npz"
    waves = np.cos(np.pi * np.outer(np.arange(1, 5), np.arange(8) + 0.5) / 8)
    W = np.einsum("ay,bx->abyx", waves, waves).reshape(16, 64).astype(np.float32)
    meta = {"kind": "ezdl dictionary", "algorithm": "synthetic", "history": []}
    np.savez(path, W=W, meta=np.array(json.dumps(meta)))
    return path


def slope(stands, folder, atoms, title, sides, **kind):
    """Denoise images with these sides, and return the bytes of memory per additional pixel."""
    taken = []
    for side in sides:
        source, target = folder / "noisy.png", folder / "clean.png"
        noisy = noisy_ramp(side, **kind)
        save(source, noisy)
        unit = np.iinfo(noisy.dtype).max // 255
        words = ("denoise-image", source, target, "--dictionary", atoms, "--sigma", SIGMA * unit)
        what = f"denoise-image, {side**2 / 1e6:.0f} megapixels, {title}"
        taken.append(stands(what, "ezdl", *words, *QUICK))
        check_noise_is_reduced(noisy, target)
    grown = taken[-1].memory - taken[0].memory
    return grown / (sides[-1] ** 2 - sides[0] ** 2)


def check_noise_is_reduced(noisy, target):
    """Check that noise is reduced in every tile."""
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


def test_grey_image_needs_two_bytes_per_pixel(stands, folder, few_atoms):
    assert slope(stands, folder, few_atoms, "grey", (2000, 5000, 10_000)) < EACH + SLACK


@pytest.mark.parametrize(
    "title, kind, each",
    [
        # Two bytes per pixel in each of Pillow's buffer, our array and the result; two at a time.
        ("16 bits", {"dtype": np.uint16}, 4),
        # Pillow uses four bytes for three channels; then our array and the result.
        ("colours", {"channels": 3}, 10),
        # Decompressed and unfiltered rows and the pixels, or the pixels and the result.
        ("16-bit colours", {"channels": 3, "dtype": np.uint16}, 18),
    ],
)
def test_other_images_need_few_bytes_per_pixel(stands, folder, few_atoms, title, kind, each):
    assert slope(stands, folder, few_atoms, title, (3464, 5000), **kind) < each + SLACK


def test_image_at_the_size_limit_is_denoised(stands, folder):
    source = folder / "largest.png"
    save(source, noisy_ramp(MAX_PIXELS // 16384, width=16384))
    words = ("denoise-image", source, folder / "clean.png", "--sigma", 0)
    stands("denoise-image, 134 megapixels, no noise", "ezdl", *words)
    with Image.open(folder / "clean.png") as clean, Image.open(source) as noisy:
        assert np.array_equal(np.asarray(clean), np.asarray(noisy))


def test_image_above_the_size_limit_is_rejected_without_decoding(folder):
    source = folder / "larger.png"
    save(source, noisy_ramp(MAX_PIXELS // 16384 + 1, width=16384))
    target = folder / "none.png"
    taken = measure("ezdl", "denoise-image", source, target)
    assert taken.code == 2 and taken.stderr.count("\n") == 1 and "limit" in taken.stderr
    assert taken.memory < 150 * MIB  # the interpreter with numpy and numba
    assert not target.exists()


def test_evaluation_needs_few_bytes_per_pixel(stands, folder, dictionary):
    """8 bytes for the SSIM of each pixel, 4 for images; two threads, which may also decode."""
    taken = []
    sides = (2000, 5000)
    for side in sides:
        photos = folder / f"photos-{side}"
        photos.mkdir()
        save(photos / "large.png", noisy_ramp(side))
        words = ("evaluate", dictionary, photos, folder / "table.csv")
        options = ("--sparseness", "0.8,0.9", "--iterations", "1,2,5")
        what = f"evaluate, {side**2 / 1e6:.0f} megapixels"
        taken.append(stands(what, "ezdl", *words, *options))
    grown = taken[1].memory - taken[0].memory
    assert grown < 2 * 14 * (sides[1] ** 2 - sides[0] ** 2)
