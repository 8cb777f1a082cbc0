"""Whitening against its definition."""

import numpy as np
import pytest

import ezdl_cli as ez
from ezdl_cli.samples import store as samples
from ezdl_cli.samples.whitening import whiten


@pytest.fixture
def pixels():
    """Return correlated patches of 4 × 4 pixels."""
    rng = np.random.default_rng(0)
    mixed = rng.standard_normal((5000, 16)) @ rng.standard_normal((16, 16))
    return np.clip(8 * mixed + 100 + np.arange(16), 0, 255).astype(np.uint8)


def whitened(pixels, found):
    with whiten(samples.Samples(pixels), found) as blocks:
        return np.concatenate(list(blocks)).astype(np.float64)


def test_whitened_samples_have_zero_mean_and_unit_covariance(pixels):
    z = whitened(pixels, ez.fit_whitening(pixels, 10))
    assert z.shape == (5000, 10)
    np.testing.assert_allclose(z.mean(axis=0), 0.0, atol=1e-5)
    np.testing.assert_allclose(z.T @ z / len(z), np.eye(10), atol=1e-5)


def test_whitening_and_dewhitening_project_onto_the_components(pixels):
    found = ez.fit_whitening(pixels, 10)
    projector = found.dewhitening @ found.whitening
    centred = pixels - pixels.mean(axis=1, keepdims=True)
    _, vectors = np.linalg.eigh(np.cov(centred.T, bias=True))
    directions = vectors[:, ::-1][:, :10]
    np.testing.assert_allclose(projector, directions @ directions.T, atol=1e-9)


def test_all_components_restore_the_patches(pixels):
    found = ez.fit_whitening(pixels, 15)
    back = found.inverse_transform(found.transform(pixels))
    np.testing.assert_allclose(back, pixels - pixels.mean(axis=1, keepdims=True), atol=1e-9)


def test_whitening_does_not_depend_on_the_mean_of_a_patch(pixels):
    found = ez.fit_whitening(pixels, 10)
    x = pixels[:50].astype(np.float64)
    np.testing.assert_allclose(found.transform(x), found.transform(x + 17.0), atol=1e-9)


def test_covariance_does_not_depend_on_chunks(pixels, monkeypatch):
    expected = ez.fit_whitening(pixels, 10)
    monkeypatch.setattr(samples, "CHUNK_BYTES", 1000)
    parts = ez.fit_whitening(pixels, 10)
    for name in ("whitening", "dewhitening", "mean", "variances"):
        np.testing.assert_array_equal(getattr(expected, name), getattr(parts, name))


def test_fractions_far_from_zero_are_whitened(pixels):
    x = pixels / 64.0 + 1e6
    z = whitened(x, ez.fit_whitening(x, 10))
    np.testing.assert_allclose(z.T @ z / len(z), np.eye(10), atol=1e-6)


def test_components_without_variance_are_rejected(pixels):
    with pytest.raises(ValueError, match="components"):
        ez.fit_whitening(pixels, 16)
    with pytest.raises(ValueError, match="at most 3, "):
        ez.fit_whitening(pixels[:4], 10)
    with pytest.raises(ValueError, match="at most 0, "):
        ez.fit_whitening(np.full((100, 16), 9, np.uint8), 10)
