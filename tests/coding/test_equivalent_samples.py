"""Samples that stand for a large group."""

import numpy as np
import pytest

from ezdl_cli.coding.equivalent_samples import EquivalentSamples, Samples, equivalent_samples


@pytest.mark.parametrize(("m", "d"), [(200, 64), (70, 128), (20, 64)])
def test_products_of_all_entries_are_the_same(m, d):
    """Also if there are fewer samples than entries, so that their products are singular."""
    samples = Samples.of(m + 3, d)
    X = np.random.default_rng(m).standard_normal((m + 3, d)) @ np.diag(np.linspace(0, 100, d))
    samples.rows[:] = X
    found = EquivalentSamples.of(d)
    equivalent_samples(samples, m, found)
    expected = X[:m].T @ X[:m]
    tolerance = 1e-4 * np.abs(expected).max()
    np.testing.assert_allclose(found.samples.T @ found.samples, expected, atol=tolerance)
    assert np.array_equal(found.samples, np.triu(found.samples))


def test_samples_of_zeros_stay_zeros():
    samples, found = Samples.of(100, 64), EquivalentSamples.of(64)
    equivalent_samples(samples, 100, found)
    assert not found.samples.any()
