"""EZDL against a plain implementation of the paper's algorithm."""

import numpy as np
import pytest
from helpers import plain_ezdl as plain
from helpers.learn_samples import patches
from scipy.optimize import check_grad

from ezdl_cli.learn.ezdl import EZDLParameters
from ezdl_cli.learn.training import initial_dictionary, train
from ezdl_cli.samples.store import Samples


def learn_epoch(W, samples, indices, epoch, parameters, stream):
    """Train the dictionary for an epoch, in place; return the mean correlation."""
    return parameters.learner(W, 1).learn(samples, indices, epoch, stream)["correlation"]


VARIANTS = {
    "ordinary": EZDLParameters(sparseness=0.8),
    "sparser": EZDLParameters(sparseness=0.95, step_size=0.25),
    "hardly sparse": EZDLParameters(sparseness=0.1),
    "topographic": EZDLParameters(sparseness=0.7, inference="topographic", grid=(4, 6)),
    "wide pooling": EZDLParameters(sparseness=0.7, inference="topographic", grid=(6, 4), pooling=1),
    "rank": EZDLParameters(sparseness=0.7, inference="rank", grid=(4, 6)),
    "rank two": EZDLParameters(sparseness=0.7, inference="rank", grid=(6, 4), code_rank=2),
    "sparse atoms": EZDLParameters(sparseness=0.8, atom_sparseness=0.6),
    "separable atoms": EZDLParameters(sparseness=0.8, atom_rank=1),
    "all": EZDLParameters(
        sparseness=0.7, inference="topographic", atom_sparseness=0.5, atom_rank=2, step_size=0.5
    ),
}
GRIDS = {"all": (4, 6)}


@pytest.mark.parametrize("name", VARIANTS)
def test_epoch_equals_the_plain_implementation(name):
    p = VARIANTS[name]
    samples = Samples(patches())
    W = initial_dictionary(samples, 24, 0, p, np.float64)
    indices = np.random.default_rng(1).integers(len(samples), size=300)
    X = samples.pick(indices, dtype=np.float64)
    expected, correlation = plain.epoch(W, X, 1, p, p.grid or GRIDS.get(name))
    found = learn_epoch(W, samples, indices, 1, p, None)
    assert found == pytest.approx(correlation, abs=1e-7)
    np.testing.assert_allclose(W, expected, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(W, axis=1), 1.0, atol=1e-12)


def test_samples_need_not_have_zero_mean():
    x = np.random.default_rng(0).random((500, 10)) + 3.0
    p = EZDLParameters(sparseness=0.6)
    samples = Samples(x)
    W = initial_dictionary(samples, 12, 0, p, np.float64)
    expected, correlation = plain.epoch(W, x[:200], 1, p)
    assert learn_epoch(W, samples, np.arange(200), 1, p, None) == pytest.approx(correlation)
    np.testing.assert_allclose(W, expected, atol=1e-8)


def test_noise_is_added_to_the_codes():
    samples = Samples(patches())
    p = EZDLParameters(sparseness=0.9, noise=0.1)
    W = initial_dictionary(samples, 24, 0, p, np.float64)
    noise = 0.1 * np.random.default_rng(3).standard_normal((200, 24))
    X = samples.pick(np.arange(200), dtype=np.float64)
    expected, _ = plain.epoch(W, X, 1, p, noise=noise)
    learn_epoch(W, samples, np.arange(200), 1, p, np.random.default_rng(3))
    np.testing.assert_allclose(W, expected, atol=1e-7)


def test_noise_that_has_decayed_is_omitted():
    samples = Samples(patches())
    quiet = EZDLParameters(sparseness=0.9)
    loud = EZDLParameters(sparseness=0.9, noise=0.1, noise_decay=0.5)
    W = initial_dictionary(samples, 24, 0, quiet)
    other = W.copy()
    learn_epoch(W, samples, np.arange(100), 10, quiet, None)
    learn_epoch(other, samples, np.arange(100), 10, loud, None)
    np.testing.assert_array_equal(W, other)


@pytest.mark.parametrize("name", ["ordinary", "topographic", "rank"])
def test_twenty_epochs_in_single_precision_reach_the_same_correlation(name):
    p = VARIANTS[name]
    samples = Samples(patches())
    W = initial_dictionary(samples, 24, 0, p)
    reference = W.astype(np.float64)
    found = []
    for epoch in range(1, 21):
        indices = np.random.default_rng([1, epoch]).integers(len(samples), size=200)
        found.append(learn_epoch(W, samples, indices, epoch, p, None))
        X = samples.pick(indices, dtype=np.float64)
        reference, expected = plain.epoch(reference, X, epoch, p, p.grid)
    assert W.dtype == np.float32
    assert found[-1] == pytest.approx(expected, abs=0.002)


