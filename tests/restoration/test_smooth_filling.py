"""Smooth estimates of missing pixels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ezdl_cli.restoration.smooth_filling import fill_smoothly


def holes(shape, share, seed=0):
    """Return missing pixels, at least one of which is known."""
    missing = np.random.default_rng(seed).random(shape) < share
    missing.flat[seed % missing.size] = False
    return missing


SHAPES = st.tuples(st.integers(1, 40), st.integers(1, 40))


@given(SHAPES, st.integers(1, 3), st.floats(0.0, 1.0), st.integers(0, 1000))
def test_known_pixels_are_kept_and_others_are_between_them(shape, n_channels, share, seed):
    image = np.random.default_rng(seed).uniform(-9.0, 300.0, (n_channels, *shape))
    missing = holes(shape, share, seed)
    filled = fill_smoothly(np.where(missing, np.nan, image), missing)
    np.testing.assert_array_equal(filled[:, ~missing], image[:, ~missing])
    known = image[:, ~missing]
    low, high = known.min(axis=1)[:, None, None], known.max(axis=1)[:, None, None]
    assert ((filled >= low - 1e-9) & (filled <= high + 1e-9)).all()


@given(SHAPES, st.integers(0, 1599))
def test_a_single_known_pixel_fills_the_image(shape, position):
    missing = np.ones(shape, bool)
    missing.flat[position % missing.size] = False
    image = np.where(missing, 1e9, 77.3)[None]
    np.testing.assert_allclose(fill_smoothly(image, missing), np.full((1, *shape), 77.3))


@given(SHAPES, st.floats(0.0, 1.0), st.integers(0, 1000))
def test_filling_is_linear_in_the_image(shape, share, seed):
    rng = np.random.default_rng(seed)
    first, second = rng.uniform(-1.0, 1.0, (2, 1, *shape))
    missing = holes(shape, share, seed)
    expected = 2.0 * fill_smoothly(first, missing) - 3.0 * fill_smoothly(second, missing) + 0.5
    found = fill_smoothly(2.0 * first - 3.0 * second + 0.5, missing)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_nothing_missing_returns_the_channels():
    image = np.random.default_rng(0).random((3, 5, 7))
    np.testing.assert_array_equal(fill_smoothly(image, np.zeros((5, 7), bool)), image)


@pytest.mark.parametrize("shape", [(64, 64), (47, 61)])
@pytest.mark.parametrize("share", [0.3, 0.7])
def test_ramps_are_well_approximated(shape, share):
    ramp = np.add.outer(2.0 * np.arange(shape[0]), -1.0 * np.arange(shape[1]))[None]
    missing = holes(shape, share)
    errors = np.abs(fill_smoothly(np.where(missing, 0.0, ramp), missing) - ramp)
    assert errors.mean() < 1.0 and errors.max() < 10.0  # neighbours differ by up to 3


@pytest.mark.parametrize("shape", [(1, 100), (100, 1)])
def test_rows_and_columns_are_filled_like_ramps(shape):
    ramp = np.arange(100.0).reshape(1, *shape)
    missing = np.zeros(shape, bool)
    missing.flat[1::2] = True
    filled = fill_smoothly(np.where(missing, -1e3, ramp), missing)
    assert np.abs(filled - ramp).max() <= 1.5


@pytest.mark.parametrize("shape", [(31, 18), (1, 9)])
def test_transposed_images_have_transposed_fillings(shape):
    image, missing = np.random.default_rng(1).random((2, *shape)), holes(shape, 0.8)
    found = fill_smoothly(image.swapaxes(1, 2), missing.T)
    np.testing.assert_allclose(found, fill_smoothly(image, missing).swapaxes(1, 2), rtol=1e-12)


def test_all_coarse_levels_with_holes_are_improved():
    shapes = []

    def improve(channels, missing, estimate):
        assert missing.any() and not missing.all() and np.isfinite(estimate).all()
        known = ~missing
        np.testing.assert_array_equal(estimate[:, known], channels[:, known])
        shapes.append(missing.shape)
        return np.where(missing, 5.0, channels)

    missing = np.ones((40, 30), bool)
    missing[0, 0] = False
    filled = fill_smoothly(np.zeros((1, 40, 30)), missing, improve)
    assert shapes == [(2, 1), (3, 2), (5, 4), (10, 8), (20, 15)]
    np.testing.assert_allclose(filled[0, 20:, 20:], 5.0)
