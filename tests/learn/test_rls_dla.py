"""RLS-DLA against the weighted least-squares problem that it solves."""

import numpy as np
import pytest
from helpers.learn_samples import patches

import ezdl_cli as ez
from ezdl_cli.learn.rls_dla import RLSDLAParameters, forgetting
from ezdl_cli.learn.training import initial_dictionary, train
from ezdl_cli.samples.store import Samples


def plain_epoch(W, X, n_nonzero, first, normalise_after=None):
    """Return the dictionary after one epoch, by solving the entire problem for each sample.

    D minimises Σ weight ‖x - D w‖² over all samples so far, plus the squared distance to the
    initial D with the weight of a sample before the first.
    """
    D = W.T.copy()
    factors = forgetting(np.arange(len(X)), first, len(X))
    moments, products = np.eye(len(W)), D.copy()
    for i, x in enumerate(X):
        w = ez.ormp(x[np.newaxis], np.ascontiguousarray(D.T), n_nonzero)[0]
        moments = factors[i] * moments + np.outer(w, w)
        products = factors[i] * products + np.outer(x, w)
        D = np.linalg.solve(moments, products.T).T
        if normalise_after is not None and (i + 1) % normalise_after == 0:
            lengths = np.linalg.norm(D, axis=0)
            D = D / lengths
            moments = moments * np.outer(lengths, lengths)
            products = products * lengths
    return D.T


@pytest.mark.parametrize(("n_nonzero", "first"), [(1, 0.99), (3, 0.95), (4, 1.0)])
def test_epoch_solves_the_least_squares_problem(n_nonzero, first):
    samples = Samples(patches(side=5))
    parameters = RLSDLAParameters(n_nonzero, first)
    W = initial_dictionary(samples, 40, 0, parameters, np.float64)
    indices = np.random.default_rng(1).integers(len(samples), size=500)
    expected = plain_epoch(W, samples.pick(indices, dtype=np.float64), n_nonzero, first)
    lengths = np.linalg.norm(expected, axis=1, keepdims=True)
    parameters.learner(W, 500).learn(samples, indices, 1, None)
    np.testing.assert_allclose(W, expected / lengths, atol=1e-9)


def test_normalisation_between_epochs_changes_only_norms():
    samples = Samples(patches(side=5))
    parameters = RLSDLAParameters(3, 0.97)
    W = initial_dictionary(samples, 40, 0, parameters, np.float64)
    X = samples.pick(np.arange(500), dtype=np.float64)
    expected = plain_epoch(W, X, 3, 0.97, normalise_after=50)
    learner = parameters.learner(W, 500)
    for epoch in range(10):  # atoms are normalised after each
        learner.learn(samples, np.arange(50 * epoch, 50 * epoch + 50), epoch + 1, None)
    np.testing.assert_allclose(W, expected, atol=1e-9)


def test_single_precision_stays_near_double():
    samples = Samples(patches(side=5))
    parameters = RLSDLAParameters(3, 0.99)
    errors = []
    for dtype in (np.float32, np.float64):
        W = initial_dictionary(samples, 40, 0, parameters, dtype)
        learner = parameters.learner(W, 20_000)
        for epoch in range(1, 11):
            indices = np.random.default_rng(epoch).integers(len(samples), size=2000)
            numbers = learner.learn(samples, indices, epoch, None)
        errors.append(numbers["error"])
    assert errors[0] == pytest.approx(errors[1], rel=0.02)
    assert errors[1] < 0.2


def test_forgetting_is_a_cubic_that_ends_at_one():
    numbers = np.arange(1001)
    found = forgetting(numbers, 0.99, 1000)
    np.testing.assert_allclose(found, 1 - 0.01 * (1 - numbers / 1000) ** 3)
    assert (forgetting(np.arange(1000, 2000), 0.99, 1000) == 1.0).all()


def snapshots(parameters, n_epochs):
    """Return the dictionaries after each epoch of a training."""
    samples = Samples(patches(side=5))
    W = initial_dictionary(samples, 40, 0, parameters)
    learner, found = parameters.learner(W, 300 * n_epochs), []
    train(learner, samples, 1, n_epochs, 300, 0, lambda epoch, one, _: found.append(one.W.copy()))
    return found


def test_forgetting_lasts_for_the_training_by_default():
    given = snapshots(RLSDLAParameters(3, 0.9, forgetting_samples=600), 2)
    np.testing.assert_array_equal(given, snapshots(RLSDLAParameters(3, 0.9), 2))


def test_short_training_with_a_long_schedule_is_the_start_of_a_long_one():
    short = snapshots(RLSDLAParameters(3, 0.9, forgetting_samples=1200), 2)
    np.testing.assert_array_equal(short, snapshots(RLSDLAParameters(3, 0.9), 4)[:2])
    assert not np.array_equal(short, snapshots(RLSDLAParameters(3, 0.9), 2))


@pytest.mark.parametrize("first", [0.5, 1e-3])
def test_unused_atoms_stay_finite(first):
    samples = Samples(np.eye(8)[np.random.default_rng(0).integers(2, size=5000)])
    parameters = RLSDLAParameters(1, first)
    W = initial_dictionary(samples, 10, 0, parameters)
    learner = parameters.learner(W, 10**7)
    for epoch in (1, 2, 3):
        learner.learn(samples, np.arange(5000), epoch, None)
    assert np.isfinite(W).all() and np.isfinite(learner.state["C"]).all()


@pytest.mark.parametrize(
    "bad",
    [
        {"n_nonzero": 0},
        {"n_nonzero": 17},
        {"forgetting": 0.0},
        {"forgetting": 1.1},
        {"forgetting_samples": 0},
        {"forgetting_samples": 1.5},
    ],
)
def test_parameters_out_of_range_are_rejected(bad):
    with pytest.raises(ValueError):
        initial_dictionary(Samples(patches()), 24, 0, RLSDLAParameters(**bad))
