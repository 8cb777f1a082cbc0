"""Time and accuracy of products with the projection's Jacobian."""

import numpy as np
import pytest

from ezdl_cli.experiments import projection_gradients as experiment


@pytest.fixture
def vectors():
    return np.random.default_rng(0).standard_normal((2, 20, 50))


def test_errors_are_small_and_measured_for_short_vectors_only(monkeypatch):
    monkeypatch.setattr(experiment, "BATCH_ENTRIES", 1 << 9)
    table = experiment.gradient_accuracy(range(6, 11, 2), repeats=1, seed=2)
    assert table["n"] == [64, 256, 1024]
    assert all(seconds > 0.0 for seconds in table["seconds"])
    assert all(error < 1e-6 for error in table["relative_error"][:2])
    assert np.isnan(table["relative_error"][2]) and table["vectors"][2] == 0
    assert min(table["vectors"][:2]) > 150


def test_wrong_product_is_noticed(monkeypatch, vectors):
    x, y = vectors
    correct = experiment.projection_gradient
    monkeypatch.setattr(
        experiment, "projection_gradient", lambda *arguments: 1.001 * correct(*arguments)
    )
    error, n_compared = experiment.largest_relative_error(x, y, 0.8)
    assert error == pytest.approx(1e-3, rel=0.01)
    assert n_compared == 20


def test_vectors_whose_support_changes_are_left_out(monkeypatch, vectors):
    x, y = vectors
    monkeypatch.setattr(experiment, "STEP", 0.5)
    assert experiment.largest_relative_error(x, y, 0.8)[1] < 20


def test_vectors_with_two_survivors_are_left_out():
    x, y = np.random.default_rng(0).standard_normal((2, 5, 2))
    error, n_compared = experiment.largest_relative_error(x, y, 0.8)
    assert np.isnan(error) and n_compared == 0
