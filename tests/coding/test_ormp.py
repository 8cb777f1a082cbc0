"""ORMP, compared with greedy selection by brute force and with other programs."""

import numpy as np
import pytest

import ezdl_cli as ez


def brute_force(x, W, n_nonzero):
    """Choose atoms greedily, each time the one of the smallest least-squares error."""
    chosen = []
    for _ in range(n_nonzero):
        errors = np.full(len(W), np.inf)
        for k in set(range(len(W))) - set(chosen):
            _, error = fit(x, W, [*chosen, k])
            errors[k] = error
        chosen.append(int(errors.argmin()))
    code = np.zeros(len(W))
    code[chosen], _ = fit(x, W, chosen)
    return code


def fit(x, W, support):
    values = np.linalg.lstsq(W[support].T, x, rcond=None)[0]
    return values, np.sum((x - values @ W[support]) ** 2)


def random_problem(m, n, d, seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((m, d)).astype(dtype), rng.standard_normal((n, d)).astype(dtype)


@pytest.mark.parametrize("n", [20, 70])
@pytest.mark.parametrize("n_nonzero", [1, 2, 5, 9])
def test_codes_agree_with_brute_force(n, n_nonzero):
    X, W = random_problem(25, n, 12)
    expected = [brute_force(x, W, n_nonzero) for x in X]
    np.testing.assert_allclose(ez.ormp(X, W, n_nonzero), expected, atol=1e-9)


def test_codes_agree_with_spams_if_installed():
    spams = pytest.importorskip("spams")
    X, W = random_problem(200, 80, 30)
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    expected = spams.omp(
        np.asfortranarray(X.T), D=np.asfortranarray(W.T), L=6, eps=0.0, numThreads=1
    )
    np.testing.assert_allclose(ez.ormp(X, W, 6), expected.toarray().T, atol=1e-5)


def test_float32_gives_float32_codes():
    X, W = random_problem(200, 64, 16, dtype=np.float32)
    codes = ez.ormp(X, W, 4)
    assert codes.dtype == np.float32
    np.testing.assert_allclose(codes, ez.ormp(X.astype(float), W.astype(float), 4), atol=1e-3)


def test_selection_stops_at_the_error_bound():
    X, W = random_problem(100, 60, 16)
    codes = ez.ormp(X, W, 16, max_error=2.0)
    errors = np.square(X - codes @ W).sum(axis=1)
    assert (errors <= 2.0 + 1e-9).all()
    for x, code in zip(X, codes, strict=True):  # one fewer would not have been enough
        count = np.count_nonzero(code)
        fewer = ez.ormp(x[np.newaxis], W, count - 1)[0] if count > 1 else np.zeros(60)
        assert np.square(x - fewer @ W).sum() > 2.0 or count == 0


def test_as_many_nonzeros_as_features_reconstruct_exactly():
    X, W = random_problem(50, 40, 8)
    codes = ez.ormp(X, W, 30)
    assert (np.count_nonzero(codes, axis=1) <= 8).all()
    np.testing.assert_allclose(codes @ W, X, atol=1e-8)


def test_dependent_atoms_are_never_chosen_together():
    X, W = random_problem(50, 6, 8)
    doubled = np.vstack([W, W, -2 * W, np.zeros((1, 8))])
    codes = ez.ormp(X, doubled, 8)
    assert np.isfinite(codes).all()
    assert (np.count_nonzero(codes, axis=1) <= 6).all()
    np.testing.assert_allclose(codes @ doubled, ez.ormp(X, W, 6) @ W, atol=1e-8)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_codes_scale_with_samples_and_atoms(dtype):
    X, W = random_problem(50, 70, 16, dtype=dtype)
    expected = ez.ormp(X, W, 4)
    largest = 2.0 ** (100 if dtype == np.float32 else 900)
    for of_x, of_w in ((largest, 1.0), (1 / largest, 1.0), (1.0, 2.0**60), (1.0, 2.0**-60)):
        found = ez.ormp(X * dtype(of_x), W * dtype(of_w), 4)
        np.testing.assert_array_equal(found, expected * dtype(of_x) / dtype(of_w))


def test_zero_samples_have_zero_codes():
    assert not ez.ormp(np.zeros((3, 8)), np.eye(8), 4).any()


@pytest.mark.parametrize("wrong", [{"n_nonzero": 0}, {"n_nonzero": 2, "max_error": -1.0}])
def test_parameters_out_of_range_are_rejected(wrong):
    with pytest.raises(ValueError):
        ez.ormp(np.ones((2, 3)), np.ones((4, 3)), **wrong)


@pytest.mark.parametrize("n_nonzero", [2.5, 0, -1, None, True])
def test_n_nonzero_that_is_not_a_positive_integer_is_rejected(n_nonzero):
    with pytest.raises(ValueError, match="n_nonzero"):
        ez.ormp(np.eye(4), np.eye(4), n_nonzero)
