"""The estimators: scikit-learn's checks, codes, partial fits, rejected parameters."""

import pickle
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import ezdl_cli as ez
from ezdl_cli.learn.ezdl import EZDLParameters
from ezdl_cli.learn.odl import ODLParameters
from ezdl_cli.learn.rls_dla import RLSDLAParameters

SMALL = {"n_components": 6, "n_epochs": 3, "samples_per_epoch": 100}


LEARNERS = [ez.EZDL(**SMALL), ez.ODL(**SMALL, batch_size=10), ez.RLSDLA(**SMALL)]
each_learner = pytest.mark.parametrize("learner", [ez.EZDL, ez.ODL, ez.RLSDLA])


@parametrize_with_checks(LEARNERS)
def test_estimator_passes_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


def samples(dtype=np.float64):
    return np.random.default_rng(0).standard_normal((200, 16)).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_codes_have_the_sparseness_and_the_best_scale(dtype):
    x = samples(dtype)
    learned = ez.EZDL(32, sparseness=0.6, n_epochs=20, samples_per_epoch=500, random_state=0).fit(x)
    codes = learned.transform(x)
    assert codes.dtype == learned.components_.dtype == dtype
    np.testing.assert_allclose(ez.sparseness(codes), 0.6, atol=1e-4)
    back = learned.inverse_transform(codes)
    error = np.linalg.norm(x - back, axis=1)
    for factor in (0.99, 1.01):  # no other scale is better
        assert (error <= np.linalg.norm(x - factor * back, axis=1) + 1e-6).all()
    assert error.mean() < 0.8 * np.linalg.norm(x, axis=1).mean()


def test_more_iterations_lower_the_error():
    x = samples()
    learned = ez.EZDL(32, sparseness=0.6, n_epochs=2, samples_per_epoch=500, random_state=0).fit(x)
    errors = []
    for iterations in (1, 30):
        codes = learned.set_params(transform_iterations=iterations).transform(x)
        np.testing.assert_allclose(ez.sparseness(codes), 0.6, atol=1e-4)
        errors.append(np.linalg.norm(x - learned.inverse_transform(codes), axis=1).mean())
    assert errors[1] < 0.9 * errors[0]
    with pytest.raises(ValueError, match="ordinary"):
        learned.set_params(inference="topographic", grid=(4, 8)).transform(x)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_odl_codes_with_the_lasso_and_rls_dla_with_ormp(dtype):
    x = samples(dtype)
    learned = ez.ODL(**SMALL, alpha=0.5, random_state=0).fit(x)
    assert learned.components_.dtype == dtype
    np.testing.assert_array_equal(learned.transform(x), ez.lasso(x, learned.components_, 0.5))
    learned = ez.RLSDLA(**SMALL, n_nonzero=2, random_state=0).fit(x)
    assert learned.components_.dtype == dtype
    np.testing.assert_array_equal(learned.transform(x), ez.ormp(x, learned.components_, 2))


@each_learner
def test_atoms_depend_on_the_seed_alone(learner):
    def learned(seed):
        return learner(**SMALL, random_state=seed).fit(samples()).components_

    np.testing.assert_array_equal(learned(3), learned(3))
    assert (learned(3) != learned(4)).any()


@each_learner
def test_partial_fit_learns_batch_by_batch(learner):
    x = samples()
    learned = learner(**SMALL, random_state=0)
    for _ in range(5):
        learned.partial_fit(x)
    assert learned.n_iter_ == 5 and len(learned.history_) == 5
    better = learned.history_[-1] - learned.history_[0]
    assert better > 0 if learner is ez.EZDL else better < 0


@each_learner
def test_state_of_partial_fit_is_pickled(learner):
    x = samples()
    learned = learner(**SMALL, random_state=0).partial_fit(x)
    again = pickle.loads(pickle.dumps(learned))
    expected = learned.partial_fit(x).components_
    np.testing.assert_array_equal(again.partial_fit(x).components_, expected)


def fail(epoch, W):
    raise KeyboardInterrupt


@each_learner
@pytest.mark.parametrize(
    ("bad", "X"),
    [
        ({"n_epochs": 0}, samples()[:, :5]),
        ({"callback": fail}, samples()[:, :5]),
        ({}, np.full((20, 5), np.nan)),
    ],
    ids=["parameter", "interrupted", "NaN"],
)
def test_failed_fit_keeps_the_previous_one(learner, bad, X):
    x = pd.DataFrame(samples()).add_prefix("feature ")
    learned = learner(**SMALL, random_state=0).fit(x)
    before = dict(vars(learned))
    with pytest.raises((ValueError, KeyboardInterrupt)):
        learned.set_params(**bad).fit(pd.DataFrame(X).add_prefix("other "))
    learned.set_params(**{name: before[name] for name in bad})
    assert vars(learned).keys() == before.keys()
    assert all(value is before[name] for name, value in vars(learned).items())
    assert learned.partial_fit(x).n_iter_ == 4


