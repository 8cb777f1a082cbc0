"""The part that the scikit-learn estimators of all learners share."""

from copy import deepcopy
from dataclasses import fields
from functools import partial

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ..core.input_validation import as_float_array, check_positive_integer, reject_rows
from ..parallel import for_each_part, single_threaded_blas
from ..samples.store import Samples
from .training import initial_dictionary, learn_epoch, train

PART_SAMPLES = 2048  # samples of a thread, at about a microsecond each


class DictionaryEstimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Base class of estimators that learn a dictionary.

    Derived classes have the parameters `n_components`, `n_epochs`, `samples_per_epoch`,
    `random_state` and `callback`, those of their `_parameters_class` (or a method `_parameters`),
    and a method `_encode`.
    """

    def fit(self, X, y=None):
        """Learn a dictionary from the rows of X, an array or `Samples`."""
        samples, dtype = self._validate(X, reset=True)
        learner, seed = self._start(samples, dtype)
        history = []
        report = partial(self._report, history)
        train(learner, samples, 1, self.n_epochs, self.samples_per_epoch, seed, report)
        return self._set_fitted(learner, seed, history)

    def partial_fit(self, X, y=None):
        """Learn from each row of X once, in order, as an epoch of its own."""
        first = not hasattr(self, "components_")
        samples, dtype = self._validate(X, reset=first)
        learner, seed = self._start(samples, dtype) if first else self._resume()
        history = [] if first else list(self.history_)
        epoch = len(history) + 1
        rng = np.random.default_rng([seed, epoch])
        statistics = learn_epoch(learner, samples, np.arange(len(samples)), epoch, rng)
        self._report(history, epoch, learner, statistics)
        return self._set_fitted(learner, seed, history)

    def transform(self, X):
        """Return the sparse codes (m, n_components) of the rows of X."""
        check_is_fitted(self, "components_")
        samples, dtype = self._validate(X, reset=False)
        x, indices = np.empty((len(samples), samples.n_features), dtype), np.arange(len(samples))
        for_each_part(lambda part: samples.pick(indices[part], x[part]), len(x), PART_SAMPLES)
        return self._encode(x, self.components_.astype(dtype, copy=False))

    def inverse_transform(self, X):
        """Return the approximations (m, n_features) that codes (m, n_components) stand for."""
        check_is_fitted(self, "components_")
        codes = as_float_array(X, "X")
        if codes.ndim != 2 or codes.shape[1] != len(self.components_):
            expected = f"codes (m, {len(self.components_)})"
            raise ValueError(f"X must hold {expected}, but has the shape {codes.shape}")
        with np.errstate(over="ignore", invalid="ignore"), single_threaded_blas:
            samples = codes @ self.components_
        reject_rows(~np.isfinite(samples).all(axis=1), f"of X is not finite in {samples.dtype}")
        return samples

    @property
    def _n_features_out(self):
        return len(self.components_)

    def _parameters(self):
        """Return the parameters of the learner."""
        names = [field.name for field in fields(self._parameters_class)]
        return self._parameters_class(**{name: getattr(self, name) for name in names})

    def _validate(self, X, reset):
        """Return X as `Samples`, and the precision to compute with."""
        if isinstance(X, Samples):
            if reset:
                self.n_features_in_ = X.n_features
            elif X.n_features != self.n_features_in_:
                raise ValueError(f"X has {X.n_features} features, not {self.n_features_in_}")
            is_double = X.array.dtype.kind == "f" and X.array.dtype.itemsize == 8
            return X, np.float64 if is_double else np.float32
        with np.errstate(over="ignore", invalid="ignore"):  # scikit-learn sums all entries
            X = validate_data(
                self,
                X,
                reset=reset,
                dtype=[np.float64, np.float32],
                ensure_min_samples=2 if reset else 1,
                ensure_min_features=2 if reset else 1,
            )
        return Samples(X, "X"), X.dtype

    def _start(self, samples, dtype):
        """Return a new learner and its seed, and discard the previous fit."""
        for name in ("components_", "_learner", "_seed"):
            vars(self).pop(name, None)
        for name in ("n_components", "n_epochs", "samples_per_epoch"):
            check_positive_integer(name, getattr(self, name))
        seed = _seed_from(self.random_state)
        parameters = self._parameters()
        W = initial_dictionary(samples, self.n_components, seed, parameters, dtype)
        return parameters.learner(W, self.n_epochs * self.samples_per_epoch), seed

    def _resume(self):
        """Return a copy of the learner, with the current parameters, and its seed.

        A copy, so that the estimator remains unchanged if the samples are rejected.
        """
        n_atoms, n_features = self._learner.W.shape
        if self.n_components != n_atoms:
            raise ValueError(f"n_components must stay {n_atoms} between calls of partial_fit")
        parameters = self._parameters()
        parameters.check(n_atoms, n_features)
        learner = deepcopy(self._learner)
        learner.parameters = parameters
        return learner, self._seed

    def _report(self, history, epoch, learner, statistics):
        """Append the first statistic of an epoch to the history and call the callback."""
        history.append(next(iter(statistics.values())))
        if self.callback is not None:
            self.callback(epoch, learner.W)

    def _set_fitted(self, learner, seed, history):
        self._learner, self._seed = learner, seed
        self.components_ = learner.W.copy()
        self.history_ = history
        self.n_iter_ = len(history)
        return self


def _seed_from(random_state):
    """Return an integer seed for a random state as scikit-learn defines it."""
    if random_state is None:
        return int(np.random.default_rng().integers(2**31))
    if hasattr(random_state, "randint"):
        return int(random_state.randint(2**31 - 1))
    return int(random_state)
