"""Activity of the atoms in an epoch, against a plain implementation."""

import numpy as np
import pytest
from helpers import plain_ezdl as plain
from helpers.learn_samples import patches

from ezdl_cli.learn.activity import EpochActivity
from ezdl_cli.learn.ezdl import EZDLParameters
from ezdl_cli.learn.training import initial_dictionary
from ezdl_cli.samples.store import Samples

NAMES = ("never_active", "population_sparseness", "lifetime_sparseness")


def learn(parameters, dtype, activity_epochs, n_samples=1500):
    """Return the initial and the final dictionary, the samples and statistics of an epoch."""
    samples = Samples(patches())
    W = initial_dictionary(samples, 24, 0, parameters, dtype)
    first = W.copy()
    indices = np.random.default_rng(1).integers(len(samples), size=n_samples)
    learner = parameters.learner(W, 1)
    learner.activity_epochs = activity_epochs
    found = learner.learn(samples, indices, 2, np.random.default_rng(3))
    return first, W, samples.pick(indices, dtype=dtype), found


@pytest.mark.parametrize("sparseness", [0.7, 0.9, 0.995])
def test_activity_equals_the_plain_implementation(sparseness):
    p = EZDLParameters(sparseness=sparseness, step_size=0.1)
    W, _, X, found = learn(p, np.float64, (1, 2))
    _, _, codes = plain.epoch_with_codes(W, X, 2, p)
    expected = plain.activity(codes)
    assert [found[name] for name in NAMES] == pytest.approx(expected, abs=1e-6)
    assert found["population_sparseness"] == pytest.approx(sparseness)


def test_activity_is_that_of_codes_before_noise():
    p = EZDLParameters(sparseness=0.995, noise=0.1, noise_decay=0.5, step_size=0.1)
    W, _, X, found = learn(p, np.float64, (2,), n_samples=512)
    noise = 0.05 * np.random.default_rng(3).standard_normal((512, 24))
    _, _, codes = plain.epoch_with_codes(W, X, 2, p, noise=noise)
    assert [found[name] for name in NAMES] == pytest.approx(plain.activity(codes), abs=1e-6)
    assert found["population_sparseness"] == pytest.approx(0.995)


def test_atoms_that_no_sample_resembles_are_never_active():
    x = np.zeros((300, 8))
    x[:, :2] = [5.0, 4.0] + 0.3 * np.random.default_rng(0).standard_normal((300, 2))
    p = EZDLParameters(sparseness=0.99, step_size=0.01)
    learner = p.learner(np.eye(8), 1)
    learner.activity_epochs = (1,)
    assert learner.learn(Samples(x), np.arange(300), 1, None)["never_active"] == 6


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_measuring_does_not_change_the_dictionary(noise):
    p = EZDLParameters(sparseness=0.8, noise=noise)
    _, measured, _, _ = learn(p, np.float32, (2,))
    _, other, _, found = learn(p, np.float32, (1, 3))
    np.testing.assert_array_equal(measured, other)
    assert list(found) == ["correlation"]


def test_codes_of_zeros_have_no_sparseness():
    activity = EpochActivity(5)
    activity.add(np.zeros((300, 5)))
    assert activity.statistics() == {"never_active": 5.0}
