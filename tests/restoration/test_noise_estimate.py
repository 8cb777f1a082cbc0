"""Noise levels of white noise, of JPEG files, and of images without noise."""

import io

import numpy as np
import pytest
from PIL import Image, ImageDraw
from skimage import data

import ezdl_cli as ez

PHOTOS = {"astronaut": data.astronaut, "coffee": data.coffee, "chelsea": data.chelsea}


@pytest.fixture(params=PHOTOS)
def photo(request):
    """A colour photograph, reduced by 2 so that it has hardly any noise of its own."""
    image = PHOTOS[request.param]()[:300, :400].astype(float)
    return image.reshape(150, 2, -1, 2, 3).mean(axis=(1, 3))


def with_noise(image, sigma):
    return image + sigma * np.random.default_rng(0).standard_normal(image.shape)


def as_jpeg(image, quality, subsampling):
    """Return 8-bit pixels after JPEG compression; subsampling 2 means 4:2:0."""
    file = io.BytesIO()
    pixels = Image.fromarray(np.clip(np.rint(image), 0, 255).astype(np.uint8))
    pixels.save(file, "JPEG", quality=quality, subsampling=subsampling)
    return np.asarray(Image.open(file))


@pytest.mark.parametrize("sigma", [5, 10, 25, 50])
def test_white_noise_is_recognised_and_its_level_found(photo, sigma):
    noise = ez.estimate_noise(with_noise(photo, sigma))
    assert noise.is_white
    assert noise.sigma == pytest.approx(sigma, rel=0.03)
    assert noise.channel_sigmas == pytest.approx([sigma] * 3, rel=0.05)


@pytest.mark.parametrize(("quality", "subsampling"), [(90, 2), (95, 2), (90, 1)])
def test_noise_of_subsampled_colour_differences_is_found(photo, quality, subsampling):
    noise = ez.estimate_noise(as_jpeg(with_noise(photo, 25), quality, subsampling))
    assert not noise.is_white
    luminance, *differences = noise.channel_sigmas
    assert noise.sigma == luminance == pytest.approx(28, abs=3)
    assert all(10 < level < 25 for level in differences)


def test_noise_that_jpeg_compression_has_smoothed_is_found():
    image = data.chelsea()[:256, :256].astype(float)
    noise = ez.estimate_noise(as_jpeg(with_noise(image, 10), 75, 2))
    assert not noise.is_white and 8 < noise.sigma < 14


@pytest.mark.parametrize("quality", [None, 75, 90, 95])
def test_no_noise_is_found_in_clean_photographs(photo, quality):
    image = photo if quality is None else as_jpeg(photo, quality, 2)
    noise = ez.estimate_noise(image)
    assert noise.is_white and max(noise.channel_sigmas) < 3


def test_text_on_white_has_no_noise():
    page = Image.new("L", (300, 200), 255)
    for top in range(5, 190, 16):
        ImageDraw.Draw(page).text((10, top), "The quick brown fox jumps over the dog", fill=0)
    assert ez.estimate_noise(np.asarray(page)).sigma == 0


@pytest.mark.parametrize("sigma", [10, 25])
def test_clipped_values_do_not_bias_the_level(photo, sigma):
    dark = 0.4 * photo
    dark[:, 60:] = np.maximum(dark[:, 60:] - 2 * sigma, 0)
    dark[:, :60] += 60  # a part without clipped values
    noisy = np.clip(with_noise(dark, sigma), 0, 255)
    assert np.mean(noisy == 0) > 0.05
    assert ez.estimate_noise(noisy).sigma == pytest.approx(sigma, rel=0.06)
    assert ez.estimate_noise(noisy[..., 0]).sigma == pytest.approx(sigma, rel=0.06)


def test_levels_are_in_the_units_of_the_image(photo):
    noisy = np.clip(np.rint(with_noise(photo, 25)), 0, 255).astype(np.uint8)
    expected = ez.estimate_noise(noisy).sigma
    assert ez.estimate_noise(noisy * np.uint16(257)).sigma == pytest.approx(257 * expected)
    assert ez.estimate_noise(noisy / 255, white=1).sigma == pytest.approx(expected / 255)


def test_denoising_a_jpeg_file_is_almost_as_good_as_with_the_best_level():
    clean = data.astronaut()[40:168, 150:278].astype(float)
    noisy = as_jpeg(with_noise(clean, 25), 90, 2)

    def error(**options):
        return np.mean((np.clip(ez.denoise(noisy, **options), 0, 255) - clean) ** 2)

    best = min(error(sigma=sigma) for sigma in (21, 25, 30))
    assert error() < best * 10**0.02  # 0.2 dB


def test_images_that_are_too_small_are_rejected():
    with pytest.raises(ValueError, match="too few"):
        ez.estimate_noise(np.zeros((22, 22)))
