"""SSIM and PSNR against their formulas and scikit-image."""

import tracemalloc

import numpy as np
import pytest
from helpers.smooth_image import smooth_image
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

from ezdl_cli.restoration.quality import ssim_and_psnr
from ezdl_cli.restoration.row_chunks import CHUNK_PIXELS


def test_ssim_and_psnr_equal_their_formulas():
    """SSIM as Wang et al. define it, with an explicit window."""
    image, made = smooth_image(), smooth_image(seed=1)
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
    ssim, psnr = ssim_and_psnr(image, made)
    assert ssim == pytest.approx(index.mean(), abs=1e-9)
    error = np.square(image.astype(float) - made).mean()
    assert psnr == pytest.approx(10 * np.log10(255**2 / error))
    assert ssim_and_psnr(image, image) == (1.0, np.inf)


@pytest.mark.parametrize("dtype", [np.uint8, np.float64])
def test_quality_of_colours_equals_that_of_scikit_image(dtype):
    image = np.stack([smooth_image(60, 44, seed=seed) for seed in range(3)], axis=-1)
    image = np.rint(image).astype(np.uint8)
    noisy = image + (5, 20, 40) * np.random.default_rng(0).standard_normal(image.shape)
    noisy = np.clip(noisy, 0, 255).astype(dtype)
    options = {"gaussian_weights": True, "sigma": 1.5, "use_sample_covariance": False}
    expected = structural_similarity(
        image.astype(float), noisy.astype(float), data_range=255, channel_axis=2, **options
    )
    ssim, psnr = ssim_and_psnr(image, noisy)
    assert ssim == pytest.approx(expected, abs=1e-12)
    assert psnr == pytest.approx(
        peak_signal_noise_ratio(image.astype(float), noisy.astype(float), data_range=255)
    )
    assert psnr < np.mean([ssim_and_psnr(image[..., i], noisy[..., i])[1] for i in range(3)]) - 1
    assert ssim_and_psnr(image, image) == (1.0, np.inf)


@pytest.mark.parametrize("shape", [(75, 61), (11, 11), (40, 12)])
@pytest.mark.parametrize("sigma", [0.5, 5.0, 80.0])
def test_quality_equals_that_of_scikit_image(shape, sigma):
    image = smooth_image(*shape)
    noisy = image + sigma * np.random.default_rng(0).standard_normal(image.shape)
    options = {"gaussian_weights": True, "sigma": 1.5, "use_sample_covariance": False}
    ssim = structural_similarity(image.astype(float), noisy, data_range=255, **options)
    psnr = peak_signal_noise_ratio(image.astype(float), noisy, data_range=255)
    assert ssim_and_psnr(image, noisy) == (ssim, psnr)


def test_memory_is_that_of_one_image_of_float64():
    image = np.zeros((2048, 4096), np.uint8)
    ssim_and_psnr(image[:64, :64], image[:64, :64])
    tracemalloc.start()
    ssim_and_psnr(image, image)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * image.size + 25 * 8 * CHUNK_PIXELS
