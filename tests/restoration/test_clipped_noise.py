"""Correction of the bias of noise that was clipped at black and white."""

import numpy as np
import pytest
from skimage import data

import ezdl_cli as ez
from ezdl_cli.restoration.clipped_noise import ClippedNoise, find_clipped_noise, remove_bias


def with_noise(image, sigma):
    return image + sigma * np.random.default_rng(0).standard_normal(image.shape)


def clipped(image, sigma):
    return np.clip(np.rint(with_noise(image, sigma)), 0, 255).astype(np.uint8)


def steps():
    """An image with areas from black to white."""
    return np.kron(np.linspace(0, 255, 16).reshape(4, 4), np.ones((24, 24)))


@pytest.mark.parametrize("sigma", [5.0, 25.0, 100.0])
@pytest.mark.parametrize("x", [0.0, 3.0, 40.0, 128.0, 250.0, 255.0])
def test_means_of_clipped_values_are_those_of_samples(x, sigma):
    n = 10**6
    samples = np.clip(with_noise(np.full(n, x), sigma), 0, 255)
    noise = ClippedNoise(sigma, 255.0, True, True)
    assert noise.means(x) == pytest.approx(samples.mean(), abs=5 * sigma / np.sqrt(n))
    assert noise.without_bias(noise.means(np.array([x]))) == pytest.approx(x, abs=0.01)


def test_values_stay_between_the_ends_that_were_clipped():
    means = np.array([-5.0, 0.0, 5.0, 128.0, 250.0, 255.0, 260.0])
    corrected = ClippedNoise(25.0, 255.0, True, True).without_bias(means)
    np.testing.assert_allclose(corrected, [0, 0, 0, 128, 255, 255, 255], atol=1e-3)
    at_black = ClippedNoise(25.0, 255.0, True, False).without_bias(means)
    np.testing.assert_allclose(at_black, [0, 0, 0, 128, 250, 255, 260], atol=1e-3)


@pytest.mark.parametrize("sigma", [10, 25, 50])
@pytest.mark.parametrize("unit", [1, 257])
def test_black_and_white_areas_are_restored(sigma, unit):
    noisy = clipped(steps(), sigma) * np.uint16(unit) if unit > 1 else clipped(steps(), sigma)
    found = ez.denoise(noisy, sigma * unit, window=16) / unit
    black, white = found[2:22, 2:22].mean(), found[-22:-2, -22:-2].mean()
    assert 0 <= black < 0.1 * sigma and 255 - 0.1 * sigma < white <= 255


def test_colours_are_corrected_separately():
    colours = np.stack([np.zeros((64, 64)), np.full((64, 64), 128), np.full((64, 64), 255)], -1)
    found = ez.denoise(clipped(colours, 25), 25, window=16).mean(axis=(0, 1))
    np.testing.assert_allclose(found, [0, 128, 255], atol=2)


def test_noise_that_was_not_clipped_is_left_alone():
    grey = 60 + data.camera()[::4, ::4] / 2.0
    estimate = grey + 0.123
    for noisy in (clipped(grey, 10), clipped(grey, 10).astype(float)):
        noise = find_clipped_noise(noisy, [10.0], 255.0)
        assert not noise[0].at_black and not noise[0].at_white
        assert remove_bias(estimate, noise) is estimate
    below = ez.denoise(with_noise(np.zeros((64, 64)), 25), 25, window=16)
    assert below.min() < 0 and abs(below.mean()) < 1


def test_noise_that_fades_towards_black_is_left_alone():
    x = np.linspace(0, 255, 250 * 250).reshape(250, 250)
    faded = np.maximum(x + 0.2 * x * np.random.default_rng(0).standard_normal(x.shape), 0)
    faded[:10, :10] = 0  # a few more black pixels
    assert not ClippedNoise.of(faded, 25.0, 255.0).at_black
    assert ClippedNoise.of(clipped(x, 25), 25.0, 255.0).at_black


def test_clean_saturated_areas_are_not_changed():
    image = np.full((64, 64), 255, np.uint8)
    image[20:40, 20:40] = clipped(np.full((20, 20), 120.0), 25)
    np.testing.assert_allclose(ez.denoise(image, 25, window=16)[50:], 255, atol=0.5)
