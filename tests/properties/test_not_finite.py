"""NaN and infinity in the input are rejected with a message that says where they are."""

import numpy as np
import pytest
from helpers.hard_numbers import SEEDS, TYPES, share
from hypothesis import given
from hypothesis import strategies as st

import ezdl_cli as ez

ATOMS = np.random.default_rng(0).standard_normal((12, 9))


def learned(learner):
    return learner.set_params(n_epochs=1, samples_per_epoch=20, random_state=0).fit(ATOMS)


OF_SAMPLES = {
    "sparseness": (ez.sparseness, "row {row} "),
    "project": (lambda X: ez.project(X, 0.8), "row {row} "),
    "gradient": (lambda X: ez.projection_gradient(X, 0.8, np.ones_like(X)), "row {row} "),
    "gradient times": (
        # At this sparseness no entry becomes zero, so that every entry of the factor matters.
        lambda X: ez.projection_gradient(np.tile(ATOMS[0], (len(X), 1)), 0.01, X),
        "row {row} ",
    ),
    "lasso": (lambda X: ez.lasso(X, ATOMS, 0.5), "row {row} of X"),
    "lasso atoms": (lambda X: ez.lasso(ATOMS, X, 0.5), "row {row} of W"),
    "ormp": (lambda X: ez.ormp(X, ATOMS, 2), "row {row} of X"),
    "whitening": (lambda X: ez.fit_whitening(X, 2), "row {row} "),
    "samples": (ez.Samples, "row {row} "),
    "ezdl": (lambda X: ez.EZDL(4, 0.7).fit(X), "X"),
    "ezdl codes": (learned(ez.EZDL(4, 0.7)).transform, "X"),
    "odl further": (learned(ez.ODL(4, 0.5)).partial_fit, "X"),
    "rls-dla": (lambda X: ez.RLSDLA(4, 2).fit(X), "X"),
    "reproduced image": (lambda X: ez.reproduce(X, ATOMS, 0.7, 2), "image"),
    "atoms of a reproduced image": (lambda X: ez.reproduce(np.eye(9), X, 0.7, 2), "W"),
    "denoised image": (lambda X: ez.denoise(X, 20.0, ATOMS), "row {row}, column {column} "),
    "atoms of a denoised image": (lambda X: ez.denoise(np.eye(9), 20.0, X), "W"),
}


@pytest.mark.parametrize("name", OF_SAMPLES)
@share(0.1)
@given(SEEDS, TYPES, st.sampled_from([np.nan, np.inf, -np.inf]))
def test_non_finite_input_is_rejected(name, seed, dtype, bad):
    random = np.random.default_rng(seed)
    X = random.standard_normal((5, 9)).astype(dtype)
    row, column = random.integers(5), random.integers(9)
    X[row, column] = bad
    compute, message = OF_SAMPLES[name]
    with pytest.raises(ValueError, match=message.format(row=row, column=column)):
        compute(X)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_non_finite_atom_has_no_gabor_fit(bad):
    atom = np.ones((4, 4))
    atom[1, 2] = bad
    assert ez.fit_gabor(atom).reason == "not finite"
