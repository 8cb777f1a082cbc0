"""Invalid parameters of functions are rejected by name, in one line.

Those of estimators are in tests/learn/test_scikit_learn.py.
"""

import numpy as np
import pytest

import ezdl_cli as ez
from ezdl_cli.restoration.denoising_parameters import DenoisingParameters

X = np.random.default_rng(0).standard_normal((20, 9))
IMAGE = np.random.default_rng(1).uniform(0.0, 255.0, (24, 24))
SAMPLES = ez.Samples(X)

NOT_NUMBERS = ("0.5", [0.5], object(), 1j, True, np.nan)
NOT_INTEGERS = ("2", 1.5, -1, True, None, [2], np.nan)
NOT_SEEDS = ("2", 1.5, -1, object())
NOT_WHITE = (*NOT_NUMBERS, 0.0, -1.0)
NOT_PARAMETERS = ("x", 0, {})
NOT_OUT = ("x", X.tolist(), X.astype(int), X[:3])

CASES = {
    ("sparseness", "axis"): (lambda v: ez.sparseness(X, v), ("x", 2, -3, 1.0, None, [0, 1])),
    ("project", "sparseness"): (lambda v: ez.project(X, v), (*NOT_NUMBERS, None, 0.0, 1.0)),
    ("project", "norm"): (lambda v: ez.project(X, 0.8, v), (*NOT_NUMBERS, 0.0, np.inf)),
    ("project", "solver"): (lambda v: ez.project(X, 0.8, None, v), ("x", None, [], X)),
    ("project", "out"): (lambda v: ez.project(X, 0.8, out=v), NOT_OUT),
    ("projection_gradient", "norm"): (
        lambda v: ez.projection_gradient(X, 0.8, X, v),
        (*NOT_NUMBERS, 0.0),
    ),
    ("lasso", "alpha"): (lambda v: ez.lasso(X, X, v), (*NOT_NUMBERS, None, 0.0, np.inf, 10**400)),
    ("ormp", "n_nonzero"): (lambda v: ez.ormp(X, X, v), (*NOT_INTEGERS, 0)),
    ("ormp", "max_error"): (lambda v: ez.ormp(X, X, 2, v), (*NOT_NUMBERS, None, -1.0)),
    ("filter_responses", "method"): (
        lambda v: ez.filter_responses(IMAGE, X, v),
        ("x", None, [], X),
    ),
    ("filter_responses", "out"): (lambda v: ez.filter_responses(IMAGE, X, out=v), NOT_OUT),
    ("extract_patches", "patch_size"): (
        lambda v: ez.extract_patches(IMAGE, v, 3),
        (*NOT_INTEGERS, 1),
    ),
    ("extract_patches", "n_patches"): (
        lambda v: ez.extract_patches(IMAGE, 3, v),
        (*NOT_INTEGERS, 0),
    ),
    ("extract_patches", "seed"): (lambda v: ez.extract_patches(IMAGE, 3, 3, v), NOT_SEEDS),
    ("fit_whitening", "n_components"): (
        lambda v: ez.fit_whitening(X, v),
        ("2", 1.5, -1, 0, 9, True),
    ),
    ("reproduce", "sparseness"): (lambda v: ez.reproduce(IMAGE, X, v), (*NOT_NUMBERS, 1.0)),
    ("reproduce", "n_iterations"): (
        lambda v: ez.reproduce(IMAGE, X, 0.8, v),
        (*NOT_INTEGERS, 0),
    ),
    ("denoise", "sigma"): (lambda v: ez.denoise(IMAGE, v, X), (*NOT_NUMBERS, -1.0, 1e12)),
    ("denoise", "window"): (lambda v: ez.denoise(IMAGE, 20, X, v), NOT_INTEGERS),
    ("denoise", "rules"): (lambda v: ez.denoise(IMAGE, 20, X, rules=v), ("x", None, [])),
    ("denoise", "white"): (lambda v: ez.denoise(IMAGE, 20, X, white=v), NOT_WHITE),
    ("denoise", "adapt"): (lambda v: ez.denoise(IMAGE, 20, X, adapt=v), ("yes", 1)),
    ("denoise", "tile"): (lambda v: ez.denoise(IMAGE, 20, X, tile=v), (*NOT_INTEGERS, 0)),
    ("denoise", "parameters"): (
        lambda v: ez.denoise(IMAGE, 20, X, parameters=v),
        NOT_PARAMETERS,
    ),
    ("DenoisingPrior", "parameters"): (lambda v: ez.DenoisingPrior(X, v), NOT_PARAMETERS),
    ("DenoisingPrior.adapt", "seed"): (
        lambda v: ez.DenoisingPrior(X).adapt(IMAGE, 20, v),
        (*NOT_SEEDS, None),
    ),
    ("estimate_noise", "white"): (lambda v: ez.estimate_noise(IMAGE, v), NOT_WHITE),
    ("fit_gabor", "start"): (
        lambda v: ez.fit_gabor(X[:5, :5], v),
        ("x", 1, [1, 2], [np.nan] * 6, object()),
    ),
    ("Samples.pick", "out"): (lambda v: SAMPLES.pick(range(20), v), NOT_OUT),
    ("Samples.pick", "dtype"): (lambda v: SAMPLES.pick([0], dtype=v), (int, np.float16)),
    ("Samples.pick_scaled", "out"): (
        lambda v: SAMPLES.pick_scaled(range(20), v),
        (*NOT_OUT, None),
    ),
} | {
    ("DenoisingParameters", name): (
        lambda v, name=name: ez.denoise(IMAGE, 20, X, parameters=DenoisingParameters(**{name: v})),
        values,
    )
    for name, values in {
        "spacing": ("2", 1.5, -1, True),
        "stride": ("2", 0),
        "group_size": ("2", 0),
        "min_group_size": ("2", 0),
        "distance": (*NOT_NUMBERS, -1.0),
        "confidence": (*NOT_NUMBERS, None, 0.0, 1.0),
        "noise_share": (*NOT_NUMBERS, 0.0),
        "shrink": ("yes", 1),
        "refine": ("yes", 1),
        "texture": (*NOT_NUMBERS, None, -1.0),
    }.items()
}


@pytest.mark.parametrize(
    ("function", "name", "value"),
    [(*case, value) for case, (_, values) in CASES.items() for value in values],
)
def test_invalid_parameters_are_rejected_by_name(function, name, value):
    call, _ = CASES[function, name]
    with pytest.raises(ValueError, match=f"^{name} must ") as error:
        call(value)
    assert "\n" not in str(error.value) or isinstance(value, np.ndarray)


@pytest.mark.parametrize("value", [np.float32(0.8), np.array(0.8)])
def test_numbers_of_numpy_are_numbers(value):
    np.testing.assert_array_equal(ez.project(X, value), ez.project(X, float(value)))


def test_integers_of_numpy_are_integers():
    np.testing.assert_array_equal(ez.ormp(X, X, np.uint8(2)), ez.ormp(X, X, 2))
