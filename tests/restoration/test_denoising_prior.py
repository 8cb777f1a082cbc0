"""The denoiser for plug-and-play methods."""

import numpy as np
import pytest
from skimage import data

import ezdl_cli as ez
from ezdl_cli.restoration import dictionary_passes
from ezdl_cli.restoration.denoising_parameters import DenoisingParameters


@pytest.fixture(scope="module")
def noisy():
    clean = data.astronaut()[100:180, 150:240].astype(float)
    return clean + 20 * np.random.default_rng(0).standard_normal(clean.shape)


def error(x):
    return np.mean((x - data.astronaut()[100:180, 150:240]) ** 2)


def test_calls_equal_denoise(noisy):
    prior = ez.DenoisingPrior()
    for image in (noisy, noisy[..., 0], noisy[:50, :60]):
        for sigma in (20.0, 5.0):
            assert np.array_equal(prior(image, sigma), ez.denoise(image, sigma, adapt=False))
    prior.adapt(noisy[..., 0], 20.0)
    assert np.array_equal(prior(noisy[..., 0], 20.0), ez.denoise(noisy[..., 0], 20.0))


def test_workspaces_are_allocated_in_the_first_call_only(noisy, monkeypatch):
    prior = ez.DenoisingPrior()
    allocated = []
    allocate = dictionary_passes.GroupEstimateWorkspace.of
    monkeypatch.setenv("EZDL_THREADS", "1")
    monkeypatch.setattr(
        dictionary_passes.GroupEstimateWorkspace,
        "of",
        lambda *rules: allocated.append(rules) or allocate(*rules),
    )
    for _ in range(3):
        prior(noisy, 20.0)
    assert len(allocated) == 2  # of the first and the second pass


def test_guide_replaces_the_first_pass(noisy):
    prior = ez.DenoisingPrior()
    first = prior(noisy, 20.0)
    again = prior(noisy, 20.0, guide=first)
    assert not np.array_equal(again, first)
    assert error(again) < 1.05 * error(first)
    useless = prior(noisy, 20.0, guide=np.random.default_rng(0).permutation(noisy))
    assert error(useless) > 1.05 * error(first)


def test_parameters_and_white_are_those_of_denoise(noisy):
    parameters = DenoisingParameters(window=6, refine=False)
    prior = ez.DenoisingPrior(parameters=parameters, white=1.0)
    expected = ez.denoise(
        noisy[..., 0],
        20.0,
        adapt=False,
        parameters=DenoisingParameters(window=6, refine=False, adapt=False),
    )
    np.testing.assert_allclose(255 * prior(noisy[..., 0] / 255, 20 / 255), expected, atol=0.05)


def test_clipped_values_are_not_corrected():
    noise = 20 * np.random.default_rng(0).standard_normal((60, 60))
    dark = np.clip(5 + noise, 0, 255)
    assert abs(ez.denoise(dark, 20.0).mean() - 5) < 1.5
    assert abs(ez.DenoisingPrior()(dark, 20.0).mean() - dark.mean()) < 0.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.zeros((20, 20)), -1.0), "sigma"),
        ((np.zeros((20, 20)), 5.0, np.zeros((20, 21))), "guide must have the shape"),
        ((np.zeros((20, 20)), 5.0, np.full((20, 20), np.nan)), "row 0, column 0"),
        ((np.zeros((5, 20)), 5.0), "smaller than a patch"),
    ],
)
def test_invalid_arguments_are_rejected(arguments, message):
    with pytest.raises(ValueError, match=message):
        ez.DenoisingPrior()(*arguments)
    with pytest.raises(ValueError, match="rules"):
        ez.DenoisingPrior(parameters=DenoisingParameters(rules="mine"))
