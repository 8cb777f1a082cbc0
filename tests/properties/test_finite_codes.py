"""Codes, images and atoms computed from finite numbers are finite, or the input is rejected."""

import numpy as np
import pytest
from helpers.hard_numbers import SEEDS, TYPES, assert_finite, matrices, refused_or, share
from hypothesis import given
from hypothesis import strategies as st

import ezdl_cli as ez
from ezdl_cli.coding.equivalent_samples import Samples
from ezdl_cli.coding.group_ormp import GroupDictionary, GroupOrmpWorkspace, choose_atoms, padded

SPARSENESS_VALUES = st.sampled_from([0.01, 0.5, 0.9, 0.99])
MODELS = st.sampled_from(["ordinary", "topographic", "rank"])


@st.composite
def problems(draw):
    """Draw samples and atoms of the same length."""
    dtype = draw(TYPES)
    d = 2 * (draw(st.sampled_from([2, 3, 9, 16])),)
    atoms = draw(st.sampled_from([(1, 3), (9, 9), (35, 40)]))
    return draw(matrices(dtype, columns=d)), draw(matrices(dtype, atoms, d))


@given(problems(), st.sampled_from([1e-300, 1e-9, 0.1, 1e9, 1e300]))
def test_lasso_codes_are_finite(problem, alpha):
    X, W = problem
    codes = refused_or(lambda: ez.lasso(X, W, alpha))
    assert_finite(codes)
    assert codes is None or not codes[~X.any(axis=1)].any()


@given(problems(), st.integers(1, 20), st.sampled_from([0.0, 1e-300, 0.1, 1e300]))
def test_ormp_codes_are_finite(problem, n_nonzero, max_error):
    X, W = problem
    codes = refused_or(lambda: ez.ormp(X, W, n_nonzero, max_error))
    assert_finite(codes)
    assert codes is None or (np.count_nonzero(codes, axis=1) <= min(n_nonzero, X.shape[1])).all()


@given(problems(), st.sampled_from([0.0, 0.1]))
def test_group_basis_is_finite(problem, bound):
    """As in denoising: patches of grey values, and atoms of unit norm or zero."""
    X, W = (np.array(one / max(np.abs(one).max(), 1e-30), np.float32) for one in problem)
    W /= np.maximum(np.linalg.norm(W, axis=1, keepdims=True), 1e-3)
    dictionary, d = GroupDictionary.of(W), W.shape[1]
    samples = Samples.of(len(X), padded(d))
    samples.rows[: len(X), :d] = 255 * X
    workspace = GroupOrmpWorkspace.of(dictionary, len(X))
    count = choose_atoms(samples, len(X), dictionary, bound, workspace)
    assert_finite(workspace.basis[:, :count])


@given(problems(), SPARSENESS_VALUES, MODELS, st.sampled_from([1, 5]))
def test_codes_of_every_inference_model_are_finite(problem, sparseness, inference, iterations):
    X, W = problem
    learned = ez.EZDL(len(W), sparseness, inference=inference, pooling=1)
    learned.set_params(transform_iterations=iterations if inference == "ordinary" else 1)
    learned.components_, learned.n_features_in_ = unit(W), W.shape[1]
    codes = refused_or(lambda: learned.transform(X))
    assert_finite(codes)
    assert codes is None or codes.dtype == X.dtype


def unit(W):
    """Scale atoms to unit norm, except for zeros."""
    W = W / np.maximum(np.abs(W).max(axis=1, keepdims=True), np.finfo(W.dtype).smallest_subnormal)
    return W / np.maximum(np.linalg.norm(W, axis=1, keepdims=True), W.dtype.type(0.5))


@given(st.data(), SPARSENESS_VALUES, st.sampled_from([1, 8]))
def test_reconstructed_images_are_finite(data, sparseness, n_iterations):
    dtype = data.draw(TYPES)
    side = data.draw(st.sampled_from([2, 3]))
    W = data.draw(matrices(dtype, (1, 9), 2 * (side**2,)))
    image = data.draw(matrices(dtype, (side, 2 * side + 1), (side, 7)))
    reconstructed = refused_or(lambda: ez.reproduce(image, W, sparseness, n_iterations))
    assert_finite(reconstructed)
    assert reconstructed is None or reconstructed.shape == image.shape


@share(0.3)
@given(SEEDS, MODELS, st.sampled_from([-900, -300, 300, 900]))
def test_codes_and_images_scale_with_their_input(seed, inference, exponent):
    X, W = np.random.default_rng(seed).standard_normal((2, 12, 9))
    learned = ez.EZDL(len(W), 0.7, inference=inference)
    learned.components_, learned.n_features_in_ = unit(W), W.shape[1]
    for compute in (learned.transform, lambda image: ez.reproduce(image, W, 0.7, 4)):
        expected = np.ldexp(compute(X), exponent)
        np.testing.assert_allclose(compute(np.ldexp(X, exponent)), expected, rtol=1e-9)


LEARNERS = {
    "ordinary": lambda n: ez.EZDL(n, 0.7),
    "topographic": lambda n: ez.EZDL(n, 0.7, inference="topographic", pooling=1, noise=0.1),
    "rank": lambda n: ez.EZDL(n, 0.7, inference="rank", atom_sparseness=0.5),
    "large steps": lambda n: ez.EZDL(n, 0.9, step_size=1e6),
    "odl": lambda n: ez.ODL(n, 0.1, batch_size=3),
    "large penalty": lambda n: ez.ODL(n, 1e30, batch_size=3),
    "rls-dla": lambda n: ez.RLSDLA(n, 2, forgetting=0.5),
}


@pytest.mark.parametrize("name", LEARNERS)
@given(st.data(), st.integers(1, 9), SEEDS)
def test_learned_atoms_are_finite_and_rejected_input_changes_nothing(name, data, n_atoms, seed):
    dtype = data.draw(TYPES)
    X = data.draw(matrices(dtype, (2, 12), (2, 9)))
    learner = LEARNERS[name](n_atoms).set_params(
        n_epochs=2, samples_per_epoch=20, random_state=seed % 2**31
    )
    if refused_or(lambda: learner.fit(X)) is not None:
        assert_finite(learner.components_, learner.history_)
    fresh = np.random.default_rng(seed).standard_normal(X.shape).astype(dtype)
    learner.fit(fresh)
    before = learner.components_.copy()
    if refused_or(lambda: learner.partial_fit(X)) is None:
        np.testing.assert_array_equal(learner.components_, before)
        learner.partial_fit(fresh)
    assert_finite(learner.components_, learner.history_)
