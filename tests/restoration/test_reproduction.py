"""Images made again from sparse codes of their blocks."""

import tracemalloc

import numpy as np
import pytest
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

import ezdl_cli as ez
from ezdl_cli.restoration import reproduction
from ezdl_cli.restoration.reproduction import compare, reproductions, to_bytes


def picture(height=40, width=56, seed=0):
    """Smooth noise, 8 bits."""
    rng = np.random.default_rng(seed)
    image = rng.standard_normal((height, width))
    for axis in (0, 1):
        for _ in range(2):
            image = image + np.roll(image, 1, axis)
    return to_bytes(127 + 40 * image / image.std())


def test_blocks_keep_mean_and_variance():
    image = picture().astype(float)
    made = ez.reproduce(image, ez.default_dictionary(), 0.9, 5)
    for row in range(0, 40, 8):
        for column in range(0, 56, 8):
            block = (slice(row, row + 8), slice(column, column + 8))
            assert made[block].mean() == pytest.approx(image[block].mean(), abs=1e-6)
            assert made[block].std() == pytest.approx(image[block].std(), rel=1e-6)


def test_more_iterations_and_less_sparseness_come_nearer():
    image = picture()

    def error(sparseness, iterations):
        made = ez.reproduce(image, ez.default_dictionary(), sparseness, iterations)
        return np.square(made - image).mean()

    assert error(0.8, 100) < error(0.8, 10) < error(0.8, 1)
    assert error(0.7, 50) < error(0.9, 50) < error(0.99, 50)


def test_what_makes_no_whole_block_and_what_has_no_variance_is_copied():
    image = picture(45, 61)
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


def test_scale_and_offset_of_an_image_do_not_matter():
    image = picture().astype(float)
    W = ez.default_dictionary()
    made = ez.reproduce(image, W, 0.9, 10)
    np.testing.assert_allclose(ez.reproduce(1e6 * image - 5e7, W, 0.9, 10), 1e6 * made - 5e7)
    np.testing.assert_allclose(ez.reproduce(1e-9 * image, W, 0.9, 10), 1e-9 * made)


def test_several_numbers_of_iterations_are_those_of_single_runs():
    image, W = picture(), ez.default_dictionary()
    made = reproductions(image, W, 0.9, [1, 4, 9])
    for iterations, one in zip((1, 4, 9), made, strict=True):
        np.testing.assert_array_equal(ez.reproduce(image, W, 0.9, iterations), one)


def test_ssim_is_that_of_wang():
    """The index by its formula, with a window made by hand."""
    image, made = picture(), picture(seed=1)
    offsets = np.arange(-5, 6)
    window = np.exp(-(offsets**2) / (2 * 1.5**2))
    window = np.outer(window, window) / window.sum() ** 2
    views = [
        np.lib.stride_tricks.sliding_window_view(a.astype(float), (11, 11)) for a in (image, made)
    ]
    x, y = ((view * window).sum(axis=(2, 3)) for view in views)
    xx, yy, xy = (
        (views[i] * views[j] * window).sum(axis=(2, 3)) for i, j in ((0, 0), (1, 1), (0, 1))
    )
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    numerator = (2 * x * y + c1) * (2 * (xy - x * y) + c2)
    index = numerator / ((x * x + y * y + c1) * (xx - x * x + yy - y * y + c2))
    ssim, psnr = compare(image, made)
    assert ssim == pytest.approx(index.mean(), abs=1e-9)
    error = np.square(image.astype(float) - made).mean()
    assert psnr == pytest.approx(10 * np.log10(255**2 / error))
    assert compare(image, image) == (1.0, np.inf)


@pytest.mark.parametrize(
    ("image", "W", "options"),
    [
        (np.ones((8, 8, 3)), np.ones((4, 64)), {}),
        (np.full((8, 8), np.nan), np.ones((4, 64)), {}),
        (picture(), np.ones((4, 63)), {}),
        (picture(), np.full((4, 64), np.nan), {}),
        (picture(), np.ones((4, 64)), {"sparseness": 1.0}),
        (picture(), np.ones((4, 64)), {"n_iterations": 0}),
    ],
)
def test_what_makes_no_sense_is_refused(image, W, options):
    with pytest.raises(ValueError):
        ez.reproduce(image, W, **{"sparseness": 0.9, **options})


@pytest.mark.parametrize("at_once", [1, 700, 4000])
def test_results_do_not_depend_on_how_much_is_done_at_once(monkeypatch, at_once):
    image, W = picture(75, 61), ez.default_dictionary()
    whole = reproductions(image, W, 0.9, [1, 3])
    noisy = image + 5.0 * np.random.default_rng(0).standard_normal(image.shape)
    qualities = [compare(image, made) for made in (*whole, noisy)]
    monkeypatch.setattr(reproduction, "PIXELS_AT_ONCE", at_once)
    np.testing.assert_array_equal(reproductions(image, W, 0.9, [1, 3]), whole)
    in_bytes = reproductions(image, W, 0.9, [1, 3], as_bytes=True)
    np.testing.assert_array_equal(in_bytes, to_bytes(whole))
    assert [compare(image, made) for made in (*whole, noisy)] == qualities


def test_quality_is_that_of_scikit_image():
    image = picture(75, 61)
    noisy = image + 5.0 * np.random.default_rng(0).standard_normal(image.shape)
    options = {"gaussian_weights": True, "sigma": 1.5, "use_sample_covariance": False}
    ssim = structural_similarity(image.astype(float), noisy, data_range=255, **options)
    psnr = peak_signal_noise_ratio(image.astype(float), noisy, data_range=255)
    assert compare(image, noisy) == (ssim, psnr)


def test_memory_of_a_comparison_is_that_of_one_picture_of_numbers():
    image = np.zeros((2048, 4096), np.uint8)
    compare(image[:64, :64], image[:64, :64])
    tracemalloc.start()
    compare(image, image)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * image.size + 25 * 8 * reproduction.PIXELS_AT_ONCE
