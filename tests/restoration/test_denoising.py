"""Denoising against a plain implementation, and its properties."""

import numpy as np
import pytest
from helpers import plain_lssc
from scipy.stats import chi2
from skimage import data

import ezdl_cli as ez
from ezdl_cli.restoration import kept_estimates
from ezdl_cli.restoration.denoising import Denoiser
from ezdl_cli.restoration.denoising_parameters import DenoisingParameters, chi_square_quantile
from ezdl_cli.restoration.dictionary_passes import patch_dictionary
from ezdl_cli.restoration.regions import Region

# The rules of Mairal et al., except for the distance, which depends on the noise level: groups of
# any size, each patch in one group, no shrinkage, the given dictionary, two passes.
AUTHORS = {
    "shrink": False,
    "noise_share": 1.0,
    "group_size": 10**5,
    "min_group_size": 1,
    "spacing": 1000,
    "stride": 1,
    "adapt": False,
    "refine": False,
}


@pytest.fixture(scope="module")
def photo():
    return data.camera()[200:330, 180:320].astype(np.float64)


def noisy_version(image, sigma, seed=0):
    return image + sigma * np.random.default_rng(seed).standard_normal(image.shape)


def psnr(image, other):
    return 10 * np.log10(255**2 / np.mean((image - np.clip(other, 0, 255)) ** 2))


def dictionary(n_atoms, m, seed=0):
    """Return random atoms of zero mean and unit norm."""
    W = np.random.default_rng(seed).standard_normal((n_atoms, m))
    W -= W.mean(axis=1, keepdims=True)
    return W / np.linalg.norm(W, axis=1, keepdims=True)


def both_passes(image, sigma, W, **parameters):
    ((_, pilot, final),) = Denoiser(image, sigma, W, DenoisingParameters(**parameters)).tiles()
    return pilot, final


def test_both_passes_equal_a_plain_implementation():
    sigma, window = 20.0, 4
    image = noisy_version(data.camera()[220:238, 200:217].astype(float), sigma)
    W = dictionary(24, 16)
    m = W.shape[1]
    pilot, final = both_passes(image, sigma, W, window=window, rules="authors")
    expected = plain_lssc.pilot(image, sigma, W)
    np.testing.assert_allclose(pilot, expected, atol=1e-3)
    limit = sigma / 4 * m * sigma
    expected = plain_lssc.groups(image, expected, sigma, W, window, limit)
    np.testing.assert_allclose(final, expected, atol=1e-3)


def test_psnr_rises_from_noisy_to_pilot_to_final(photo):
    for sigma in (10, 25, 50):
        noisy = noisy_version(photo, sigma)
        pilot, final = both_passes(noisy, sigma, ez.default_dictionary())
        assert psnr(photo, final) > psnr(photo, pilot) > psnr(photo, noisy) + 3


@pytest.mark.parametrize("sigma", [5.0, 30.0])
def test_rules_of_the_authors_stand_for_nine_parameters(photo, sigma):
    noisy = noisy_version(photo[:70, :80], sigma)
    nine = DenoisingParameters(distance=sigma / 4, **AUTHORS)
    expected = ez.denoise(noisy, sigma, parameters=nine)
    assert np.array_equal(ez.denoise(noisy, sigma, rules="authors"), expected)
    assert not np.array_equal(ez.denoise(noisy, sigma), expected)


def test_given_parameters_override_the_rules():
    given = DenoisingParameters(rules="authors", distance=3.0, shrink=True, group_size=5)
    completed = given.completed(10.0)
    assert (completed.distance, completed.shrink, completed.group_size) == (3.0, True, 5)
    assert (completed.spacing, completed.min_group_size, completed.noise_share) == (1000, 1, 1.0)
    assert given.grouping_rules(10.0, 64).shrink
    plain = DenoisingParameters(shrink=False).completed(9.0)
    assert (plain.shrink, plain.distance) == (False, 4.5)
    assert plain.noise_share == pytest.approx(0.46)


def test_dictionary_is_adapted_unless_noise_is_weak(photo):
    W = ez.default_dictionary()
    colours = np.repeat(photo[:40, :40, np.newaxis], 3, axis=2)
    for image, limit in ((photo[:40, :40], 8.0), (colours, 8.0 * 3**0.5)):
        for factor in (0.99, 1.01):
            denoiser = Denoiser(image, factor * limit, W, DenoisingParameters())
            assert denoiser.is_adapted == (factor > 1)
    assert not Denoiser(photo, 50.0, W, DenoisingParameters(rules="authors")).is_adapted


