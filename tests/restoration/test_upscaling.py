"""Super-resolution: the data step against dense matrices, and properties of the results."""

import numpy as np
import pytest
from helpers.photographs import by_channel, crop, psnr

import ezdl_cli as ez
from ezdl_cli.restoration.bicubic import downscale, downscaling_matrix, enlarge
from ezdl_cli.restoration.upscaling import ReductionStep

factors = pytest.mark.parametrize("factor", [2, 3, 4])
ATOMS = np.random.default_rng(0).standard_normal((30, 25))
FEW_ROUNDS = (40.0, 3.0, 3)


def reduced(image, factor):
    return by_channel(lambda channel: downscale(channel, factor), image)


def random_image(*shape, dtype=np.uint8):
    high = np.iinfo(dtype).max + 1
    return np.random.default_rng(0).integers(0, high, shape, dtype=dtype)


@factors
@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (3, 5)])
def test_data_step_equals_a_dense_least_squares_solution(factor, shape):
    rng = np.random.default_rng(0)
    y = rng.uniform(0.0, 255.0, (3, *shape))
    x = rng.uniform(0.0, 255.0, (3, factor * shape[0], factor * shape[1]))
    noise, level = 2.0, 7.0
    H = np.kron(*(downscaling_matrix(n, factor) for n in shape))
    A = np.vstack([H / noise, np.eye(H.shape[1]) / level])
    b = np.hstack([y.reshape(3, -1) / noise, x.reshape(3, -1) / level])
    expected = np.linalg.lstsq(A, b.T)[0].T.reshape(x.shape)
    np.testing.assert_allclose(ReductionStep(y, factor, noise)(x, level), expected, atol=1e-8)


@factors
@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (3, 5)])
def test_exact_step_is_the_shortest_one_to_the_data(factor, shape):
    rng = np.random.default_rng(0)
    y = rng.uniform(0.0, 255.0, (1, *shape))
    x = rng.uniform(0.0, 255.0, (1, factor * shape[0], factor * shape[1]))
    H = np.kron(*(downscaling_matrix(n, factor) for n in shape))
    found = ReductionStep(y, factor, 1.0).exactly(x)
    np.testing.assert_allclose(downscale(found, factor), y, atol=1e-9)
    expected = x.ravel() + np.linalg.pinv(H) @ (y.ravel() - H @ x.ravel())
    np.testing.assert_allclose(found.ravel(), expected, atol=1e-8)


@factors
@pytest.mark.parametrize("shape", [(17, 13), (12, 9, 3), (4, 3), (1, 5), (1, 1), (1, 1, 3)])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_reduction_of_the_result_is_the_image(factor, shape, dtype):
    image = random_image(*shape, dtype=dtype)
    found = ez.upscale(image, factor, schedule=FEW_ROUNDS)
    assert found.shape == (factor * shape[0], factor * shape[1], *shape[2:])
    assert found.dtype == np.float64
    scale = np.iinfo(dtype).max
    np.testing.assert_allclose(reduced(found, factor) / scale, image / scale, atol=1e-12)


@pytest.mark.parametrize("shape", [(15, 13), (15, 13, 3)])
@pytest.mark.parametrize("white", [1.0, 1e-3, 1e5])
def test_results_are_in_the_units_of_the_image(shape, white):
    image = random_image(*shape)
    expected = ez.upscale(image, 2, schedule=FEW_ROUNDS)
    found = ez.upscale(image * (white / 255.0), 2, white=white, schedule=FEW_ROUNDS)
    np.testing.assert_allclose(reduced(found, 2) / white, image / 255.0, atol=1e-12)
    # A group may have another of two patches that are equally near but for rounding.
    np.testing.assert_allclose(found * (255.0 / white), expected, atol=0.05)


def test_an_image_with_noise_is_not_reproduced_but_denoised():
    clean = crop("chelsea", grey=True)
    small = reduced(clean, 2)
    noisy = small + 15.0 * np.random.default_rng(0).standard_normal(small.shape)
    found = ez.upscale(noisy, 2, sigma=15.0)
    assert psnr(found, clean) > psnr(enlarge(noisy, 2), clean) + 2.0
    assert psnr(found, clean) > psnr(ez.upscale(noisy, 2), clean) + 2.0
    assert 10.0 < np.std(reduced(found, 2) - noisy) < 20.0


@factors
@pytest.mark.parametrize("name", ["camera", "astronaut", "coffee", "chelsea"])
def test_result_is_closer_to_the_photograph_than_bicubic_interpolation(factor, name):
    clean = crop(name, grey=name == "astronaut")
    small = np.clip(np.rint(reduced(clean, factor)), 0, 255)
    interpolated = by_channel(lambda channel: enlarge(channel, factor), small)
    assert psnr(ez.upscale(small, factor), clean) > psnr(interpolated, clean) + 0.8


def test_a_dictionary_improves_on_bicubic_interpolation():
    clean = crop("coffee", grey=True)
    small = reduced(clean, 2)
    found = ez.upscale(small, 2, ez.default_dictionary())
    np.testing.assert_allclose(reduced(found, 2), small, atol=1e-9)
    assert psnr(found, clean) > psnr(enlarge(small, 2), clean) + 0.8


@factors
@pytest.mark.parametrize("W", [None, ATOMS])
def test_constant_images_remain_constant(factor, W):
    image = np.full((9, 7, 3), (200.0, 10.0, 77.0))
    found = ez.upscale(image, factor, W, schedule=FEW_ROUNDS)
    np.testing.assert_allclose(found, np.broadcast_to(image[0, 0], found.shape), atol=1e-3)


def test_ramps_remain_ramps():
    large = np.add.outer(2.0 * np.arange(40), 3.0 * np.arange(48))
    found = ez.upscale(downscale(large, 2), 2)
    assert np.abs(found - large)[8:-8, 8:-8].max() < 1.0


@pytest.mark.parametrize("factor", [1, 5, 0, -2, 2.0, "2", None, True])
def test_other_factors_are_rejected(factor):
    with pytest.raises(ValueError, match=r"^factor must be 2, 3 or 4"):
        ez.upscale(np.zeros((8, 8)), factor)


@pytest.mark.parametrize("shape", [(8,), (8, 8, 4), (8, 8, 1), (0, 5), (2, 8, 8, 3)])
def test_arrays_that_are_no_images_are_rejected(shape):
    with pytest.raises(ValueError, match=r"^image "):
        ez.upscale(np.zeros(shape))


@pytest.mark.parametrize("sigma", [-1.0, np.nan, np.inf, "1", None])
def test_invalid_noise_levels_are_rejected(sigma):
    with pytest.raises(ValueError, match=r"^sigma must"):
        ez.upscale(np.zeros((8, 8)), sigma=sigma)
