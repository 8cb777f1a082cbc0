"""Bicubic reduction and enlargement, compared with Pillow."""

import numpy as np
import pytest
from PIL import Image

from ezdl_cli.restoration.bicubic import downscale, downscaling_matrix, enlarge

SHAPES = [(13, 7), (8, 8), (5, 1), (1, 1), (2, 31)]
factors = pytest.mark.parametrize("factor", [2, 3, 4])
shapes = pytest.mark.parametrize("shape", SHAPES)


def random_image(*shape):
    return np.random.default_rng(sum(shape)).uniform(-50.0, 300.0, shape)


def resized_by_pillow(image, shape):
    resized = Image.fromarray(image.astype(np.float32)).resize(
        shape[::-1], Image.Resampling.BICUBIC
    )
    assert resized.mode == "F"
    return np.asarray(resized)


@factors
@shapes
def test_reduction_is_that_of_pillow(factor, shape):
    image = random_image(factor * shape[0], factor * shape[1])
    np.testing.assert_allclose(
        downscale(image, factor), resized_by_pillow(image, shape), rtol=0, atol=2e-4
    )


@factors
@shapes
def test_enlargement_is_that_of_pillow(factor, shape):
    image = random_image(*shape)
    larger = tuple(factor * side for side in shape)
    np.testing.assert_allclose(
        enlarge(image, factor), resized_by_pillow(image, larger), rtol=0, atol=2e-4
    )


@factors
@shapes
def test_matrices_reduce_rows_and_columns(factor, shape):
    image = random_image(factor * shape[0], factor * shape[1])
    D, E = (downscaling_matrix(side, factor) for side in shape)
    assert D.shape == (shape[0], factor * shape[0])
    np.testing.assert_allclose(D @ image @ E.T, downscale(image, factor), rtol=1e-12, atol=1e-10)


@factors
@pytest.mark.parametrize("function", [downscale, enlarge])
def test_channels_are_independent_and_the_map_is_linear(factor, function):
    channels = random_image(3, 4 * factor, 5 * factor)
    together = function(channels, factor)
    for channel, expected in zip(channels, together, strict=True):
        np.testing.assert_array_equal(function(channel, factor), expected)
    np.testing.assert_allclose(
        function(2.0 * channels[0] - 3.0 * channels[1] + 5.0, factor),
        2.0 * together[0] - 3.0 * together[1] + 5.0,
        atol=1e-10,
    )


@factors
@pytest.mark.parametrize("function", [downscale, enlarge])
def test_mirrored_and_transposed_images_have_such_results(factor, function):
    image = random_image(4 * factor, 5 * factor)
    expected = function(image, factor)
    np.testing.assert_allclose(function(image[::-1, ::-1], factor), expected[::-1, ::-1])
    np.testing.assert_allclose(function(image.T, factor), expected.T)


@factors
def test_ramps_are_reproduced_away_from_borders(factor):
    ramp = np.add.outer(3.0 * np.arange(12 * factor), -2.0 * np.arange(15 * factor))
    # Position t of the large image is t · factor + (factor - 1) / 2 for the small one.
    shift = (factor - 1) / 2
    rows, columns = (factor * np.arange(n) + shift for n in (12, 15))
    expected = np.add.outer(3.0 * rows, -2.0 * columns)
    np.testing.assert_allclose(downscale(ramp, factor)[2:-2, 2:-2], expected[2:-2, 2:-2])
    inner = (slice(3 * factor, -3 * factor),) * 2
    np.testing.assert_allclose(enlarge(expected, factor)[inner], ramp[inner], atol=1e-10)
