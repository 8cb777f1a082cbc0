"""Landweber iterations, compared with a plain implementation, and their properties."""

import numpy as np
import pytest
from scipy.optimize import check_grad

import ezdl_cli as ez
from ezdl_cli.coding.landweber import BATCH_SAMPLES, GROW, SHRINK, LandweberCoder, landweber_codes


def problem(m=30, n=48, d=16, dtype=np.float64, seed=0):
    rng = np.random.default_rng(seed)
    X, W = rng.standard_normal((m, d)), rng.standard_normal((n, d))
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    return X.astype(dtype), W.astype(dtype)


def plain_landweber(x, W, sparseness, n_iterations):
    """Return the correlation after each iteration, for one sample."""
    step = LandweberCoder.of(W, sparseness).first_step
    x = x - x.mean()

    def compare(h):
        y = h @ W - (h @ W).mean()
        return y, x @ y / np.linalg.norm(x) / np.linalg.norm(y), x @ y / (y @ y)

    h = ez.project(W @ x, sparseness, norm=1.0)
    y, correlation, scale = compare(h)
    step *= GROW
    history = [correlation]
    for _ in range(n_iterations - 1):
        candidate = ez.project(h + step / scale * W @ (x - scale * y), sparseness, norm=1.0)
        new_y, new_correlation, new_scale = compare(candidate)
        if new_correlation >= correlation:
            h, y, correlation, scale = candidate, new_y, new_correlation, new_scale
            step *= GROW
        else:
            step *= SHRINK
        history.append(correlation)
    return history


@pytest.mark.parametrize("sparseness", [0.5, 0.75, 0.9])
def test_correlations_agree_with_plain_implementation(sparseness):
    X, W = problem()
    X -= X.mean(axis=1, keepdims=True)
    _, _, found = landweber_codes(X, W, sparseness, list(range(1, 16)))
    expected = np.array([plain_landweber(x, W, sparseness, 15) for x in X]).T
    np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_first_step_depends_on_the_largest_singular_value(scale):
    _, W = problem()
    W[:, 0] += 2.0
    expected = 4.0 / np.linalg.norm(scale * W, 2) ** 2
    assert LandweberCoder.of(scale * W, 0.5).first_step == pytest.approx(expected, rel=1e-6)


def test_direction_is_the_gradient_of_the_correlation():
    (x,), W = problem(m=1)
    x -= x.mean()

    def correlation(h):
        return np.corrcoef(h @ W, x)[0, 1]

    def direction(h):
        y = h @ W - (h @ W).mean()
        scale = x @ y / (y @ y)
        return W @ (x - scale * y) / np.linalg.norm(x) / np.linalg.norm(y)

    assert check_grad(correlation, direction, np.random.default_rng(1).random(len(W))) < 1e-5


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("sparseness", [0.3, 0.8, 0.95])
def test_correlation_never_decreases_and_codes_have_the_target_sparseness(dtype, sparseness):
    X, W = problem(m=200, dtype=dtype)
    codes, approximations, correlations = landweber_codes(X, W, sparseness, list(range(1, 60)))
    assert (np.diff(correlations, axis=0) >= 0).all()
    assert correlations[-1].mean() > correlations[0].mean()
    np.testing.assert_allclose(ez.sparseness(codes), sparseness, atol=1e-4)
    np.testing.assert_allclose(codes @ W, approximations[-1], atol=1e-5)
    found = [np.corrcoef(x, y)[0, 1] for x, y in zip(X, approximations[-1], strict=True)]
    np.testing.assert_allclose(found, correlations[-1], atol=1e-5)


def test_recording_intermediate_results_does_not_change_the_iteration():
    X, W = problem(m=100, dtype=np.float32)
    _, few, _ = landweber_codes(X, W, 0.8, [3, 20])
    _, every, _ = landweber_codes(X, W, 0.8, list(range(1, 21)))
    np.testing.assert_array_equal(few, every[[2, 19]])


def test_result_of_a_sample_does_not_depend_on_other_samples():
    X, W = problem(m=2 * BATCH_SAMPLES + 7, dtype=np.float32)
    _, together, _ = landweber_codes(X, W, 0.8, [25])
    for part in (slice(0, 1), slice(5, 5 + BATCH_SAMPLES), slice(100, None)):
        _, alone, _ = landweber_codes(X[part], W, 0.8, [25])
        np.testing.assert_array_equal(alone, together[:, part])


def test_first_iteration_is_the_projection_of_the_responses():
    X, W = problem()
    codes, _, _ = landweber_codes(X, W, 0.8, [1])
    np.testing.assert_allclose(codes, ez.project(X @ W.T, 0.8, norm=1.0), atol=1e-9)


def test_zero_samples_and_zero_atoms_have_finite_codes():
    X, W = problem()
    X[3], X[4], W[5] = 0.0, 1.0, 0.0
    codes, approximations, _ = landweber_codes(X, W, 0.8, [10])
    assert np.isfinite(codes).all() and np.isfinite(approximations).all()
    codes, approximations, _ = landweber_codes(X, 0 * W, 0.8, [10])
    assert not codes.any() and not approximations.any()
    with pytest.raises(ValueError):
        landweber_codes(X, W, 0.8, [0])


@pytest.mark.parametrize("scale", [1e-30, 1e-20, 1e20, 1e30])
def test_correlation_does_not_depend_on_the_scale_of_atoms(scale):
    X, W = problem(dtype=np.float32)
    _, _, expected = landweber_codes(X, W, 0.8, [1, 20])
    _, _, found = landweber_codes(X, W * np.float32(scale), 0.8, [1, 20])
    np.testing.assert_allclose(found, expected, atol=1e-3)


def test_negative_correlations_increase_as_well():
    X, W = problem(m=200)
    _, _, correlations = landweber_codes(X + 3.0, W, 0.8, [1, 200])
    negative = correlations[0] < 0
    assert negative.any() and (correlations[1][negative] > correlations[0][negative]).all()
