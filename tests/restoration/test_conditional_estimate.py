"""One round of inpainting: against a plain implementation, and its properties."""

import numpy as np
import pytest
from helpers import plain_inpainting
from skimage import data

from ezdl_cli.restoration import conditional_estimate
from ezdl_cli.restoration.conditional_estimate import ConditionalEstimate


def problem(n_channels, height, width, share=0.4, noise=0.0):
    """Return known pixels, missing ones, and a guide that has no equal patches."""
    rng = np.random.default_rng(0)
    photo = np.moveaxis(data.astronaut()[100:][:height, 150 : 150 + width], -1, 0).astype(float)
    photo = photo[:n_channels]
    missing = rng.random((height, width)) < share
    guide = photo + 6.0 * rng.standard_normal(photo.shape)
    return photo + noise * rng.standard_normal(photo.shape), missing, guide


def expected_estimate(y, missing, guide, noise, level, shift=0):
    side = min(conditional_estimate.SIDE, *missing.shape)
    stride = min(conditional_estimate.STRIDE, side)
    return plain_inpainting.estimate(
        y,
        missing,
        guide,
        noise=noise,
        level=level,
        side=side,
        radius=conditional_estimate.RADIUS,
        stride=stride,
        shift=shift % stride,
        size=conditional_estimate.GROUP_SIZE,
    )


@pytest.mark.parametrize("n_channels", [1, 3])
@pytest.mark.parametrize("noise", [0.0, 12.0])
def test_estimates_equal_a_plain_implementation_in_each_round(n_channels, noise):
    y, missing, guide = problem(n_channels, 25, 21, noise=noise)
    estimate = ConditionalEstimate(y, missing, noise)
    for call, level in enumerate((10.0, 2.0, 5.0)):
        expected = expected_estimate(y, missing, guide, noise, level, call)
        np.testing.assert_allclose(estimate(guide, level), expected, atol=1e-2)


@pytest.mark.parametrize("shape", [(75, 20), (20, 137)])
def test_estimates_of_several_blocks_equal_a_plain_implementation(shape):
    y, missing, guide = problem(1, *shape)
    found = ConditionalEstimate(y, missing, 0.0)(guide, 5.0)
    np.testing.assert_allclose(found, expected_estimate(y, missing, guide, 0.0, 5.0), atol=1e-2)


@pytest.mark.parametrize("shape", [(1, 2), (1, 9), (3, 30), (7, 7), (8, 6)])
def test_small_images_equal_a_plain_implementation(shape):
    y, missing, guide = problem(1, *shape)
    estimate = ConditionalEstimate(y, missing, 0.0)
    for call in range(3):
        expected = expected_estimate(y, missing, guide, 0.0, 3.0, call)
        np.testing.assert_allclose(estimate(guide, 3.0), expected, atol=1e-2)


@pytest.mark.parametrize("share", [0.0, 1.0])
@pytest.mark.parametrize("noise", [0.0, 8.0])
def test_patches_with_all_or_no_pixels_equal_a_plain_implementation(share, noise):
    y, missing, guide = problem(1, 20, 18, share, noise)
    found = ConditionalEstimate(y, missing, noise)(guide, 4.0)
    np.testing.assert_allclose(found, expected_estimate(y, missing, guide, noise, 4.0), atol=1e-2)


def test_pixels_far_from_missing_ones_are_exact_without_noise():
    y, missing, guide = problem(3, 80, 75)
    y = np.rint(y)
    missing[:30], missing[60:], missing[:, :20] = False, False, False
    found = ConditionalEstimate(y, missing, 0.0)(guide, 5.0)
    far = np.ones(missing.shape, bool)
    side = conditional_estimate.SIDE
    far[30 - side + 1 : 60 + side - 1, 20 - side + 1 :] = False
    np.testing.assert_array_equal(found[:, far], y[:, far])
    assert not np.array_equal(found[:, ~far], y[:, ~far])


def test_values_at_missing_pixels_do_not_matter():
    y, missing, guide = problem(3, 30, 30)
    expected = ConditionalEstimate(y, missing, 0.0)(guide, 5.0)
    other = np.where(missing, 1e6, y)
    np.testing.assert_array_equal(ConditionalEstimate(other, missing, 0.0)(guide, 5.0), expected)


@pytest.mark.parametrize("shape", [(64 + 6, 40), (64 + 7, 64 + 8), (129, 7)])
def test_all_pixels_are_covered_whatever_the_block(shape):
    missing = np.zeros(shape, bool)
    missing[::3, ::2] = True
    flat = np.full((1, *shape), 88.0)
    estimate = ConditionalEstimate(flat, missing, 0.0)
    for _ in range(conditional_estimate.STRIDE + 1):
        np.testing.assert_allclose(estimate(flat, 5.0), flat, rtol=1e-6)


def test_exact_guide_of_known_structure_is_kept():
    y, missing, _ = problem(1, 60, 60)
    found = ConditionalEstimate(y, missing, 0.0)(y, 0.5)
    before = np.abs(np.mean(y[:, missing]) - y[:, missing]).mean()
    assert np.abs(found - y)[:, missing].mean() < 0.2 * before
