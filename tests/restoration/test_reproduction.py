"""Images rebuilt from sparse codes of their blocks."""

import numpy as np
import pytest
from helpers.smooth_image import smooth_image

import ezdl_cli as ez
from ezdl_cli.restoration import row_chunks
from ezdl_cli.restoration.quality import ssim_and_psnr, to_uint8
from ezdl_cli.restoration.reproduction import reproductions


def test_blocks_keep_mean_and_variance():
    image = smooth_image().astype(float)
    made = ez.reproduce(image, ez.default_dictionary(), 0.9, 5)
    for row in range(0, 40, 8):
        for column in range(0, 56, 8):
            block = (slice(row, row + 8), slice(column, column + 8))
            assert made[block].mean() == pytest.approx(image[block].mean(), abs=1e-6)
            assert made[block].std() == pytest.approx(image[block].std(), rel=1e-6)


def test_error_falls_with_iterations_and_rises_with_sparseness():
    image = smooth_image()

    def error(sparseness, iterations):
        made = ez.reproduce(image, ez.default_dictionary(), sparseness, iterations)
        return np.square(made - image).mean()

    assert error(0.8, 100) < error(0.8, 10) < error(0.8, 1)
    assert error(0.7, 50) < error(0.9, 50) < error(0.99, 50)


def test_incomplete_and_constant_blocks_are_copied():
    image = smooth_image(45, 61)
    image[8:16, 16:24] = 200
    made = ez.reproduce(image, ez.default_dictionary(), 0.95)
    np.testing.assert_array_equal(made[40:], image[40:])
    np.testing.assert_array_equal(made[:, 56:], image[:, 56:])
    np.testing.assert_array_equal(made[8:16, 16:24], 200.0)
    assert (made[:40, :56] != image[:40, :56]).any()


@pytest.mark.parametrize("shape", [(1, 1), (7, 100), (0, 5)])
def test_images_without_a_block_are_copied(shape):
    image = np.full(shape, 9, np.uint8)
    np.testing.assert_array_equal(ez.reproduce(image, ez.default_dictionary(), 0.9), image)


def test_reproduction_is_equivariant_to_scale_and_offset():
    image = smooth_image().astype(float)
    W = ez.default_dictionary()
    made = ez.reproduce(image, W, 0.9, 10)
    np.testing.assert_allclose(ez.reproduce(1e6 * image - 5e7, W, 0.9, 10), 1e6 * made - 5e7)
    np.testing.assert_allclose(ez.reproduce(1e-9 * image, W, 0.9, 10), 1e-9 * made)


def test_several_numbers_of_iterations_equal_single_runs():
    image, W = smooth_image(), ez.default_dictionary()
    made = reproductions(image, W, 0.9, [1, 4, 9])
    for iterations, one in zip((1, 4, 9), made, strict=True):
        np.testing.assert_array_equal(ez.reproduce(image, W, 0.9, iterations), one)


@pytest.mark.parametrize(
    ("image", "W", "options"),
    [
        (np.ones((8, 8, 3)), np.ones((4, 64)), {}),
        (np.full((8, 8), np.nan), np.ones((4, 64)), {}),
        (smooth_image(), np.ones((4, 63)), {}),
        (smooth_image(), np.full((4, 64), np.nan), {}),
        (smooth_image(), np.ones((4, 64)), {"sparseness": 1.0}),
        (smooth_image(), np.ones((4, 64)), {"n_iterations": 0}),
    ],
)
def test_invalid_arguments_are_rejected(image, W, options):
    with pytest.raises(ValueError):
        ez.reproduce(image, W, **{"sparseness": 0.9, **options})


@pytest.mark.parametrize("chunk_pixels", [1, 700, 4000])
def test_results_do_not_depend_on_chunks(monkeypatch, chunk_pixels):
    image, W = smooth_image(75, 61), ez.default_dictionary()
    expected = reproductions(image, W, 0.9, [1, 3])
    noisy = image + 5.0 * np.random.default_rng(0).standard_normal(image.shape)
    qualities = [ssim_and_psnr(image, made) for made in (*expected, noisy)]
    monkeypatch.setattr(row_chunks, "CHUNK_PIXELS", chunk_pixels)
    np.testing.assert_array_equal(reproductions(image, W, 0.9, [1, 3]), expected)
    as_bytes = reproductions(image, W, 0.9, [1, 3], as_uint8=True)
    np.testing.assert_array_equal(as_bytes, to_uint8(expected))
    assert [ssim_and_psnr(image, made) for made in (*expected, noisy)] == qualities
