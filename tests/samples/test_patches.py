"""Patches are non-constant windows of an image, drawn uniformly and reproducibly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ezdl_cli as ez
from ezdl_cli.errors import InputError
from ezdl_cli.samples.patches import draw_patches, image_rng, varied_positions


def windows(image, size):
    view = np.lib.stride_tricks.sliding_window_view(image, (size, size))
    return view.reshape(-1, size * size)


@given(st.integers(2, 5), st.integers(5, 9), st.integers(5, 9), st.integers(0, 10**6))
def test_varied_positions_agree_with_brute_force(size, height, width, seed):
    rng = np.random.default_rng(seed)
    image = np.zeros((height, width), np.uint8)
    image[rng.integers(height), rng.integers(width)] = 1
    image[rng.integers(height) :, rng.integers(width) :] += 1
    all_windows = windows(image, size)
    varied = np.flatnonzero(all_windows.max(axis=1) > all_windows.min(axis=1))
    if varied.size:
        np.testing.assert_array_equal(varied_positions(image, size), varied)
    else:
        with pytest.raises(InputError, match="constant"):
            varied_positions(image, size)


def test_patches_are_windows_of_the_image_and_never_constant():
    image = np.random.default_rng(0).integers(0, 256, (30, 40), dtype=np.uint8)
    image[:, :25] = 7
    patches = ez.extract_patches(image, 6, 20_000, seed=1)
    assert patches.shape == (20_000, 36) and patches.dtype == np.uint8
    assert (patches.max(axis=1) > patches.min(axis=1)).all()
    known = {row.tobytes() for row in windows(image, 6)}
    drawn = {row.tobytes() for row in patches}
    assert drawn <= known
    varied = {row.tobytes() for row in windows(image, 6) if row.max() > row.min()}
    assert len(drawn) > 0.99 * len(varied)


def test_positions_are_drawn_uniformly():
    image = np.arange(20 * 20, dtype=np.int32).reshape(20, 20)
    first = ez.extract_patches(image, 4, 50_000, seed=0)[:, 0]
    _, counts = np.unique(first, return_counts=True)
    assert counts.size == 17 * 17
    expected = 50_000 / counts.size
    # Chi-squared with 288 degrees of freedom: mean 288, standard deviation 24.
    assert np.sum((counts - expected) ** 2 / expected) < 288 + 5 * 24


def test_generator_depends_on_the_seed_and_the_name_without_suffix():
    def first(seed, name):
        return image_rng(seed, name).integers(2**60)

    assert first(0, "a/b.tif") == first(0, "a/b.png")
    assert len({first(0, "a.png"), first(1, "a.png"), first(0, "b.png"), first(0, "a/a.png")}) == 4


def test_fewer_patches_are_a_prefix_of_more():
    image = np.random.default_rng(2).integers(0, 256, (50, 50), dtype=np.uint8)
    positions = varied_positions(image, 8)
    many = np.concatenate(list(draw_patches(image, positions, 8, 40_000, image_rng(0, "x"))))
    few = np.concatenate(list(draw_patches(image, positions, 8, 16_384, image_rng(0, "x"))))
    np.testing.assert_array_equal(many[: len(few)], few)


@pytest.mark.parametrize(
    ("image", "size", "count"),
    [
        (np.ones((9, 9)), 4, 10),
        (np.eye(3), 4, 10),
        (np.eye(9), 1, 10),
        (np.eye(9), 4, 0),
        (np.ones(9), 4, 10),
    ],
)
def test_images_without_suitable_patches_are_refused(image, size, count):
    with pytest.raises(ValueError):
        ez.extract_patches(image, size, count)
