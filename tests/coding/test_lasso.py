"""Lasso codes: optimality conditions, and comparison with other solvers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.decomposition import sparse_encode

import ezdl_cli as ez


def violation(X, W, alpha, H):
    """Return the largest violation of the optimality conditions."""
    responses = (X - H @ W) @ W.T
    beyond = (np.abs(responses) - alpha).max()
    return max(beyond, np.abs(responses - alpha * np.sign(H))[H != 0].max(initial=0.0))


def random_problem(m, n, d, seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    X, W = rng.standard_normal((m, d)), rng.standard_normal((n, d))
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    return X.astype(dtype), W.astype(dtype)


@pytest.mark.parametrize("n", [1, 5, 33, 64, 100])
@pytest.mark.parametrize("d", [1, 8, 40])
@pytest.mark.parametrize("alpha", [1e-3, 0.1, 1.0])
def test_codes_are_optimal(n, d, alpha):
    X, W = random_problem(70, n, d)
    assert violation(X, W, alpha, ez.lasso(X, W, alpha)) < 1e-10


@given(
    st.integers(1, 12), st.integers(1, 40), st.floats(0.01, 3), st.integers(0, 10**6), st.booleans()
)
def test_codes_of_linearly_dependent_atoms_are_optimal(d, n, alpha, seed, integers):
    rng = np.random.default_rng(seed)
    X, W = rng.standard_normal((5, d)), rng.standard_normal((n, d))
    if integers:  # many ties
        X, W = np.round(2 * X), np.round(W)
    W = W[rng.integers(n, size=n)] * rng.choice([-1, 1, 2], (n, 1))
    assert violation(X, W, alpha, ez.lasso(X, W, alpha)) < 1e-6


def test_nearly_equal_atoms_have_optimal_codes():
    X, W = random_problem(100, 20, 10)
    noise = np.random.default_rng(1).standard_normal(W.shape)
    for distance in (1e-3, 1e-5, 1e-7, 1e-10):
        both = np.vstack([W, W + distance * noise])
        assert violation(X, both, 0.05, ez.lasso(X, both, 0.05)) < 1e-6


@pytest.mark.parametrize("scale", [2.0**-500, 2.0**-60, 2.0**60, 2.0**500])
def test_codes_scale_with_samples_atoms_and_penalty(scale):
    X, W = random_problem(50, 70, 16)
    expected = ez.lasso(X, W, 0.1)
    np.testing.assert_array_equal(ez.lasso(X * scale, W, 0.1 * scale), expected * scale)
    np.testing.assert_array_equal(ez.lasso(X, W * scale, 0.1 * scale), expected / scale)


@pytest.mark.parametrize("alpha", [1e-6, 1e-3, 0.1])
def test_atoms_dependent_up_to_rounding_have_nearly_optimal_codes(alpha):
    positions = np.arange(64)
    W = np.exp(-0.5 * ((positions - positions[:, np.newaxis]) / 3) ** 2)
    X = np.random.default_rng(0).standard_normal((20, 64))
    codes = ez.lasso(X, W, alpha)
    assert violation(X, W, alpha, codes) < 1e-3 * np.abs(X @ W.T).max()
    value = 0.5 * np.square(X - codes @ W).sum(axis=1) + alpha * np.abs(codes).sum(axis=1)
    assert (value <= 0.5 * np.square(X).sum(axis=1)).all()


def test_codes_agree_with_scikit_learn():
    X, W = random_problem(50, 60, 20)
    expected = sparse_encode(X, W, algorithm="lasso_lars", alpha=0.3)
    np.testing.assert_allclose(ez.lasso(X, W, 0.3), expected, atol=1e-8)


def test_codes_agree_with_spams_if_installed():
    spams = pytest.importorskip("spams")
    X, W = random_problem(200, 80, 30)
    expected = spams.lasso(
        np.asfortranarray(X.T), D=np.asfortranarray(W.T), lambda1=0.2, mode=2, numThreads=1
    )
    np.testing.assert_allclose(ez.lasso(X, W, 0.2), expected.toarray().T, atol=1e-6)


def test_float32_gives_optimal_float32_codes():
    X, W = random_problem(200, 64, 16, dtype=np.float32)
    codes = ez.lasso(X, W, 0.2)
    assert codes.dtype == np.float32
    assert violation(X.astype(float), W.astype(float), 0.2, codes.astype(float)) < 1e-5


def test_penalty_above_all_responses_gives_zero_codes():
    X, W = random_problem(20, 30, 10)
    top = np.abs(X @ W.T).max()
    assert not ez.lasso(X, W, 1.001 * top).any()
    assert ez.lasso(X, W, 0.999 * top).any()


def test_zero_atoms_and_zero_samples_have_zero_codes():
    X, W = random_problem(20, 30, 10)
    X[3], W[7] = 0.0, 0.0
    codes = ez.lasso(X, W, 0.1)
    assert not codes[3].any() and not codes[:, 7].any()
    assert not ez.lasso(X, 0 * W, 0.1).any()


@pytest.mark.parametrize("alpha", [0.0, -1.0, np.nan, np.inf])
def test_penalty_that_is_not_positive_and_finite_is_rejected(alpha):
    with pytest.raises(ValueError, match="alpha"):
        ez.lasso(np.ones((2, 3)), np.ones((4, 3)), alpha)


@pytest.mark.parametrize("code", [lambda X, W: ez.lasso(X, W, 1.0), lambda X, W: ez.ormp(X, W, 2)])
def test_arrays_of_wrong_shape_or_content_are_rejected(code):
    good, nan = np.ones((2, 3)), np.full((2, 3), np.nan)
    for X, W in ((good, good.T), (nan, good), (good, nan), (good[0], good), (good, good[:0])):
        with pytest.raises(ValueError):
            code(X, W)
    assert code(good[:0], good).shape == (0, 2)