def test_learning_raises_the_correlation():
    samples = Samples(patches())
    p = EZDLParameters(sparseness=0.8)
    W = initial_dictionary(samples, 24, 0, p)
    history = []
    train(p.learner(W, 1), samples, 1, 10, 1000, 0, lambda *_: history.append(_[2]))
    correlations = [numbers["correlation"] for numbers in history]
    assert correlations[-1] > correlations[0] + 0.02


def test_plain_implementation_has_the_right_gradient():
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((2, 9))
    error = check_grad(
        lambda a: plain.correlation_and_gradient(a, x)[0],
        lambda a: plain.correlation_and_gradient(a, x)[1],
        y,
    )
    assert error < 1e-6


@pytest.mark.parametrize(
    "bad",
    [
        {"sparseness": 0.0},
        {"sparseness": 1.0},
        {"sparseness": float("nan")},
        {"step_size": 0.0},
        {"inference": "magic"},
        {"inference": "topographic", "grid": (5, 5)},
        {"inference": "topographic", "pooling": 2},
        {"inference": "topographic", "pooling": 7},
        {"inference": "rank", "code_rank": 5},
        {"atom_sparseness": 1.5},
        {"atom_rank": 5},
        {"atom_rank": 0},
        {"noise": -1.0},
        {"noise_decay": 2.0},
        {"gradient": "long"},
        {"gradient": "full", "inference": "topographic"},
        {"gradient": "full", "inference": "rank"},
    ],
)
def test_parameters_out_of_range_are_rejected(bad):
    with pytest.raises(ValueError):
        initial_dictionary(Samples(patches()), 24, 0, EZDLParameters(**bad))


def test_low_rank_needs_square_patches():
    with pytest.raises(ValueError, match="square"):
        initial_dictionary(Samples(np.ones((20, 10))), 5, 0, EZDLParameters(atom_rank=1))


def test_atoms_beyond_the_samples_are_random_directions():
    x = np.eye(4, 6)
    W = initial_dictionary(Samples(x), 9, 0, EZDLParameters(), np.float64)
    assert sorted(map(tuple, W[:4])) == sorted(map(tuple, x))
    np.testing.assert_allclose(np.linalg.norm(W, axis=1), 1.0)


def test_zero_samples_and_equal_samples_give_finite_atoms():
    x = np.zeros((50, 6))
    x[10:] = np.arange(6.0)
    W = initial_dictionary(Samples(x), 8, 0, EZDLParameters(sparseness=0.9))
    learn_epoch(W, Samples(x), np.arange(50), 1, EZDLParameters(sparseness=0.9), None)
    assert np.isfinite(W).all()
    np.testing.assert_allclose(np.linalg.norm(W, axis=1), 1.0, atol=1e-6)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e-30, 1e30, 1e300])
def test_correlation_does_not_depend_on_the_scale_of_samples(scale):
    x = np.random.default_rng(0).standard_normal((300, 9))
    p = EZDLParameters(sparseness=0.8)
    histories = []
    for samples in (Samples(x), Samples(x * scale)):
        W = initial_dictionary(samples, 12, 0, p)
        histories.append([learn_epoch(W, samples, np.arange(300), e, p, None) for e in (1, 2)])
    np.testing.assert_allclose(histories[0], histories[1], atol=1e-3)


@pytest.mark.parametrize("offset", [0.1, 1.0, 1e4, 1e6])
def test_samples_whose_variance_is_rounding_are_ignored(offset):
    rng = np.random.default_rng(0)
    x = np.full((200, 9), offset, np.float32) + 1e-6 * rng.standard_normal((200, 9))
    samples = Samples(x.astype(np.float32))
    W = initial_dictionary(samples, 12, 0, EZDLParameters())
    correlation = learn_epoch(W, samples, np.arange(200), 1, EZDLParameters(), None)
    assert abs(correlation) <= 1.0 and np.isfinite(W).all()


def test_step_size_that_would_overflow_is_rejected():
    with pytest.raises(ValueError, match="step_size"):
        initial_dictionary(Samples(patches()), 24, 0, EZDLParameters(step_size=1e300))