@each_learner
def test_failed_fit_leaves_an_unfitted_estimator_unfitted(learner):
    x = samples()
    learned = learner(**{**SMALL, "n_components": 0})
    for fit in (learned.fit, learned.partial_fit):
        with pytest.raises(ValueError, match="n_components"):
            fit(x)
        assert not hasattr(learned, "n_features_in_")
    assert learned.set_params(n_components=6).partial_fit(x[:, :7]).components_.shape == (6, 7)


@each_learner
def test_all_parameters_but_the_number_of_atoms_may_change_between_partial_fits(learner):
    x = samples()
    learned = learner(**SMALL, random_state=0).partial_fit(x)
    name, value = {"EZDL": ("sparseness", 0.5), "ODL": ("alpha", 0.3), "RLSDLA": ("n_nonzero", 2)}[
        learner.__name__
    ]
    learned.set_params(**{name: value}).partial_fit(x)
    assert getattr(learned._learner.parameters, name) == value
    with pytest.raises(ValueError, match="must stay 6"):
        learned.set_params(n_components=7).partial_fit(x)


@pytest.mark.parametrize(
    ("learner", "bad"),
    [
        (ez.ODL, {"batch_size": 50.0}),
        (ez.ODL, {"alpha": None}),
        (ez.RLSDLA, {"n_nonzero": 2.0}),
        (ez.RLSDLA, {"forgetting": "x"}),
        (ez.RLSDLA, {"forgetting_samples": 0}),
    ],
)
def test_parameters_of_wrong_type_are_rejected(learner, bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        learner(**SMALL, **bad).fit(samples())


@each_learner
@pytest.mark.parametrize(
    "bad", [{"n_components": 2.5}, {"n_epochs": 0}, {"samples_per_epoch": "many"}]
)
def test_counts_must_be_positive_integers(learner, bad):
    with pytest.raises(ValueError, match="positive integer"):
        learner(**{**SMALL, **bad}).fit(samples())


def test_callback_is_called_after_every_epoch():
    seen = []
    ez.EZDL(**SMALL, callback=lambda epoch, W: seen.append((epoch, W.shape))).fit(samples())
    assert seen == [(1, (6, 16)), (2, (6, 16)), (3, (6, 16))]


def test_samples_of_pixels_are_learned_in_single_precision():
    pixels = np.random.default_rng(1).integers(0, 256, (100, 16), dtype=np.uint8)
    learned = ez.EZDL(**SMALL, random_state=0).fit(ez.Samples(pixels))
    assert learned.components_.dtype == np.float32
    assert learned.transform(ez.Samples(pixels)).shape == (100, 6)


def test_pooling_changes_the_atoms_and_must_fit_the_grid():
    x = samples()
    options = {"n_components": 20, "n_epochs": 2, "samples_per_epoch": 100, "random_state": 0}
    learned = {
        width: ez.EZDL(**options, inference="topographic", grid=(4, 5), pooling=width).fit(x)
        for width in (1, 3)
    }
    ordinary = ez.EZDL(**options).fit(x)
    np.testing.assert_array_equal(learned[1].components_, ordinary.components_)
    assert not np.allclose(learned[3].components_, ordinary.components_)
    with pytest.raises(ValueError, match="pooling"):
        learned[3].set_params(pooling=5).fit(x)


def test_command_line_training_does_not_import_scikit_learn(run):
    code = "import sys, ezdl_cli.commands.train; assert 'sklearn' not in sys.modules"
    done = run(sys.executable, "-c", code)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("estimator", "parameters"),
    [(ez.EZDL, EZDLParameters), (ez.ODL, ODLParameters), (ez.RLSDLA, RLSDLAParameters)],
)
def test_defaults_are_those_of_the_learner(estimator, parameters):
    assert vars(parameters()).items() <= estimator().get_params().items()


def test_output_features_are_named_after_the_estimator():
    learned = ez.EZDL(**SMALL, random_state=0).fit(samples())
    assert learned.get_feature_names_out().tolist() == [f"ezdl{i}" for i in range(6)]


@each_learner
def test_invalid_codes_are_rejected(learner):
    x = np.random.default_rng(0).standard_normal((60, 16))
    fitted = learner(n_components=9, n_epochs=1, samples_per_epoch=40, random_state=0).fit(x)
    for codes in (np.full((2, 9), 1.7e308), np.full((2, 9), np.nan), np.ones((2, 8)), np.ones(9)):
        with pytest.raises(ValueError, match="X"):
            fitted.inverse_transform(codes)
