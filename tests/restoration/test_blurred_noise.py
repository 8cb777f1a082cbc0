"""The level of noise in blurred images."""

import numpy as np
import pytest
from helpers.photographs import by_channel
from skimage import data

from ezdl_cli.restoration.blur_kernels import box_kernel, disk_kernel, motion_kernel
from ezdl_cli.restoration.blurred_noise import MAX_SIDE, estimate_blurred_noise
from ezdl_cli.restoration.blurring import blur, gaussian_kernel

KERNELS = {
    "gaussian": gaussian_kernel(1.6),
    "box": box_kernel(9),
    "motion": motion_kernel(15, 30),
    "disk": disk_kernel(3.0),
}
PHOTOGRAPHS = {
    "camera": lambda: data.camera()[50:250, 100:300],
    "astronaut": lambda: data.astronaut()[50:250, 100:300],
    "coffee": lambda: data.coffee()[100:300, 150:350],
    "chelsea": lambda: data.chelsea()[50:250, 100:300],
}


def blurred(name, kernel):
    return by_channel(lambda x: blur(x, kernel), PHOTOGRAPHS[name]().astype(float))


def noise(shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("name", PHOTOGRAPHS)
@pytest.mark.parametrize("sigma", [2.0, 10.0])
def test_estimates_are_within_ten_percent(name, kernel, sigma):
    clean = blurred(name, KERNELS[kernel])
    found = estimate_blurred_noise(clean + sigma * noise(clean.shape), KERNELS[kernel])
    assert 0.9 * sigma < found < 1.1 * sigma


@pytest.mark.parametrize(
    ("kernel", "limit"), [("gaussian", 1.2), ("box", 1.2), ("disk", 1.2), ("motion", 2.6)]
)
@pytest.mark.parametrize("name", PHOTOGRAPHS)
def test_rounding_to_eight_bits_is_noise(name, kernel, limit):
    """The kernel of a motion removes hardly any frequencies: some of the image is left in all."""
    image = np.rint(blurred(name, KERNELS[kernel])).astype(np.uint8)
    assert 0.85 < estimate_blurred_noise(image, KERNELS[kernel]) * np.sqrt(12.0) < limit


@pytest.mark.parametrize("shape", [(200, 180), (200, 180, 3), (16, 16), (1, 400)])
@pytest.mark.parametrize("kernel", [np.ones((1, 1)), KERNELS["disk"]])
def test_noise_without_an_image_is_found(shape, kernel):
    images = (100.0 + 7.0 * noise(shape, seed) for seed in range(20))
    estimates = [estimate_blurred_noise(image, kernel) for image in images]
    assert 6.7 < np.mean(estimates) < 7.3


def test_constant_images_have_no_noise():
    assert estimate_blurred_noise(np.full((30, 30), 80.0), KERNELS["disk"]) == pytest.approx(0.0)


@pytest.mark.parametrize("unit", [1e-5, 1.0 / 255.0, 257.0])
def test_estimates_are_in_the_units_of_the_image(unit):
    image = blurred("camera", KERNELS["disk"])
    image += 3.0 * noise(image.shape)
    expected = estimate_blurred_noise(image, KERNELS["disk"]) * unit
    found = estimate_blurred_noise(image * unit, KERNELS["disk"], 255.0 * unit)
    assert found == pytest.approx(expected, rel=1e-3)


def test_white_of_16_bits_is_known():
    image = np.random.default_rng(0).integers(0, 65536, (40, 40), dtype=np.uint16)
    found = estimate_blurred_noise(image, KERNELS["disk"])
    assert found == pytest.approx(65535 / np.sqrt(12), rel=0.1)


def test_mirrored_and_transposed_images_have_the_same_noise():
    kernel = np.triu(np.random.default_rng(0).random((5, 7)))
    kernel /= kernel.sum()
    image = blurred("chelsea", kernel)[..., 1]
    image += 3.0 * noise(image.shape)
    expected = estimate_blurred_noise(image, kernel)
    for change in (lambda x: x[::-1], lambda x: x[:, ::-1], np.transpose):
        assert estimate_blurred_noise(change(image), change(kernel)) == expected


def test_of_large_images_the_central_part_is_used():
    image = np.zeros((20, MAX_SIDE + 1000))
    image[:, 500:-500] = 7.0 * noise((20, MAX_SIDE))
    image[:, :500] = image[:, -500:] = 300.0 * noise((20, 500))
    found = estimate_blurred_noise(image, np.ones((1, 1)))
    assert found == estimate_blurred_noise(image[:, 500:-500], np.ones((1, 1)))


@pytest.mark.parametrize("shape", [(15, 17), (255, 1), (1, 1, 3)])
def test_small_images_are_refused(shape):
    with pytest.raises(ValueError, match="too few to estimate the noise level; pass sigma"):
        estimate_blurred_noise(np.zeros(shape), np.ones((1, 1)))
