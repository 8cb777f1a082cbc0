"""The estimators with scikit-learn and pandas: score, search, containers, seeds, parameters."""

import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import ezdl_cli as ez

SMALL = {"n_components": 6, "n_epochs": 2, "samples_per_epoch": 100}
each_learner = pytest.mark.parametrize("learner", [ez.EZDL, ez.ODL, ez.RLSDLA])


def samples(n_samples=120, n_features=10):
    return np.random.default_rng(0).standard_normal((n_samples, n_features))


def samples_of_atoms(n_atoms=12, n_features=16, n_samples=600):
    """Return samples with two atoms each."""
    random = np.random.default_rng(1)
    W = random.standard_normal((n_atoms, n_features))
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    codes = np.zeros((n_samples, n_atoms))
    for code in codes:
        chosen = random.choice(n_atoms, 2, replace=False)
        code[chosen] = random.choice([-1.0, 1.0], 2) * random.uniform(0.5, 1.5, 2)
    return codes @ W


def frame(x):
    return pd.DataFrame(x, columns=[f"pixel {i}" for i in range(x.shape[1])])


@each_learner
def test_score_is_the_explained_share_of_the_energy(learner):
    x = samples()
    learned = learner(**SMALL, random_state=0).fit(x)
    approximations = learned.inverse_transform(learned.transform(x))
    expected = 1.0 - np.sum((x - approximations) ** 2) / np.sum(x**2)
    assert 0.0 < expected < 1.0
    assert learned.score(x) == pytest.approx(expected, rel=1e-12)
    assert learned.score(np.zeros((3, 10))) == 1.0


@pytest.mark.parametrize("scale", [1e-300, 1e-20, 1e150])
@pytest.mark.parametrize("learner", [ez.EZDL, ez.RLSDLA])
def test_score_does_not_depend_on_the_scale(learner, scale):
    x = samples()
    learned = learner(**SMALL, random_state=0).fit(x)
    assert learned.score(scale * x) == pytest.approx(learned.score(x), rel=1e-9)


def test_score_of_exact_codes_is_one():
    x = samples(n_features=4)
    learned = ez.RLSDLA(6, n_nonzero=4, n_epochs=2, samples_per_epoch=100, random_state=0).fit(x)
    assert learned.score(x) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(
    ("learner", "grid", "best"),
    [
        (ez.EZDL(sparseness=0.8), {"n_components": [3, 12]}, {"n_components": 12}),
        (ez.ODL(alpha=0.1), {"n_components": [3, 12]}, {"n_components": 12}),
        (ez.RLSDLA(n_nonzero=2), {"n_components": [3, 12]}, {"n_components": 12}),
        (ez.EZDL(12, sparseness=0.8), {"step_size": [1e-4, 0.3]}, {"step_size": 0.3}),
        (ez.RLSDLA(12), {"n_nonzero": [1, 2]}, {"n_nonzero": 2}),
        (ez.ODL(12), {"alpha": [1.0, 0.1]}, {"alpha": 0.1}),
    ],
)
def test_grid_search_needs_no_scorer(learner, grid, best):
    learner.set_params(n_epochs=20, samples_per_epoch=400, random_state=0)
    search = GridSearchCV(learner, grid, cv=3).fit(samples_of_atoms())
    assert search.best_params_ == best
    scores = search.cv_results_["mean_test_score"]
    assert scores.max() - scores.min() > 0.02  # more than chance


def test_dictionaries_of_all_learners_can_be_compared():
    steps = [
        ez.EZDL(4, n_epochs=2, samples_per_epoch=100, random_state=0),
        ez.RLSDLA(12, 2, n_epochs=20, samples_per_epoch=400, random_state=0),
    ]
    search = GridSearchCV(make_pipeline(steps[0]), {"ezdl": steps}, cv=3).fit(samples_of_atoms())
    assert isinstance(search.best_params_["ezdl"], ez.RLSDLA)


@each_learner
def test_codes_of_a_frame_are_a_frame_on_request(learner):
    x = frame(samples())
    x.index = x.index + 1000
    learned = learner(**SMALL, random_state=0).fit(x)
    plain = learned.transform(x)
    assert type(plain) is np.ndarray
    codes = learned.set_output(transform="pandas").transform(x)
    name = learner.__name__.lower()
    assert list(codes.columns) == [f"{name}{i}" for i in range(6)]
    assert list(codes.columns) == learned.get_feature_names_out().tolist()
    assert (codes.index == x.index).all()
    np.testing.assert_array_equal(codes, plain)
    np.testing.assert_array_equal(
        learned.inverse_transform(codes), learned.inverse_transform(plain)
    )
    assert 0.0 < learned.score(x) < 1.0


@each_learner
def test_names_of_features_are_kept_and_compared(learner):
    x = frame(samples())
    learned = learner(**SMALL, random_state=0).fit(x)
    assert learned.feature_names_in_.tolist() == list(x.columns)
    for method in (learned.transform, learned.partial_fit, learned.score):
        with pytest.raises(ValueError, match="feature names"):
            method(x.rename(columns={"pixel 0": "other"}))
    learned.fit(ez.Samples(x))
    assert not hasattr(learned, "feature_names_in_")


@each_learner
def test_frames_give_the_dictionary_of_arrays(learner):
    x = samples()
    learned = [learner(**SMALL, random_state=0).fit(X).components_ for X in (x, frame(x))]
    np.testing.assert_array_equal(*learned)


@pytest.mark.parametrize("seed", [0, np.int64(0)])
def test_integers_are_seeds(seed):
    x = samples()
    learned = ez.RLSDLA(**SMALL, random_state=seed).fit(x)
    again = ez.RLSDLA(**SMALL, random_state=0).fit(x)
    np.testing.assert_array_equal(learned.components_, again.components_)


