"""The third pass of denoising: against a plain implementation, and its properties."""

import numpy as np
import pytest
from helpers import plain_refinement
from skimage import data

import ezdl_cli as ez
from ezdl_cli.restoration import refinement
from ezdl_cli.restoration.denoising_parameters import DenoisingParameters
from ezdl_cli.restoration.refinement import Refinement
from ezdl_cli.restoration.regions import Region
from ezdl_cli.restoration.workspace_pool import WorkspacePool


def channels(n_channels, height=37, width=30):
    """Return noisy and less noisy channels of a photograph, which has no equal patches."""
    rng = np.random.default_rng(0)
    photo = np.moveaxis(data.astronaut()[100:][:height, 150 : 150 + width], -1, 0).astype(float)
    return [
        photo[:n_channels] + sigma * rng.standard_normal((n_channels, height, width))
        for sigma in (20.0, 5.0)
    ]


def refine(noisy, guide, sigmas, tile=None):
    image = Region(0, noisy.shape[1], 0, noisy.shape[2])
    tile = tile or image
    passes = Refinement(image, sigmas, 32, WorkspacePool())
    part = passes.guide_region(tile).slices
    return passes.estimate(noisy[:, *part], guide[:, *part], tile)


@pytest.mark.parametrize("sigmas", [(20.0,), (20.0, 15.0, 10.0)])
def test_refinement_equals_a_plain_implementation(monkeypatch, sigmas):
    # No patches but the nearest ones of a fixed number: any other is too far away.
    monkeypatch.setattr(refinement, "DISTANCE", 0.0)
    noisy, guide = channels(len(sigmas))
    expected = plain_refinement.refine(
        noisy,
        guide,
        sigmas,
        side=refinement.SIDE,
        radius=refinement.RADIUS,
        stride=refinement.STRIDE,
        size=refinement.MIN_GROUP_SIZE[len(sigmas)],
        luminance_weight=refinement.LUMINANCE_WEIGHT,
    )
    np.testing.assert_allclose(refine(noisy, guide, sigmas), expected, atol=2e-3)


def test_tiles_have_the_estimates_of_the_entire_image():
    noisy, guide = channels(3, 150, 140)
    expected = refine(noisy, guide, (20.0, 20.0, 20.0))
    for tile in (Region(0, 33, 0, 140), Region(70, 131, 50, 99), Region(149, 150, 139, 140)):
        part = refine(noisy, guide, (20.0, 20.0, 20.0), tile)
        assert np.array_equal(part, expected[:, *tile.slices])


def test_perfect_guide_of_equal_patches_is_returned():
    guide = np.full((1, 30, 30), 77.0)
    noisy = guide + np.random.default_rng(0).standard_normal(guide.shape)
    found = refine(noisy, guide, (1.0,))
    assert np.sqrt(np.mean((found - guide) ** 2)) < 0.05


def test_images_smaller_than_a_patch_of_the_refinement_are_refined():
    noisy, guide = channels(1, 4, 9)
    assert np.isfinite(refine(noisy, guide, (20.0,))).all()


@pytest.mark.parametrize("n_channels", [1, 3])
def test_refinement_improves_photographs(n_channels):
    clean = data.astronaut()[60:190, 140:270].astype(float)
    clean = clean if n_channels == 3 else clean[..., 1]
    for sigma in (10, 30):
        noisy = clean + sigma * np.random.default_rng(0).standard_normal(clean.shape)
        errors = [
            np.mean((ez.denoise(noisy, sigma, parameters=parameters) - clean) ** 2)
            for parameters in (DenoisingParameters(), DenoisingParameters(refine=False))
        ]
        assert errors[0] < 0.99 * errors[1]
