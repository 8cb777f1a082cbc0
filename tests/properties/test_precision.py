"""Results of float32 agree with those of float64 up to the rounding of float32.

EPS is the machine epsilon of float32. A result that is computed in double precision and rounded at
the end has a relative error of EPS / 2.
"""

import numpy as np
import pytest
from helpers.hard_numbers import SEEDS, matrices, refused_or, share
from hypothesis import given
from hypothesis import strategies as st

import ezdl_cli as ez
from ezdl_cli.coding.inference import InferenceModel, encode
from ezdl_cli.coding.landweber import landweber_codes
from ezdl_cli.experiments import topography
from ezdl_cli.experiments.resemblance import best_cosines

EPS = float(np.finfo(np.float32).eps)
TINY = float(np.finfo(np.float32).smallest_subnormal)
SPARSENESS_VALUES = st.sampled_from([0.3, 0.7, 0.9, 0.99])
EDGE_CASES = matrices(np.float32, columns=(2, 70))


def both(function, *arrays):
    """Return the results in float32 and float64 for the same numbers."""
    single = refused_or(lambda: function(*arrays))
    double = refused_or(lambda: function(*(array.astype(np.float64) for array in arrays)))
    return single, double


def problem(seed, m=20, n=24, d=16):
    """Return normal samples, and atoms of unit norm, in float32."""
    random = np.random.default_rng(seed)
    X, W = random.standard_normal((m, d)), random.standard_normal((n, d))
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    return X.astype(np.float32), W.astype(np.float32)


@given(EDGE_CASES, SPARSENESS_VALUES, st.sampled_from([None, 1.0]))
def test_float32_projections_agree(x, sparseness, norm):
    """The search is in double precision; then rows of extreme scale are rounded twice.

    Rows whose sparseness is that of the target up to 16 EPS, the rounding of their entries, are
    not changed in float32, but in float64 they are: by at most that difference times sqrt(n).
    """
    for row in x:
        single, double = both(lambda u: ez.project(u, sparseness, norm=norm), row)
        if single is None or double is None:  # overflow in float32 need not be one in float64
            assert single is None and (double is None or np.abs(double).max() > 1e38)
            continue
        close = (2.0 + 16.0 * np.sqrt(row.size)) * EPS * np.abs(double).max() + TINY
        np.testing.assert_allclose(single, double, rtol=0, atol=close)


@given(EDGE_CASES, SEEDS, SPARSENESS_VALUES)
def test_float32_gradients_agree(x, seed, sparseness):
    """Computed in double precision, rounded once; the support is determined there, too.

    The Jacobian is 1 / ‖q‖ times a projector, see below, which can map y to mere rounding.
    """
    y = np.random.default_rng(seed).standard_normal(x.shape).astype(np.float32)
    for u, v in zip(x, y, strict=True):
        single, double = both(lambda a, b: ez.projection_gradient(a, sparseness, b), u, v)
        if single is None or double is None:
            continue
        wide = u.astype(np.float64)
        length = norm_of_survivors(wide, ez.project(wide, sparseness, norm=1.0))
        if length > 1e-9 * np.abs(wide).max():
            rounding = 2.0**-40 * np.linalg.norm(v) / length
            close = EPS * np.abs(double).max() + rounding + TINY
            np.testing.assert_allclose(single, double, rtol=0, atol=close)


@given(SEEDS, st.sampled_from([0.01, 0.3, 2.0]))
def test_float32_lasso_codes_agree(seed, alpha):
    """Computed in double precision, rounded once."""
    single, double = both(lambda X, W: ez.lasso(X, W, alpha), *problem(seed))
    np.testing.assert_allclose(single, double, rtol=0, atol=EPS * np.abs(double).max())


@given(SEEDS, st.integers(1, 5))
def test_float32_ormp_codes_agree_where_the_choice_is_unambiguous(seed, n_nonzero):
    """Computed in single precision: sums of 16 products, each step on the residual of the last.

    A choice between gains that are equal up to rounding can differ, in one of some thousand
    codes; values differ by the condition number of the chosen atoms times 16 EPS per step.
    """
    X, W = problem(seed)
    single, double = both(lambda X, W: ez.ormp(X, W, n_nonzero), X, W)
    same_support = ((single != 0) == (double != 0)).all(axis=1)
    assert same_support.sum() >= len(X) - 1
    for one, other in zip(single[same_support], double[same_support], strict=True):
        condition = np.linalg.cond(W[other != 0])
        close = 16 * n_nonzero * condition**2 * EPS * np.abs(other).max()
        np.testing.assert_allclose(one, other, rtol=0, atol=close)


