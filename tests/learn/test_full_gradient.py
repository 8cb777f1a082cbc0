"""EZDL with the gradient of the inference model, against finite differences and a plain version."""

import numpy as np
import pytest
from helpers import plain_ezdl as plain
from helpers.learn_samples import patches

import ezdl_cli as ez
from ezdl_cli.core.target_sparseness import TargetSparseness
from ezdl_cli.learn.ezdl import EZDLParameters
from ezdl_cli.learn.ezdl_full_update import multiply_jacobian
from ezdl_cli.learn.training import initial_dictionary, train
from ezdl_cli.samples.store import Samples


def correlation(W, x, sparseness):
    h = ez.project(W @ x, sparseness, norm=1.0)
    return plain.correlation_and_gradient(W.T @ h, x)[0]


@pytest.mark.parametrize("sparseness", [0.05, 0.5, 0.8, 0.95])
def test_update_is_the_gradient_of_the_correlation(sparseness):
    """After a step from atoms of unit norm, atoms are normalised, which is undone here."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(16)
    W = rng.standard_normal((12, 16))
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    eps, differences = 1e-6, np.zeros_like(W)
    for index in np.ndindex(W.shape):
        ends = []
        for sign in (1, -1):
            moved = W.copy()
            moved[index] += sign * eps
            ends.append(correlation(moved, x, sparseness))
        differences[index] = (ends[0] - ends[1]) / (2 * eps)
    eta, new = 1e-3, W.copy()
    p = EZDLParameters(sparseness=sparseness, step_size=eta, gradient="full")
    p.learner(new, 1).learn(Samples(x[np.newaxis]), np.zeros(1, int), 1, None)
    expected = W + eta * differences
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose((new - W) / eta, (expected - W) / eta, atol=1e-6)
    assert np.abs(differences).max() > 0.01


@pytest.mark.parametrize("n", [2, 5, 40])
@pytest.mark.parametrize("sparseness", [0.01, 0.6, 0.97])
def test_product_with_the_jacobian_equals_the_projection_gradient(n, sparseness):
    rng = np.random.default_rng(n)
    u, y = rng.standard_normal((2, n))
    h = ez.project(u, sparseness, norm=1.0)
    support = np.flatnonzero(h)
    found = y[support]
    target = TargetSparseness.of(n, sparseness)
    multiply_jacobian(u, target, support, h[support], support.size, n, found)
    expected = ez.projection_gradient(u, sparseness, y)
    np.testing.assert_allclose(found, expected[support], rtol=1e-7, atol=1e-9)
    assert not np.delete(expected, support).any()


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_epoch_equals_the_plain_implementation(noise):
    samples = Samples(patches())
    p = EZDLParameters(sparseness=0.8, step_size=0.3, noise=noise, gradient="full")
    W = initial_dictionary(samples, 24, 0, p, np.float64)
    X = samples.pick(np.arange(300), dtype=np.float64)
    drawn = noise * np.random.default_rng(3).standard_normal((300, 24))
    expected, correlation = plain.epoch(W, X, 1, p, noise=drawn)
    found = p.learner(W, 1).learn(samples, np.arange(300), 1, np.random.default_rng(3))
    assert found["correlation"] == pytest.approx(correlation, abs=1e-7)
    np.testing.assert_allclose(W, expected, atol=1e-5)


def test_learning_raises_the_correlation():
    samples = Samples(patches())
    p = EZDLParameters(sparseness=0.8, gradient="full")
    W = initial_dictionary(samples, 24, 0, p)
    history = []
    train(p.learner(W, 1), samples, 1, 10, 1000, 0, lambda *_: history.append(_[2]))
    assert history[-1]["correlation"] > history[0]["correlation"] + 0.02


@pytest.mark.parametrize("scale", [0.0, 1.0])
def test_samples_without_a_gradient_give_finite_atoms(scale):
    x = np.full((50, 6), scale)
    x[10:] = np.arange(6.0)
    x[20:30] = np.tile([1.0, -1.0], 3)  # tied responses
    W = np.vstack([np.eye(6), -np.eye(6)])
    p = EZDLParameters(sparseness=0.9, gradient="full")
    p.learner(W, 1).learn(Samples(x), np.arange(50), 1, None)
    assert np.isfinite(W).all()
