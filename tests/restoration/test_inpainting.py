"""Inpainting: properties of the results."""

import numpy as np
import pytest
from helpers.photographs import crop, psnr
from skimage.restoration import inpaint_biharmonic

import ezdl_cli as ez

FEW_ROUNDS = (10.0, 2.0, 2)
ROUNDING = {"rtol": 1e-12, "atol": 1e-10}
ATOMS = np.random.default_rng(0).standard_normal((30, 25))
NAMES = ["camera", "astronaut", "coffee", "chelsea"]


def holes(shape, share=0.5):
    return np.random.default_rng(0).random(shape[:2]) < share


def with_holes(image, missing, value=np.nan):
    return np.where(missing if image.ndim == 2 else missing[..., None], value, image)


def biharmonic(image, missing):
    axis = None if image.ndim == 2 else -1
    known = with_holes(image / 255.0, missing, 0.0)
    return 255.0 * inpaint_biharmonic(known, missing, channel_axis=axis)


def images():
    rng = np.random.default_rng(0)
    colours = rng.integers(0, 256, (21, 30, 3), dtype=np.uint8)
    deep = rng.integers(0, 65536, (21, 30, 3), dtype=np.uint16)
    return {
        "8 bits": colours[..., 0],
        "8 bits, colour": colours,
        "16 bits": deep[..., 0],
        "16 bits, colour": deep,
        "bool": colours[..., 0] > 100,
        "int16": colours[..., 0].astype(np.int16) - 60,
        "float32": colours[..., 0].astype(np.float32) / 3,
        "float64, colour": colours / 7.0,
    }


@pytest.mark.parametrize("name", images())
@pytest.mark.parametrize("W", [None, ATOMS])
def test_known_pixels_are_kept_without_noise(name, W):
    image = images()[name]
    missing = holes(image.shape)
    found = ez.inpaint(image, missing, W, schedule=FEW_ROUNDS)
    assert found.dtype == np.float64 and found.shape == image.shape
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found[~missing], image[~missing].astype(float), **ROUNDING)


@pytest.mark.parametrize("name", images())
def test_known_pixels_have_the_same_bits_without_noise(name):
    image = images()[name]
    missing = holes(image.shape)
    found = ez.inpaint(image, missing, schedule=FEW_ROUNDS)
    np.testing.assert_array_equal(found[~missing], image[~missing])


@pytest.mark.parametrize("name", images())
def test_nothing_missing_returns_the_image(name):
    image = images()[name]
    found = ez.inpaint(image, np.zeros(image.shape[:2], bool))
    np.testing.assert_allclose(found, image.astype(float), **ROUNDING)


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float32, np.float64])
def test_types_of_the_mask_do_not_matter(dtype):
    image = images()["8 bits"]
    missing = holes(image.shape)
    expected = ez.inpaint(image, missing, schedule=FEW_ROUNDS)
    for mask in (missing.astype(dtype), (7 * missing).astype(dtype)):
        found = ez.inpaint(image, mask, schedule=FEW_ROUNDS)
        np.testing.assert_array_equal(found, expected)
    fractions = np.where(missing, -0.25, 0.0)
    found = ez.inpaint(image, fractions, schedule=FEW_ROUNDS)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("value", [np.nan, np.inf, -1e300, 255.0])
@pytest.mark.parametrize("W", [None, ATOMS])
def test_values_at_missing_pixels_do_not_matter(value, W):
    image = images()["float64, colour"]
    missing = holes(image.shape)
    expected = ez.inpaint(image, missing, W, schedule=FEW_ROUNDS)
    found = ez.inpaint(with_holes(image, missing, value), missing, W, schedule=FEW_ROUNDS)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("share", [0.5, 0.8])
def test_random_pixels_are_closer_to_the_photographs_than_biharmonic_functions(share):
    gains = []
    for name in NAMES:
        clean = crop(name)
        missing = holes(clean.shape, share)
        found = ez.inpaint(with_holes(clean, missing), missing)
        gains.append(psnr(found, clean) - psnr(biharmonic(clean, missing), clean))
    # Nothing is gained where a photograph is smooth or has no structure that is repeated.
    assert np.mean(gains) > 0.7 and min(gains) > -0.4


def test_large_holes_are_about_as_good_as_biharmonic_functions():
    gains = []
    for name in NAMES:
        clean = crop(name)
        missing = np.zeros(clean.shape[:2], bool)
        missing[40:56, 40:56] = missing[10:20, 60:90] = True
        found = ez.inpaint(with_holes(clean, missing), missing)
        gains.append(psnr(found, clean) - psnr(biharmonic(clean, missing), clean))
    assert np.mean(gains) > 0.0 and min(gains) > -2.5


