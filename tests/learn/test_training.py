"""The training loop, with all learners."""

import numpy as np
import pytest
from helpers.learn_samples import patches

from ezdl_cli.learn import ezdl, odl, rls_dla
from ezdl_cli.learn.training import initial_dictionary, learn_epoch, train
from ezdl_cli.samples.store import Samples

LEARNERS = {
    "ezdl": ezdl.EZDLParameters(sparseness=0.9, noise=0.2),
    "odl": odl.ODLParameters(alpha=1.0, batch_size=64),
    "rls-dla": rls_dla.RLSDLAParameters(n_nonzero=3, forgetting=0.98),
}


class RecordedSamples(Samples):
    """Samples that record which ones were picked."""

    def __init__(self, array):
        super().__init__(array)
        self.picked = []

    def pick(self, indices, out=None, dtype=np.float32):
        self.picked.append(np.array(indices))
        return super().pick(indices, out, dtype)


def start(name, samples, n_epochs=6):
    parameters = LEARNERS[name]
    W = initial_dictionary(samples, 24, 5, parameters)
    return parameters.learner(W, n_epochs * 500)


@pytest.mark.parametrize("name", LEARNERS)
def test_resumed_training_ends_with_the_same_bits(name):
    samples = Samples(patches())
    saved = {}

    def save(epoch, learner, _):
        saved[epoch] = [array.copy() for array in (learner.W, *learner.state.values())]

    expected = start(name, samples)
    train(expected, samples, 1, 6, 500, 5, save)
    resumed = start(name, samples)
    resumed.W[:] = saved[3][0]
    for array, then in zip(resumed.state.values(), saved[3][1:], strict=True):
        array[:] = then
    train(resumed, samples, 4, 6, 500, 5, lambda *_: None)
    np.testing.assert_array_equal(resumed.W, expected.W)


def test_all_learners_see_the_same_samples_in_the_same_order():
    seen = {}
    for name in LEARNERS:
        samples = RecordedSamples(patches())
        learner = start(name, samples)
        samples.picked.clear()
        train(learner, samples, 1, 1, 500, 5, lambda *_: None)
        seen[name] = np.concatenate(samples.picked)[:500]
    np.testing.assert_array_equal(seen["ezdl"], seen["odl"])
    np.testing.assert_array_equal(seen["ezdl"], seen["rls-dla"])


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("x", [np.zeros((50, 6)), np.ones((50, 6)), np.eye(50, 6)])
def test_constant_and_sparse_samples_give_finite_atoms(name, x):
    samples = Samples(x)
    learner = start(name, samples)
    for epoch in (1, 2):
        learner.learn(samples, np.arange(50), epoch, np.random.default_rng(0))
    assert np.isfinite(learner.W).all()
    np.testing.assert_allclose(np.linalg.norm(learner.W, axis=1), 1.0, atol=1e-5)


@pytest.mark.parametrize("name", LEARNERS)
def test_duplicate_atoms_stay_finite(name):
    samples = Samples(patches())
    learner = start(name, samples)
    learner.W[1:12] = learner.W[0]
    learner.W[12] = -learner.W[0]
    for epoch in (1, 2):
        learner.learn(samples, np.arange(1000), epoch, np.random.default_rng(0))
    assert np.isfinite(learner.W).all()


def test_error_asks_to_scale_down_samples_that_overflow():
    samples = Samples(np.random.default_rng(0).standard_normal((600, 16)) * 1e200)
    with pytest.raises(ValueError, match="scale the samples"):
        train(start("odl", samples), samples, 1, 2, 500, 0, lambda *_: None)


@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1e-6, 1e6, 1e30, 1e300])
def test_rls_dla_learns_from_samples_of_any_scale(scale):
    x = np.random.default_rng(0).standard_normal((600, 16))
    errors = []
    for samples in (Samples(x * 2.0**11), Samples(x * scale)):
        learner = start("rls-dla", samples)
        for epoch in (1, 2, 3):
            numbers = learner.learn(samples, np.arange(600), epoch, None)
        errors.append(numbers["error"])
    assert errors[1] == pytest.approx(errors[0], rel=0.05)


@pytest.mark.parametrize("name", LEARNERS)
def test_samples_of_another_length_are_rejected(name):
    samples = Samples(patches())
    learner = start(name, samples)
    others = Samples(patches(side=3))
    with pytest.raises(ValueError, match="do not fit"):
        learn_epoch(learner, others, np.arange(10), 1, np.random.default_rng(0))
