"""ORMP against the greedy choice by brute force, and other programs."""

import numpy as np
import pytest

import ezdl_cli as ez


def brute_force(x, W, n_nonzero):
    """Choose the atom with which the least-squares error gets smallest, one after the other."""
    chosen = []
    for _ in range(n_nonzero):
        errors = np.full(len(W), np.inf)
        for k in set(range(len(W))) - set(chosen):
            _, error = fitted(x, W, [*chosen, k])
            errors[k] = error
        chosen.append(int(errors.argmin()))
    code = np.zeros(len(W))
    code[chosen], _ = fitted(x, W, chosen)
    return code


def fitted(x, W, places):
    values = np.linalg.lstsq(W[places].T, x, rcond=None)[0]
    return values, np.sum((x - values @ W[places]) ** 2)


def normal(m, n, d, seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((m, d)).astype(dtype), rng.standard_normal((n, d)).astype(dtype)


@pytest.mark.parametrize("n", [20, 70])
@pytest.mark.parametrize("n_nonzero", [1, 2, 5, 9])
def test_codes_are_those_of_brute_force(n, n_nonzero):
    X, W = normal(25, n, 12)
    expected = [brute_force(x, W, n_nonzero) for x in X]
    np.testing.assert_allclose(ez.ormp(X, W, n_nonzero), expected, atol=1e-9)


def test_it_agrees_with_spams_where_installed():
    spams = pytest.importorskip("spams")
    X, W = normal(200, 80, 30)
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    expected = spams.omp(
        np.asfortranarray(X.T), D=np.asfortranarray(W.T), L=6, eps=0.0, numThreads=1
    )
    np.testing.assert_allclose(ez.ormp(X, W, 6), expected.toarray().T, atol=1e-5)


def test_single_precision_comes_back():
    X, W = normal(200, 64, 16, dtype=np.float32)
    codes = ez.ormp(X, W, 4)
    assert codes.dtype == np.float32
    np.testing.assert_allclose(codes, ez.ormp(X.astype(float), W.astype(float), 4), atol=1e-3)


def test_the_error_bound_ends_the_choice():
    X, W = normal(100, 60, 16)
    codes = ez.ormp(X, W, 16, max_error=2.0)
    errors = np.square(X - codes @ W).sum(axis=1)
    assert (errors <= 2.0 + 1e-9).all()
    for x, code in zip(X, codes, strict=True):  # one fewer would not have been enough
        count = np.count_nonzero(code)
        fewer = ez.ormp(x[np.newaxis], W, count - 1)[0] if count > 1 else np.zeros(60)
        assert np.square(x - fewer @ W).sum() > 2.0 or count == 0


def test_more_nonzeros_than_dimensions_reproduce_exactly():
    X, W = normal(50, 40, 8)
    codes = ez.ormp(X, W, 30)
    assert (np.count_nonzero(codes, axis=1) <= 8).all()
    np.testing.assert_allclose(codes @ W, X, atol=1e-8)


def test_dependent_atoms_are_never_chosen_together():
    X, W = normal(50, 6, 8)
    doubled = np.vstack([W, W, -2 * W, np.zeros((1, 8))])
    codes = ez.ormp(X, doubled, 8)
    assert np.isfinite(codes).all()
    assert (np.count_nonzero(codes, axis=1) <= 6).all()
    np.testing.assert_allclose(codes @ doubled, ez.ormp(X, W, 6) @ W, atol=1e-8)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_scales_do_not_matter(dtype):
    X, W = normal(50, 70, 16, dtype=dtype)
    expected = ez.ormp(X, W, 4)
    largest = 2.0 ** (100 if dtype == np.float32 else 900)
    for of_x, of_w in ((largest, 1.0), (1 / largest, 1.0), (1.0, 2.0**60), (1.0, 2.0**-60)):
        found = ez.ormp(X * dtype(of_x), W * dtype(of_w), 4)
        np.testing.assert_array_equal(found, expected * dtype(of_x) / dtype(of_w))


def test_zero_samples_have_zero_codes():
    assert not ez.ormp(np.zeros((3, 8)), np.eye(8), 4).any()


@pytest.mark.parametrize("wrong", [{"n_nonzero": 0}, {"n_nonzero": 2, "max_error": -1.0}])
def test_numbers_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ValueError):
        ez.ormp(np.ones((2, 3)), np.ones((4, 3)), **wrong)


@pytest.mark.parametrize("n_nonzero", [2.5, 0, -1, None, True])
def test_a_number_of_atoms_that_is_no_whole_one_is_refused(n_nonzero):
    with pytest.raises(ValueError, match="n_nonzero"):
        ez.ormp(np.eye(4), np.eye(4), n_nonzero)
