"""The denoiser for plug-and-play methods."""

import numpy as np
import pytest
from skimage import data

import ezdl_cli as ez
from ezdl_cli.restoration.denoising_parameters import DenoisingParameters
from ezdl_cli.restoration.group_estimate import GroupEstimateWorkspace
from ezdl_cli.restoration.wiener_estimate import WienerWorkspace
from ezdl_cli.restoration.workspace_pool import WorkspacePool


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
    for image in (noisy, noisy[..., 0]):
        prior.adapt(image, 20.0)
        assert np.array_equal(prior(image, 20.0), ez.denoise(image, 20.0))


def test_white_depends_on_the_type_as_in_denoise(noisy):
    deep = np.clip(np.rint(noisy[..., 0] * 257), 1, 65534).astype(np.uint16)
    sigma = 20.0 * 257
    assert np.array_equal(ez.DenoisingPrior()(deep, sigma), ez.denoise(deep, sigma, adapt=False))


def test_workspaces_are_allocated_in_the_first_call_only(noisy, monkeypatch):
    prior = ez.DenoisingPrior()
    allocated = []
    monkeypatch.setenv("EZDL_THREADS", "1")
    for kind in (GroupEstimateWorkspace, WienerWorkspace):

        def counted(*rules, kind=kind, allocate=kind.of):
            allocated.append(kind)
            return allocate(*rules)

        monkeypatch.setattr(kind, "of", counted)
    for _ in range(3):
        prior(noisy, 20.0)
    assert allocated == [GroupEstimateWorkspace] * 2 + [WienerWorkspace]  # for three passes


def test_workspaces_are_lent_to_one_borrower_at_a_time():
    pool = WorkspacePool()
    with (
        pool.borrow("a", list) as first,
        pool.borrow("a", list) as second,
        pool.borrow("b", list) as other,
    ):
        assert len({id(one) for one in (first, second, other)}) == 3
    with pool.borrow("a", list) as again:
        assert again is first


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
