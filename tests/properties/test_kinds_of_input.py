"""Arrays, frames, sparse and masked matrices, and float16: the same rules in the entire interface.

The rules are those of `ezdl_cli.core.input_validation`.
"""

from dataclasses import astuple

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import ezdl_cli as ez

RANDOM = np.random.default_rng(0)
ATOMS = RANDOM.standard_normal((12, 9))
X = RANDOM.standard_normal((30, 9))
IMAGE = RANDOM.integers(0, 256, (24, 27)).astype(np.float64)
SMALL = {"n_epochs": 1, "samples_per_epoch": 20, "random_state": 0}
LEARNED = {learner: learner(4, **SMALL).fit(X) for learner in (ez.EZDL, ez.ODL, ez.RLSDLA)}
WHITENING = ez.fit_whitening(X, 4)
CODES = LEARNED[ez.ODL].transform(X)
PRIOR = ez.DenoisingPrior(ATOMS)
KERNEL = RANDOM.uniform(0.0, 1.0, (4, 3))
MASK = (RANDOM.random(IMAGE.shape) < 0.3).astype(np.float64)
ROUND = {"schedule": (20.0, 20.0, 1)}


def of_estimator(learner):
    """Return the methods that take samples, by name."""
    name, fitted = learner.__name__, LEARNED[learner]
    return {
        f"{name}.fit": ("X", lambda x: learner(4, **SMALL).fit(x).components_, X),
        f"{name}.partial_fit": ("X", lambda x: learner(4, **SMALL).partial_fit(x).components_, X),
        f"{name}.fit_transform": ("X", lambda x: learner(4, **SMALL).fit_transform(x), X),
        f"{name}.transform": ("X", lambda x: fitted.transform(x), X),
        f"{name}.score": ("X", lambda x: fitted.score(x), X),
        f"{name}.inverse_transform": ("X", lambda x: fitted.inverse_transform(x), CODES),
    }


def adapted(image):
    prior = ez.DenoisingPrior(ATOMS)
    prior.adapt(image, 20.0)
    return prior(IMAGE, 20.0)


# By function and argument: the name in messages, a call, and an argument for it.
CASES = {
    "sparseness": ("x", ez.sparseness, X),
    "project": ("x", lambda x: ez.project(x, 0.8), X),
    "projection_gradient": ("x", lambda x: ez.projection_gradient(x, 0.8, X), X),
    "projection_gradient y": ("y", lambda y: ez.projection_gradient(X, 0.8, y), X),
    "lasso": ("X", lambda x: ez.lasso(x, ATOMS, 0.5), X),
    "lasso W": ("W", lambda w: ez.lasso(X, w, 0.5), ATOMS),
    "ormp": ("X", lambda x: ez.ormp(x, ATOMS, 2), X),
    "ormp W": ("W", lambda w: ez.ormp(X, w, 2), ATOMS),
    "fit_whitening": ("samples", lambda x: astuple(ez.fit_whitening(x, 4)), X),
    "Whitening.transform": ("x", WHITENING.transform, X),
    "Whitening.inverse_transform": ("z", WHITENING.inverse_transform, WHITENING.transform(X)),
    "Samples": ("samples", lambda x: ez.Samples(x).pick([1, 2]), X),
    "extract_patches": ("image", lambda x: ez.extract_patches(x, 3, 5), IMAGE),
    "filter_responses": ("image", lambda x: ez.filter_responses(x, ATOMS), IMAGE),
    "filter_responses W": ("W", lambda w: ez.filter_responses(IMAGE, w), ATOMS),
    "reproduce": ("image", lambda x: ez.reproduce(x, ATOMS, 0.7, 2), IMAGE),
    "reproduce W": ("W", lambda w: ez.reproduce(IMAGE, w, 0.7, 2), ATOMS),
    "denoise": ("image", lambda x: ez.denoise(x, 20.0, ATOMS, 4), IMAGE),
    "denoise W": ("W", lambda w: ez.denoise(IMAGE, 20.0, w, 4), ATOMS),
    "estimate_noise": ("image", lambda x: ez.estimate_noise(x).sigma, IMAGE),
    "DenoisingPrior W": ("W", lambda w: ez.DenoisingPrior(w)(IMAGE, 20.0), ATOMS),
    "DenoisingPrior.adapt": ("image", adapted, IMAGE),
    "DenoisingPrior.__call__": ("image", lambda x: PRIOR(x, 20.0), IMAGE),
    "DenoisingPrior.__call__ guide": ("guide", lambda x: PRIOR(IMAGE, 20.0, guide=x), IMAGE),
    "inpaint": ("image", lambda x: ez.inpaint(x, MASK, **ROUND), IMAGE),
    "inpaint mask": ("mask", lambda x: ez.inpaint(IMAGE, x, **ROUND), MASK),
    "inpaint W": ("W", lambda w: ez.inpaint(IMAGE, MASK, w, **ROUND), ATOMS),
    "upscale": ("image", lambda x: ez.upscale(x, **ROUND), IMAGE),
    "upscale W": ("W", lambda w: ez.upscale(IMAGE, W=w, **ROUND), ATOMS),
    "deblur": ("image", lambda x: ez.deblur(x, KERNEL, 2.0, **ROUND), IMAGE),
    "deblur kernel": ("kernel", lambda x: ez.deblur(IMAGE, x, 2.0, **ROUND), KERNEL),
    "deblur W": ("W", lambda w: ez.deblur(IMAGE, KERNEL, 2.0, w, **ROUND), ATOMS),
    "fit_gabor": ("atom", lambda x: astuple(ez.fit_gabor(x)), ATOMS[:5, :4]),
} | {name: case for learner in LEARNED for name, case in of_estimator(learner).items()}
WITHOUT_ARRAYS = {"default_dictionary", "read_grey"}

