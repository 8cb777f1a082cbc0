"""Denoising by similar patches: against a plain implementation, and its properties."""

import numpy as np
import pytest
from helpers import plain_similar_patches
from skimage import data

from ezdl_cli.restoration import similar_patches
from ezdl_cli.restoration.similar_patches import SimilarPatchesDenoiser


def noisy_channels(n_channels, height, width, sigma=15.0):
    """Return a part of a photograph with noise, whose distances do not differ by rounding only."""
    photo = np.moveaxis(data.astronaut()[100:][:height, 150 : 150 + width], -1, 0).astype(float)
    noise = np.random.default_rng(5).standard_normal((n_channels, height, width))
    return photo[:n_channels] + sigma * noise


def expected_estimate(noisy, sigma, shift=0):
    side = min(similar_patches.SIDE, *noisy.shape[1:])
    return plain_similar_patches.denoise(
        noisy,
        sigma,
        side=side,
        radius=similar_patches.RADIUS,
        stride=min(similar_patches.STRIDE, side),
        shift=shift % min(similar_patches.STRIDE, side),
        size=similar_patches.GROUP_SIZE,
    )


@pytest.mark.parametrize("n_channels", [1, 3])
def test_estimates_equal_a_plain_implementation_in_each_round(n_channels):
    noisy, denoiser = noisy_channels(n_channels, 33, 26), SimilarPatchesDenoiser()
    for call, sigma in enumerate((15.0, 40.0, 2.0, 15.0, 15.0, 15.0)):
        expected = expected_estimate(noisy, sigma, call)
        np.testing.assert_allclose(denoiser(noisy, sigma), expected, atol=2e-3)


@pytest.mark.parametrize("shape", [(71, 30), (30, 140)])
def test_estimates_of_several_blocks_equal_a_plain_implementation(shape):
    noisy, denoiser = noisy_channels(1, *shape), SimilarPatchesDenoiser()
    denoiser(noisy, 15.0)
    expected = expected_estimate(noisy, 15.0, 1)
    np.testing.assert_allclose(denoiser(noisy, 15.0), expected, atol=2e-3)


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (2, 9), (5, 5), (4, 3), (6, 8)])
def test_small_images_equal_a_plain_implementation_in_each_round(shape):
    noisy, denoiser = noisy_channels(1, *shape), SimilarPatchesDenoiser()
    for call in range(6):
        expected = expected_estimate(noisy, 10.0, call)
        np.testing.assert_allclose(denoiser(noisy, 10.0), expected, atol=2e-3)


@pytest.mark.parametrize(
    "shape", [(n, 9) for n in range(1, 13)] + [(n, 70) for n in (63, 64, 67, 68, 69, 72, 73)]
)
def test_patches_cover_all_pixels_whatever_the_shift(shape):
    flat, denoiser = np.full((1, *shape), 77.0), SimilarPatchesDenoiser()
    for _ in range(similar_patches.STRIDE + 1):  # all patches are equally near
        np.testing.assert_allclose(denoiser(flat, 20.0), flat, rtol=1e-6)


@pytest.mark.parametrize("value", [0.0, 255.0, -1e5, 1e5])
def test_constant_colours_remain_constant(value):
    flat = np.array([value, 0.1 * value, -3.0])[:, None, None] * np.ones((31, 22))
    np.testing.assert_allclose(SimilarPatchesDenoiser()(flat, 10.0), flat, rtol=1e-6)


def test_hardly_any_noise_leaves_the_image_nearly_unchanged():
    noisy = noisy_channels(3, 30, 30)
    np.testing.assert_allclose(SimilarPatchesDenoiser()(noisy, 1e-2), noisy, atol=1e-2)


@pytest.mark.parametrize("n_channels", [1, 3])
def test_noise_is_reduced_in_small_steps(n_channels):
    clean = noisy_channels(n_channels, 70, 70, sigma=0.0)
    noisy, denoiser = noisy_channels(n_channels, 70, 70, sigma=20.0), SimilarPatchesDenoiser()
    first = denoiser(noisy, 20.0)
    second = denoiser(first, 10.0)
    errors = [np.mean((image - clean) ** 2) for image in (noisy, first, second)]
    assert errors[0] > 1.5 * errors[1] > 1.5 * errors[2]


def test_channels_are_grouped_by_the_first_and_estimated_separately():
    noisy = noisy_channels(3, 30, 30)
    together = SimilarPatchesDenoiser()(noisy, 15.0)
    pair = SimilarPatchesDenoiser()(noisy[[0, 2]], 15.0)
    np.testing.assert_array_equal(pair, together[[0, 2]])
