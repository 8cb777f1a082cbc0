"""Masks and blur kernels from images and .npy files."""

import numpy as np
import pytest
from PIL import Image

from ezdl_cli.errors import InputError
from ezdl_cli.images.guards.image_size import MAX_SIDE
from ezdl_cli.images.kernel_files import read_kernel
from ezdl_cli.images.masks import read_mask

MISSING = np.zeros((6, 9), bool)
MISSING[1:3, 2:7] = True


def layers(colour, alpha):
    """Return an RGBA image of one colour, with the opacity of each pixel."""
    return np.dstack([np.full((6, 9, 3), colour), alpha]).astype(np.uint8)


@pytest.mark.parametrize(
    ("name", "pixels"),
    [
        ("grey.png", np.uint8(255) * MISSING),
        ("ones.png", MISSING.astype(np.uint8)),
        ("dark.tif", np.uint8(3) * MISSING),
        ("deep.png", np.uint16(1) * MISSING),
        ("colour.png", MISSING[..., np.newaxis] * np.uint8([0, 0, 200])),
        ("bits.png", MISSING),
        ("bits.pbm", MISSING),
        ("strokes.png", layers((255, 0, 0), 255 * MISSING)),
        ("black-strokes.png", layers(255 * MISSING[..., np.newaxis], np.full((6, 9), 255))),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_pixels_that_are_not_black_are_missing(tmp_path, name, pixels):
    Image.fromarray(pixels).save(tmp_path / name)
    mask = read_mask(tmp_path / name, (6, 9))
    np.testing.assert_array_equal(mask.missing, MISSING, strict=True)
    assert mask.n_grey == 0


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64, np.int8])
def test_nonzero_entries_of_arrays_are_missing(tmp_path, dtype):
    np.save(tmp_path / "m.NPY", MISSING.astype(dtype) * np.array(-1).astype(dtype))
    (tmp_path / "m.NPY.npy").rename(tmp_path / "m.NPY")
    mask = read_mask(tmp_path / "m.NPY", (6, 9), threshold=0.9)
    np.testing.assert_array_equal(mask.missing, MISSING, strict=True)


def test_grey_pixels_are_counted_and_compared_with_the_threshold(tmp_path):
    pixels = np.uint8(200) * MISSING
    pixels[0, :3] = (1, 100, 101)
    Image.fromarray(pixels).save(tmp_path / "m.png")
    for threshold, n_missing in ((0.0, 13), (0.1, 12), (0.5, 11), (0.9, 10)):
        mask = read_mask(tmp_path / "m.png", (6, 9), threshold)
        assert (mask.missing.sum(), mask.n_grey) == (n_missing, 3)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("m.png", np.zeros((9, 6), np.uint8), "6 × 9 pixels; it must have the size of the image"),
        ("m.png", np.full((6, 9), 7, np.uint8), "marks all pixels as missing"),
        ("m.npy", np.ones((6, 9), bool), "marks all pixels as missing"),
        ("m.npy", np.zeros((6, 8), bool), "the mask has 8 × 6 pixels"),
        (
            "m.npy",
            np.zeros((6, 9)),
            "booleans or integers, not an array of shape .6, 9. and type float64",
        ),
        ("m.npy", np.zeros((6, 9, 1), bool), "shape .6, 9, 1. and type bool"),
        ("m.npy", np.zeros((1, MAX_SIDE + 1), bool), "above the limit"),
        ("m.npy", np.zeros((0, 5), bool), "without pixels"),
        ("m.npy", b"damaged", "cannot be read as a .npy file"),
        ("m.png", b"damaged", "not an image"),
        ("m.png", None, "cannot be read"),
        ("m.npy", None, "no such file"),
    ],
)
def test_unusable_masks_are_refused(tmp_path, name, content, words):
    write(tmp_path / name, content)
    with pytest.raises(InputError, match=words) as refused:
        read_mask(tmp_path / name, (6, 9))
    assert str(refused.value).startswith(f"{tmp_path / name}: ")


def write(path, content):
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None and path.suffix == ".npy":
        np.save(path, content)
    elif content is not None:
        Image.fromarray(content).save(path)


WEIGHTS = np.random.default_rng(0).integers(0, 256, (5, 4), dtype=np.uint8)


@pytest.mark.parametrize("suffix", [".png", ".tif", ".npy"])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_kernels_have_the_values_of_their_file(tmp_path, suffix, dtype):
    write(tmp_path / f"k{suffix}", WEIGHTS.astype(dtype))
    kernel = read_kernel(tmp_path / f"k{suffix}", (9, 9))
    np.testing.assert_array_equal(kernel, WEIGHTS.astype(np.float64), strict=True)


def test_kernels_may_be_grey_values_in_colours_and_on_a_transparent_layer(tmp_path):
    grey = np.repeat(WEIGHTS[..., np.newaxis], 3, axis=2)
    write(tmp_path / "rgb.png", grey)
    np.testing.assert_array_equal(read_kernel(tmp_path / "rgb.png", (9, 9)), WEIGHTS)
    opacity = np.uint8([[255, 0, 255, 51]]) * np.ones((5, 1), np.uint8)
    write(tmp_path / "rgba.png", np.dstack([grey, opacity]))
    np.testing.assert_allclose(read_kernel(tmp_path / "rgba.png", (9, 9)), WEIGHTS * [1, 0, 1, 0.2])


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("k.png", np.zeros((3, 3, 3), np.uint8) + np.uint8([1, 2, 3]), "grey, not in colour"),
        (
            "k.npy",
            np.zeros(3),
            "a matrix of real numbers, not an array of shape .3,. and type float64",
        ),
        ("k.npy", np.zeros((3, 3), complex), "shape .3, 3. and type complex128"),
        ("k.npy", np.array([[None]]), "holds objects"),
        ("k.npy", np.array([["a"]]), "type <U1"),
    ],
)
def test_unusable_kernels_are_refused(tmp_path, name, content, words):
    write(tmp_path / name, content)
    with pytest.raises(InputError, match=words) as refused:
        read_kernel(tmp_path / name, (9, 9))
    assert str(refused.value).startswith(f"{tmp_path / name}: ")