each_case = pytest.mark.parametrize("case", CASES)
# Estimators that are fitted to an array here.
pytestmark = pytest.mark.filterwarnings("ignore:X has feature names")


def check_equal(found, expected):
    """Check that results, or tuples of them, are the same arrays or numbers."""
    if isinstance(expected, tuple):
        for one, other in zip(found, expected, strict=True):
            check_equal(one, other)
        return
    assert type(found) is type(expected)
    np.testing.assert_array_equal(found, expected)
    assert np.asarray(found).dtype == np.asarray(expected).dtype


def test_all_functions_with_arrays_are_here():
    assert {case.split(".")[0].split()[0] for case in CASES} - {"Whitening"} == (
        set(ez.__all__) - WITHOUT_ARRAYS
    )


@each_case
@pytest.mark.parametrize(
    "container",
    [
        scipy.sparse.csr_matrix,
        scipy.sparse.coo_array,
        lambda x: pd.DataFrame(x).astype({1: "Sparse[float64]"}),
        lambda x: pd.arrays.SparseArray(x[0]),
        lambda x: pd.Series(x[0]).astype("Sparse[float64]"),
        lambda x: [scipy.sparse.csr_matrix(row) for row in x],
    ],
    ids=["csr_matrix", "coo_array", "frame", "SparseArray", "series", "list of rows"],
)
def test_sparse_matrices_are_refused_in_the_same_words(case, container):
    name, call, x = CASES[case]
    with pytest.raises(TypeError, match=f"^{name} is sparse; convert it to a dense array "):
        call(container(x))


@each_case
@pytest.mark.parametrize(
    "container",
    [lambda x: x, list, lambda x: [list(row) for row in x], lambda x: ([x],)],
    ids=["array", "list of rows", "list of lists", "in two lists"],
)
def test_masked_entries_are_refused_in_the_same_words(case, container):
    name, call, x = CASES[case]
    masked = np.ma.masked_array(x, mask=np.zeros(x.shape, bool))
    masked[2, 1] = np.ma.masked
    with pytest.raises(ValueError, match=f"^{name} has masked entries; fill them first$"):
        call(container(masked))


@each_case
def test_arrays_without_masked_entries_are_ordinary(case):
    _, call, x = CASES[case]
    check_equal(call(np.ma.masked_array(x)), call(x))


