"""Degradations of images, and the baselines of restoring them."""

import numpy as np
import pytest
from skimage import data

from ezdl_cli.experiments.restoration_tasks import BORDER, TASKS
from ezdl_cli.restoration.blurring import gaussian_kernel
from ezdl_cli.restoration.quality import ssim_and_psnr

IMAGE = data.camera()[100:200, 150:251].astype(float)
CASES = [("super-resolution", 3, 0.0), ("deblurring", 1.6, 2.0), ("inpainting", 50, 0.0)]


def degraded(task, setting, sigma, seed=0):
    return TASKS[task].degrade(IMAGE, setting, sigma, np.random.default_rng(seed))


@pytest.mark.parametrize(("task", "setting", "sigma"), CASES)
def test_all_images_of_a_task_have_the_same_size(task, setting, sigma):
    one = degraded(task, setting, sigma)
    assert one.original.shape == one.shown.shape == one.baseline.shape
    assert one.shown.dtype == one.baseline.dtype == np.uint8


@pytest.mark.parametrize(("task", "setting", "sigma"), CASES)
def test_baselines_are_better_than_the_degraded_image(task, setting, sigma):
    one = degraded(task, setting, sigma)
    assert one.quality(one.baseline)[0] > one.quality(one.shown)[0] + 0.5


def test_quality_of_super_resolution_ignores_the_border():
    one = degraded("super-resolution", 2, 0.0)
    result = one.original.copy()
    result[:BORDER] = result[:, -BORDER:] = 0.0
    assert one.quality(result) == (np.inf, 1.0)
    result[BORDER, BORDER] = 0.0
    assert one.quality(result)[0] < np.inf
    assert one.quality(one.original + 0.4) == (np.inf, 1.0)  # rounded


def test_pixels_within_the_border_alone_depend_on_what_is_outside():
    """The constant is the reach of bicubic interpolation by the largest factor."""
    from ezdl_cli.restoration.bicubic import enlarge

    row = np.random.default_rng(0).uniform(0.0, 255.0, (1, 20))
    changed = row.copy()
    changed[0, 0] += 100.0
    differs = np.flatnonzero(enlarge(row[:, 1:], 4)[0] != enlarge(changed, 4)[0, 4:])
    assert differs.max() == BORDER - 1


def test_share_of_missing_pixels_is_exact_and_known_ones_are_kept():
    for percentage in (1, 33.3, 99):
        one = degraded("inpainting", percentage, 0.0)
        is_missing = one.shown != IMAGE
        n_black = np.count_nonzero(IMAGE == 0)
        assert abs(is_missing.sum() - round(percentage / 100 * IMAGE.size)) <= n_black
        np.testing.assert_array_equal(one.baseline[~is_missing], IMAGE[~is_missing])


def test_noise_is_added_after_the_blur():
    reach = len(gaussian_kernel(1.6)) // 2
    first, second, clean = (degraded("deblurring", 1.6, *args) for args in ((5, 0), (5, 1), (0, 0)))
    assert first.original.shape == (100 - 2 * reach, 101 - 2 * reach)
    difference = first.shown.astype(float) - clean.shown
    assert np.std(difference) == pytest.approx(5.0, rel=0.05)
    assert not np.array_equal(first.shown, second.shown)


@pytest.mark.parametrize("sigma", [0.0, 2.0, 10.0])
def test_best_wiener_filter_is_at_least_as_good_as_the_blurred_image(sigma):
    for deviation in (0.3, 1.0, 4.0):
        one = degraded("deblurring", deviation, sigma)
        psnr = ssim_and_psnr(one.original, one.shown)[1]
        assert one.quality(one.baseline)[0] >= psnr - 1e-9


@pytest.mark.parametrize(("task", "setting", "sigma"), CASES)
def test_smallest_images_can_be_restored(task, setting, sigma):
    side = TASKS[task].min_side(setting, 4)
    W = np.random.default_rng(0).standard_normal((20, 16))
    one = TASKS[task].degrade(IMAGE[:side, :side], setting, sigma, np.random.default_rng(0))
    shares = []
    for atoms in (W, None):
        result = one.restore(atoms, shares.append)
        assert result.shape == one.original.shape
        assert all(map(np.isfinite, one.quality(result)))
    assert shares[-1] == 1