@pytest.mark.parametrize("create", [np.random.default_rng, np.random.RandomState])
def test_generators_are_advanced(create):
    def learn(state):
        return ez.RLSDLA(**SMALL, random_state=state).fit(samples()).components_

    state = create(5)
    first, second = learn(state), learn(state)
    assert (first != second).any()
    np.testing.assert_array_equal(first, learn(create(5)))


@each_learner
@pytest.mark.parametrize("fit", ["fit", "partial_fit"])
def test_generators_are_not_advanced_by_rejected_parameters(learner, fit):
    name = {"EZDL": "sparseness", "ODL": "alpha", "RLSDLA": "n_nonzero"}[learner.__name__]
    for bad in ({name: -1}, {"callback": 3}, {"n_components": 0}):
        state = np.random.default_rng(5)
        with pytest.raises(ValueError, match=next(iter(bad))):
            getattr(learner(**(SMALL | bad), random_state=state), fit)(samples())
        assert state.bit_generator.state == np.random.default_rng(5).bit_generator.state


def test_generator_is_cloned_in_its_state():
    learner = ez.RLSDLA(**SMALL, random_state=np.random.default_rng(3))
    twins = [clone(learner).fit(samples()).components_ for _ in range(2)]
    np.testing.assert_array_equal(*twins)


def test_unseeded_fits_differ():
    learned = [ez.RLSDLA(**SMALL, random_state=None).fit(samples()).components_ for _ in range(2)]
    assert (learned[0] != learned[1]).any()


@each_learner
@pytest.mark.parametrize("bad", ["abc", 1.0, -1, True, [1, 2], np.random.SeedSequence(0)])
def test_other_random_states_are_rejected_by_name(learner, bad):
    message = f"^{learner.__name__}: random_state must be .* not .*{str(bad)[:3].strip('[')}"
    with pytest.raises(ValueError, match=message):
        learner(**SMALL, random_state=bad).fit(samples())


BAD = {
    ez.EZDL: {
        "n_components": (0, 2.5, "many"),
        "sparseness": (0.0, 1.0, "x", None, np.nan),
        "n_epochs": (0, None),
        "samples_per_epoch": (True, "x"),
        "step_size": (0.0, "x", None, np.nan),
        "inference": ("x", None, ["rank"]),
        "atom_sparseness": (1.0, "x"),
        "atom_rank": (0, 9, 1.5, "x"),
        "noise": (-1.0, "x", None),
        "noise_decay": (1.5, "x", None),
        "gradient": ("x", None, []),
        "transform_iterations": (0, 1.5, "x"),
        "callback": (1,),
    },
    ez.ODL: {"alpha": (0.0, "x", None, np.inf), "batch_size": (0, 2.0, "x")},
    ez.RLSDLA: {
        "n_nonzero": (0, 2.0, "x"),
        "forgetting": (0.0, 1.1, "x", None),
        "forgetting_samples": (0, 2.5, "x"),
    },
}
GRIDS = {
    "grid": (5, (1, 2, 3), "ab", (2.0, 3.0), (2, 4), (0, 6), [[1], [2, 3]]),
    "pooling": (2, 5, 1.5, "x", None),
    "code_rank": (0, 3, 1.5, "x", None),
}
CASES = [
    (learner, {name: value})
    for learner, parameters in BAD.items()
    for name, values in parameters.items()
    for value in values
]
CASES += [
    (ez.EZDL, {name: value, "inference": "rank" if name == "code_rank" else "topographic"})
    for name, values in GRIDS.items()
    for value in values
]


@pytest.mark.parametrize(("learner", "bad"), CASES)
def test_invalid_parameters_are_rejected_by_name(learner, bad):
    name, value = next(iter(bad.items()))
    for fit in ("fit", "partial_fit"):
        with pytest.raises(ValueError, match=f"^{learner.__name__}: .*{name} must ") as error:
            getattr(learner(**(SMALL | bad)), fit)(samples(n_features=9))
        assert "\n" not in str(error.value)
        shown = error.value.args[0].removeprefix(learner.__name__)
        assert name == "grid" or str(value) in shown


@each_learner
def test_parameters_are_checked_by_transform(learner):
    name = {"EZDL": "sparseness", "ODL": "alpha", "RLSDLA": "n_nonzero"}[learner.__name__]
    learned = learner(**SMALL, random_state=0).fit(samples()).set_params(**{name: -1})
    with pytest.raises(ValueError, match=f"^{learner.__name__}: {name} must "):
        learned.transform(samples())


@each_learner
def test_callback_is_checked_before_each_partial_fit(learner):
    learned = learner(**SMALL, random_state=0).partial_fit(samples())
    with pytest.raises(ValueError, match=f"^{learner.__name__}: callback must be .* not 3$"):
        learned.set_params(callback=3).partial_fit(samples())


def test_array_api_check_of_scikit_learn_passes(run):
    """It is skipped unless this variable is set before SciPy is imported."""
    code = """
import ezdl_cli as ez
from sklearn.utils.estimator_checks import check_estimator
for learner in (ez.EZDL, ez.ODL, ez.RLSDLA):
    estimator = learner(n_components=6, n_epochs=1, samples_per_epoch=50)
    results = check_estimator(estimator, on_skip=None)
    assert len(results) > 40
    assert {result["status"] for result in results} == {"passed"}, results
"""
    done = run(sys.executable, "-W", "error", "-c", code, env={"SCIPY_ARRAY_API": "1"})
    assert done.returncode == 0, done.stderr