@each_case
@pytest.mark.parametrize("dtype", [None, "Float64"])
def test_frames_are_arrays(case, dtype):
    _, call, x = CASES[case]
    frame = pd.DataFrame(x, columns=[f"c{i}" for i in range(x.shape[1])])
    check_equal(call(frame if dtype is None else frame.astype(dtype)), call(x))


@each_case
def test_float16_is_float32(case):
    _, call, x = CASES[case]
    half = x.astype(np.float16)
    if case == "extract_patches":  # nothing is computed: patches have the type of the image
        assert call(half).dtype == np.float16
        return
    check_equal(call(half), call(half.astype(np.float32)))


@each_case
def test_other_numbers_are_float64(case):
    _, call, x = CASES[case]
    if case == "extract_patches":
        assert call(x.astype(np.int16)).dtype == np.int16
        return
    whole = np.rint(1000 * x).astype(np.int64)
    if case == "Samples":  # are picked in the type that is asked for
        check_equal(call(whole), call(whole.astype(np.float32)))
        return
    check_equal(call(whole), call(whole.astype(np.float64)))
    check_equal(call(whole.astype(np.longdouble)), call(whole.astype(np.float64)))


@each_case
def test_text_in_frames_is_refused(case):
    name, call, x = CASES[case]
    for text in ("a", "1.5"):
        with pytest.raises(ValueError, match=f"^column 'c1' of {name} must hold real numbers, not"):
            call(pd.DataFrame({"c0": x[:, 0], "c1": [text] * len(x)}))


@each_case
@pytest.mark.parametrize(
    "container",
    [
        lambda x: x.astype(str),
        lambda x: x.astype(bytes),
        lambda x: x.astype(str).tolist(),
        lambda x: x.astype(str).astype(object),
        lambda x: x.astype("M8[s]"),
    ],
    ids=["str", "bytes", "list", "object", "date"],
)
def test_text_and_dates_are_refused_in_the_same_words(case, container):
    name, call, x = CASES[case]
    with pytest.raises(ValueError, match=f"^{name} must hold real numbers, not "):
        call(container(x))


def test_rows_of_different_lengths_are_refused_by_name():
    for name, call in (
        ("x", ez.sparseness),
        ("image", ez.denoise),
        ("samples", ez.Samples),
        ("X", ez.EZDL().fit),
    ):
        with pytest.raises(ValueError, match=f"^{name} cannot be converted to an array: "):
            call([[1.0, 2.0], [3.0]])


def test_frames_of_numbers_and_booleans_are_numbers():
    frame = pd.DataFrame({"a": [1.5, 2.0], "b": [True, False]})
    np.testing.assert_array_equal(ez.project(frame, 0.9), ez.project([[1.5, 1], [2, 0]], 0.9))


def test_missing_entries_of_frames_are_refused():
    frame = pd.DataFrame({"a": [1.5, 2.0], "b": pd.array([None, 1], "Int64")})
    with pytest.raises(ValueError, match="row 0 of X holds NaN"):
        ez.lasso(frame, np.eye(2), 0.1)


@each_case
@pytest.mark.parametrize(
    ("dtype", "second"),
    [("float32", "float32"), ("Float32", "Float32"), ("Float32", "float16")],
)
def test_frames_of_single_precision_stay_float32(case, dtype, second):
    _, call, x = CASES[case]
    x = x.astype(np.float16).astype(np.float32)
    frame = pd.DataFrame(x).astype(dtype).astype({1: second})
    check_equal(call(frame), call(x))


@pytest.mark.parametrize("dtype", ["float64", "Float64", "Int8", "boolean", "bool"])
def test_frames_with_columns_of_other_types_become_float64(dtype):
    frame = pd.DataFrame(np.ones((4, 9), np.float32)).astype("Float32").astype({1: dtype})
    assert ez.project(frame, 0.8).dtype == LEARNED[ez.EZDL].transform(frame).dtype == np.float64


def test_lists_of_float32_rows_stay_float32():
    rows = list(X.astype(np.float32))
    assert ez.project(rows, 0.8).dtype == LEARNED[ez.EZDL].transform(rows).dtype == np.float32
