"""ODL against a plain implementation of the algorithm of Mairal et al."""

import numpy as np
import pytest
from helpers.learn_samples import patches

import ezdl_cli as ez
from ezdl_cli.learn.odl import ODLParameters, discount
from ezdl_cli.learn.training import initial_dictionary
from ezdl_cli.samples.store import Samples


def plain_epoch(W, X, alpha, size):
    """Return dictionary, A and mean objective after one epoch, by the formulas of Mairal et al."""
    W = W.copy()
    A, B = np.zeros((len(W), len(W))), np.zeros(W.shape)
    objectives = []
    for t, start in enumerate(range(0, len(X), size), 1):
        x = X[start : start + size]
        h = ez.lasso(x, W, alpha)
        objectives.extend(objective(x, h, W, alpha))
        beta = ((t - 1) / t) ** 5
        A = beta * A + h.T @ h / len(x)
        B = beta * B + h.T @ x / len(x)
        for j in np.flatnonzero(np.diag(A) > 0):
            u = W[j] + (B[j] - A[j] @ W) / A[j, j]
            W[j] = u / max(np.linalg.norm(u), 1.0)
    return W, A, np.mean(objectives)


def objective(X, H, W, alpha):
    residuals = X - H @ W
    return 0.5 * np.square(residuals).sum(axis=1) + alpha * np.abs(H).sum(axis=1)


@pytest.mark.parametrize(("alpha", "size"), [(0.5, 64), (1.5, 512), (1.0, 1), (1.0, 7)])
def test_epoch_equals_the_plain_implementation(alpha, size):
    samples = Samples(patches(side=5))
    parameters = ODLParameters(alpha, size)
    W = initial_dictionary(samples, 22, 0, parameters, np.float64)
    indices = np.random.default_rng(1).integers(len(samples), size=600)
    expected, A, value = plain_epoch(W, samples.pick(indices, dtype=np.float64), alpha, size)
    learner = parameters.learner(W, 600)
    numbers = learner.learn(samples, indices, 1, np.random.default_rng(0))
    used = np.diag(A) > 1e-5
    assert used.sum() > 15
    assert numbers["objective"] == pytest.approx(value, rel=1e-9)
    lengths = np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(W[used], (expected / lengths)[used], atol=1e-8)


def test_discount_rises_towards_one():
    assert discount(1, 5) == 0.0
    assert discount(2, 5) == 1 / 32
    shares = [discount(t, 5) for t in range(1, 100)]
    assert shares == sorted(shares) and shares[-1] < 1.0


def test_learning_lowers_the_objective_on_other_samples():
    samples, others = Samples(patches(side=5)), Samples(patches(seed=1, side=5))
    x = others.pick(np.arange(500), dtype=np.float64)
    learned = ez.ODL(30, 1.0, 64, n_epochs=5, samples_per_epoch=2000, random_state=0).fit(samples)
    before = initial_dictionary(samples, 30, 0, ODLParameters(1.0)).astype(float)
    after = learned.components_.astype(float)
    values = [objective(x, ez.lasso(x, W, 1.0), W, 1.0).mean() for W in (before, after)]
    assert values[1] < 0.95 * values[0]


def test_objective_on_other_samples_is_that_of_spams_if_installed():
    spams = pytest.importorskip("spams")
    samples, others = Samples(patches(side=6)), Samples(patches(seed=1, side=6))
    X = samples.pick(np.arange(len(samples)), dtype=np.float64)
    x = others.pick(np.arange(1000), dtype=np.float64)
    for alpha in (0.5, 2.0):
        parameters = ODLParameters(alpha, 64)
        W = initial_dictionary(samples, 50, 0, parameters, np.float64)
        theirs = spams.trainDL(
            np.asfortranarray(X.T),
            D=np.asfortranarray(W.T),
            lambda1=alpha,
            mode=2,
            batchsize=64,
            numThreads=1,
            iter=8 * len(X) // 64,
            verbose=False,
        ).T
        learner = parameters.learner(W, 8 * len(X))
        for epoch in range(8):
            rng = np.random.default_rng(epoch)
            learner.learn(samples, rng.permutation(len(X)), epoch + 1, rng)
        ours, expected = (
            objective(x, ez.lasso(x, D, alpha), D, alpha).mean()
            for D in (W, np.ascontiguousarray(theirs))
        )
        assert ours <= 1.005 * expected


def test_unused_atoms_are_replaced_by_samples():
    samples = Samples(np.abs(np.random.default_rng(0).standard_normal((500, 8))))
    parameters = ODLParameters(alpha=1.0)
    W = initial_dictionary(samples, 12, 0, parameters, np.float64)
    W[3] = 0.0
    learner = parameters.learner(W, 1)
    learner.learn(samples, np.arange(500), 1, np.random.default_rng(0))
    unit = samples.array / np.linalg.norm(samples.array, axis=1, keepdims=True)
    assert np.isclose(np.abs(unit - W[3]).max(axis=1).min(), 0.0, atol=1e-12)


def test_penalty_above_all_responses_gives_zero_codes():
    samples = Samples(patches())
    parameters = ODLParameters(alpha=100.0)
    W = initial_dictionary(samples, 12, 0, parameters)
    numbers = parameters.learner(W, 1).learn(samples, np.arange(100), 1, np.random.default_rng(0))
    assert numbers["nonzeros"] == 0 and np.isfinite(W).all()


@pytest.mark.parametrize("bad", [{"alpha": 0.0}, {"alpha": np.nan}, {"batch_size": 0}])
def test_parameters_out_of_range_are_rejected(bad):
    with pytest.raises(ValueError):
        initial_dictionary(Samples(patches()), 12, 0, ODLParameters(**bad))