def test_stripes_continue_through_a_hole():
    stripes = 100.0 + 80.0 * np.sin(np.add.outer(0.5 * np.arange(70.0), 0.9 * np.arange(70.0)))
    missing = np.zeros(stripes.shape, bool)
    missing[30:40, 32:42] = True
    found = ez.inpaint(with_holes(stripes, missing), missing)
    errors = np.abs(found - stripes)[missing].mean()
    assert errors < 0.5 * np.abs(biharmonic(stripes, missing) - stripes)[missing].mean()


@pytest.mark.parametrize("name", ["camera", "astronaut"])
def test_noise_of_known_pixels_is_removed(name):
    clean = crop(name)
    missing = holes(clean.shape, 0.3)
    noisy = clean + 20.0 * np.random.default_rng(1).standard_normal(clean.shape)
    found = ez.inpaint(with_holes(noisy, missing), missing, sigma=20.0)
    errors = np.sqrt(np.mean((found - clean)[~missing] ** 2))
    assert errors < 0.6 * 20.0
    assert psnr(found, clean) > psnr(ez.inpaint(with_holes(noisy, missing), missing), clean) + 2.0


def test_a_dictionary_fills_in_missing_pixels():
    clean = crop("coffee", grey=True)
    missing = holes(clean.shape)
    found = ez.inpaint(with_holes(clean, missing), missing, ez.default_dictionary())
    assert psnr(found, clean) > psnr(biharmonic(clean, missing), clean)


@pytest.mark.parametrize("shape", [(15, 13), (15, 13, 3)])
@pytest.mark.parametrize("white", [1.0, 1e5])
def test_results_are_in_the_units_of_the_image(shape, white):
    image = np.random.default_rng(0).integers(0, 256, shape)
    missing = holes(shape)
    expected = ez.inpaint(image, missing, sigma=5.0)
    unit = white / 255.0
    found = ez.inpaint(image * unit, missing, sigma=5.0 * unit, white=white)
    np.testing.assert_allclose(found / unit, expected, atol=0.05)


@pytest.mark.parametrize("shape", [(1, 2), (1, 30), (30, 1), (3, 4), (2, 3, 3), (7, 6)])
def test_a_single_known_pixel_fills_small_images(shape):
    missing = np.ones(shape[:2], bool)
    missing.flat[1] = False
    image = with_holes(np.full(shape, 88.0), missing)
    np.testing.assert_allclose(ez.inpaint(image, missing), np.full(shape, 88.0), rtol=1e-6)


IMAGE, MASK = np.zeros((8, 9)), np.eye(8, 9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"mask": np.ones((8, 9))}, "^mask leaves no known pixel"),
        ({"mask": MASK.T}, r"^mask must have the shape \(8, 9\) of the image, not \(9, 8\)"),
        ({"mask": np.zeros((8, 9, 3))}, "^mask must have the shape"),
        ({"mask": np.zeros(9)}, "^mask must have the shape"),
        ({"mask": np.where(MASK, np.nan, 0.0)}, "^mask must not contain NaN"),
        ({"mask": np.where(MASK, np.inf, 0.0)}, "^mask must not contain NaN or infinity"),
        ({"mask": MASK.astype(str)}, "^mask must hold real numbers"),
        ({"mask": MASK.astype(object)}, "^mask must hold real numbers"),
        ({"sigma": -1.0}, "^sigma must not be negative"),
        ({"sigma": np.nan}, "^sigma must"),
        ({"sigma": None}, "^sigma must be a number"),
        ({"white": 0.0}, "^white must be positive"),
        ({"image": np.full((8, 9), np.nan)}, "the pixel in row 0, column 1 is not finite"),
        ({"image": np.zeros((8, 9, 2))}, "^image must be grey or have three colours"),
        ({"image": np.zeros(8)}, "^image must be grey or have three colours"),
        ({"image": np.zeros((8, 9, 1, 1))}, "^image must be grey or have three colours"),
        ({"schedule": (10.0, 2.0)}, "^schedule must be"),
        ({"schedule": 10.0}, "^schedule must be"),
        ({"schedule": (0.0, 2.0, 3)}, "the first level of schedule must be from 0.1 to 1000"),
        ({"schedule": (10.0, 2e3, 3)}, "the last level of schedule must be from 0.1 to 1000"),
        ({"schedule": (10.0, np.nan, 3)}, "the last level of schedule must be"),
        ({"schedule": ("a", 1.0, 3)}, "the first level of schedule must be a number"),
        ({"schedule": (10.0, 2.0, 0)}, "^schedule must have 1 to 10000 rounds"),
        ({"schedule": (10.0, 2.0, 2.5)}, "^schedule must have 1 to 10000 rounds"),
        ({"schedule": (10.0, 2.0, 10**5)}, "^schedule must have 1 to 10000 rounds"),
        ({"W": np.eye(100)}, "smaller than a patch"),
        ({"W": np.ones((3, 9))}, "^W must have atoms that are not constant"),
    ],
)
def test_invalid_arguments_are_rejected(arguments, message):
    with pytest.raises(ValueError, match=message):
        ez.inpaint(**({"image": IMAGE, "mask": MASK} | arguments))