def test_channels_without_noise_remain_unchanged():
    rng = np.random.default_rng(0)
    grey = np.repeat(rng.uniform(50, 200, (40, 50, 1)), 3, axis=2)  # only the luminance has noise
    denoiser = Denoiser(grey, None, ez.default_dictionary(), DenoisingParameters())
    assert denoiser.sigmas[0] > 10 and max(denoiser.sigmas[1:]) < 0.1
    result = denoiser.result()
    np.testing.assert_allclose(result[..., 0], result[..., 2], atol=1e-4)


def test_weak_noise_takes_a_quarter_of_the_patches(photo):
    noisy = noisy_version(photo, 5)
    assert DenoisingParameters().completed(7.9).stride == 2
    assert DenoisingParameters().completed(8.0).stride == 1
    quarter, complete = (
        psnr(photo, ez.denoise(noisy, 5, parameters=DenoisingParameters(stride=stride)))
        for stride in (2, 1)
    )
    assert abs(quarter - complete) < 0.05


@pytest.mark.parametrize("stride", [3, 8, 100])
def test_all_pixels_are_estimated_for_any_stride(stride):
    noisy = noisy_version(data.camera()[200:277, 180:251].astype(float), 10)
    for rules in ("ezdl", "authors"):
        parameters = DenoisingParameters(stride=stride, window=4, rules=rules)
        assert np.isfinite(ez.denoise(noisy, 10, parameters=parameters)).all()


def test_kept_estimates_are_those_of_the_second_pass(photo, monkeypatch):
    noisy = noisy_version(photo, 5)
    expected = ez.denoise(noisy, 5, rules="authors")
    monkeypatch.setattr(kept_estimates, "MAX_BLOCKS", 0)
    assert np.array_equal(ez.denoise(noisy, 5, rules="authors"), expected)


def test_rules_of_ezdl_are_the_default(photo):
    noisy = noisy_version(photo[:60, :60], 20)
    assert np.array_equal(ez.denoise(noisy, 20), ez.denoise(noisy, 20, rules="ezdl"))


def test_shrinkage_is_better_than_projection(photo):
    noisy = noisy_version(photo, 30)
    shrunk = ez.denoise(noisy, 30)
    projected = ez.denoise(noisy, 30, parameters=DenoisingParameters(shrink=False))
    assert psnr(photo, shrunk) > psnr(photo, projected)


def test_adaptation_is_better_on_an_image_unlike_photographs():
    stripes = np.add.outer(np.arange(100), 2 * np.arange(90)) % 7 * 30.0
    noisy = noisy_version(stripes, 20)
    plain, adapted = ez.denoise(noisy, 20, adapt=False), ez.denoise(noisy, 20)
    assert psnr(stripes, adapted) > psnr(stripes, plain) + 0.2


@pytest.mark.parametrize("tile", [50, 64, 97])
def test_result_does_not_depend_on_tiles(photo, tile):
    noisy = noisy_version(photo, 25)
    expected = ez.denoise(noisy, 25, window=12)
    assert np.array_equal(ez.denoise(noisy, 25, window=12, tile=tile), expected)


def test_result_does_not_depend_on_the_scale(photo):
    # Training would amplify rounding errors.
    options = {"window": 8, "adapt": False}
    noisy = noisy_version(photo, 25)
    expected = ez.denoise(noisy, 25, **options)
    scaled = ez.denoise(noisy / 255, 25 / 255, white=1.0, **options)
    np.testing.assert_allclose(255 * scaled, expected, atol=0.05)
    deep = np.clip(np.rint(noisy * 257), 0, 65535).astype(np.uint16)
    np.testing.assert_allclose(
        ez.denoise(deep, 25 * 257, **options) / 257,
        ez.denoise(np.clip(noisy, 0, 255), 25, **options),
        atol=1.0,
    )


def test_colour_images_are_denoised():
    colours = data.astronaut()[100:190, 150:250].astype(float)
    noisy = noisy_version(colours, 25)
    assert psnr(colours, ez.denoise(noisy, 25)) > psnr(colours, noisy) + 7
    grey = np.repeat(noisy[..., :1], 3, axis=2)
    one = ez.denoise(grey, 25)
    np.testing.assert_allclose(one[..., 0], one[..., 2], atol=1e-3)