@pytest.mark.parametrize("inference", ["ordinary", "topographic"])
@given(SEEDS, SPARSENESS_VALUES)
def test_float32_codes_of_inference_models_agree(inference, seed, sparseness):
    """Responses are sums of 16 products, pooled ones of 9 times as many: each product adds an error
    of EPS times the norm of x. The error of the code h = q / ‖q‖ is that divided by ‖q‖, since its
    Jacobian is 1 / ‖q‖ times a projector; twice that, because ‖q‖ changes as well.
    """
    X, W = problem(seed)
    model = InferenceModel.of(len(W), sparseness, inference)
    single, double = both(lambda X, W: encode(X, W, model), X, W)
    u = (X.astype(float) @ W.T.astype(float)).reshape(-1, 4, 6)
    pooled = 9 if inference == "topographic" else 1
    if pooled > 1:
        u = sum(np.roll(u, (i, j), (1, 2)) for i in (-1, 0, 1) for j in (-1, 0, 1))
    rounding = pooled * 16 * EPS * np.linalg.norm(X, axis=1) * np.sqrt(len(W))
    length = np.array(
        [norm_of_survivors(*row) for row in zip(u.reshape(len(X), -1), double, strict=True)]
    )
    error = np.linalg.norm(single - double, axis=1)
    assert (error <= 2 * rounding / np.maximum(length, 1e-30) + 4 * EPS).all()


def norm_of_survivors(u, h):
    """Return ‖q‖ of a code h = q / ‖q‖ with q = max(|u| - α, 0), from the sums of |u| and |u| h."""
    u, h = np.abs(u), np.abs(h)
    d, k = np.count_nonzero(h), h.sum()
    return (d * (u @ h) - k * u[h > 0].sum()) / (d - k * k)


@given(SEEDS)
def test_float32_correlations_after_two_iterations_agree(seed):
    """The larger of two correlations, each with rounding errors.

    The error of a code near a tie, in one of some hundred samples, is larger.
    """
    X, W = problem(seed, m=50)
    single, double = both(lambda X, W: landweber_codes(X, W, 0.7, [1, 2])[2], X, W)
    assert ((np.abs(single - double) <= 1e3 * EPS).all(axis=0)).sum() >= 48


@share(0.5)
@given(SEEDS)
def test_ezdl_learns_the_same_atoms_from_a_few_float32_samples(seed):
    """At this sparseness 9 or more of 24 responses survive, and no code is near a tie: its error is
    less than 1e2 EPS, and ten steps of size 0.1 add up to at most ten such errors.
    """
    X, _ = problem(seed, m=10)
    learned = [
        ez.EZDL(24, 0.5, step_size=0.1, random_state=0).partial_fit(x)
        for x in (X, X.astype(np.float64))
    ]
    np.testing.assert_allclose(learned[0].components_, learned[1].components_, atol=1e3 * EPS)
    np.testing.assert_allclose(learned[0].history_, learned[1].history_, atol=1e3 * EPS)


@share(0.5)
@given(SEEDS)
def test_odl_objective_agrees_in_float32(seed):
    """Sums of 16 squares. Rarely used atoms may differ, since they are divided by their use."""
    X, _ = problem(seed, m=10)
    learner = ez.ODL(24, 0.3, n_epochs=1, samples_per_epoch=20, random_state=0)
    histories = [learner.fit(x).history_ for x in (X, X.astype(np.float64))]
    np.testing.assert_allclose(histories[0][0], histories[1][0], rtol=32 * EPS)


@given(st.data())
def test_computations_in_double_precision_have_the_same_bits(data):
    side = data.draw(st.integers(2, 4))
    W = data.draw(matrices(np.float32, (2, 6), 2 * (side**2,)))
    for function in (
        lambda W: topography.power_spectra(W, side),
        lambda W: topography.spectral_centroids(W, side),
        lambda W: topography.rank_ratios(W, side),
        lambda W: best_cosines(W, W[::-1]),
        lambda W: ez.sparseness(W[W.any(axis=1)]),
        lambda W: ez.fit_whitening(W, 1).whitening,
    ):
        np.testing.assert_array_equal(*both(function, W))


@share(0.2)
@given(st.data(), SEEDS)
def test_float32_images_and_atoms_are_converted_to_float64(data, seed):
    atom = data.draw(matrices(np.float32, (3, 6), (3, 6)))
    assert repr(ez.fit_gabor(atom)) == repr(ez.fit_gabor(atom.astype(np.float64)))
    random = np.random.default_rng(seed)
    image = (128 + 40 * random.standard_normal((20, 23))).astype(np.float32)
    W = random.standard_normal((12, 16))
    for function in (
        lambda image: ez.reproduce(image, W, 0.7, 3),
        lambda image: ez.denoise(image, 20.0, W, 3),
        lambda image: ez.denoise(image, None, W, 3),
    ):
        np.testing.assert_array_equal(*both(function, image))