def test_images_without_noise_remain_unchanged(photo):
    assert np.allclose(ez.denoise(photo, 0.0), photo, atol=1e-9)
    flat = np.full((40, 50), 77.0)
    assert np.allclose(ez.denoise(flat, 25), 77.0, atol=1e-3)
    assert np.allclose(ez.denoise(flat), 77.0)


def test_strong_noise_and_values_beyond_white_are_finite(photo):
    assert np.isfinite(ez.denoise(noisy_version(photo, 200), 200)).all()
    assert np.isfinite(ez.denoise(3000 - 100 * photo, 25, window=4)).all()
    smallest = ez.denoise(noisy_version(photo[:8, :9], 10), 10)
    assert smallest.shape == (8, 9) and np.isfinite(smallest).all()


@pytest.mark.parametrize("sigma", [5, 15, 40])
def test_noise_level_is_estimated_within_5_percent(sigma):
    image = data.astronaut()[..., 1].astype(float)
    noisy, W = noisy_version(image, sigma), ez.default_dictionary()
    (found,) = Denoiser(noisy, None, W, DenoisingParameters()).sigmas
    assert abs(found - sigma) < 0.05 * sigma


@pytest.mark.parametrize(
    ("image", "options", "message"),
    [
        (np.zeros((7, 20)), {"sigma": 5}, "smaller than a patch"),
        (np.zeros((20, 20, 4)), {"sigma": 5}, "three colours"),
        (np.full((20, 20), np.nan), {"sigma": 5}, "row 0, column 0"),
        (np.full((20, 20), 1e30), {"sigma": 5}, "beyond white"),
        (np.zeros((20, 20)), {"sigma": -1}, "sigma"),
        (np.zeros((20, 20)), {"sigma": np.nan}, "sigma"),
        (np.zeros((12, 12)), {}, "pass sigma"),
        (np.zeros((20, 20)), {"sigma": 5, "W": np.ones((9, 10))}, "not square patches"),
        (np.zeros((20, 20)), {"sigma": 5, "W": np.ones((9, 16))}, "not constant"),
        (np.zeros((20, 20)), {"sigma": 5, "window": -1}, "window"),
        (np.zeros((20, 20)), {"sigma": 5, "tile": 0}, "tile"),
        (np.zeros((20, 20)), {"sigma": 5, "rules": "mine"}, "rules must be one of ezdl, authors"),
        (np.zeros((20, 20)), {"sigma": 5, "rules": ["ezdl"]}, "rules must be"),
        (np.zeros((20, 20)), {"sigma": 5, "white": 0}, "white"),
        (np.zeros((20, 20)), {"sigma": 5, "adapt": "no"}, "adapt must be true or false"),
        (
            np.zeros((20, 20)),
            {"sigma": 5, "parameters": DenoisingParameters(texture=np.nan)},
            "texture must be",
        ),
    ],
)
def test_invalid_arguments_are_rejected(image, options, message):
    with pytest.raises(ValueError, match=message):
        ez.denoise(image, **options)


def test_quantiles_are_those_of_the_chi_square_distribution():
    freedom = np.array([1.0, 58.9, 64.0, 64.0 * 384])
    np.testing.assert_allclose(
        chi_square_quantile(0.8, freedom), chi2.ppf(0.8, freedom), rtol=1e-12
    )


def test_means_of_atoms_and_constant_atoms_are_removed():
    W = np.vstack([dictionary(5, 16) + 3.0, np.ones((1, 16))])
    found = patch_dictionary(W)
    assert found.W.shape == (5, 16)
    np.testing.assert_allclose(found.W.mean(axis=1), 0.0, atol=1e-6)
    np.testing.assert_allclose(found.squares, 1.0, atol=1e-5)


def test_blocks_of_a_region_lie_on_the_grid_of_the_image():
    bounds = Region(0, 300, 0, 170)
    part = Region(70, 200, 65, 100).aligned(bounds)
    assert part == Region(64, 256, 64, 128)
    assert Region(130, 290, 0, 170).aligned(bounds) == Region(128, 300, 0, 170)
    assert set(part.split()) < set(bounds.split())
