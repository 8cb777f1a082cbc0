"""What the estimators of all learners have in common, in the manner of scikit-learn."""

from copy import deepcopy

import numpy as np

from ..coding.arguments import check_whole
from ..core.arrays import floating, refuse_rows
from ..samples.store import Samples
from .training import initial_dictionary, learn_epoch, train

try:
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    from .without_sklearn import BaseEstimator, TransformerMixin, check_is_fitted, validate_data


class DictionaryEstimator(TransformerMixin, BaseEstimator):
    """Learns a dictionary from rows; those that inherit say how, and how to code.

    They have the parameters `n_components`, `n_epochs`, `samples_per_epoch`, `random_state` and
    `callback`, and the two methods `_parameters` and `_codes`.
    """

    def fit(self, X, y=None):
        """Learn a dictionary from the rows of X, an array or `Samples`."""
        samples, dtype = self._samples(X, reset=True)
        run = self._start(samples, dtype)
        train(run.learner, samples, 1, self.n_epochs, self.samples_per_epoch, run.seed, run.done)
        return self._keep(run)

    def partial_fit(self, X, y=None):
        """Learn from the rows of X once, in their order: an epoch of its own."""
        first = not hasattr(self, "components_")
        samples, dtype = self._samples(X, reset=first)
        run = self._start(samples, dtype) if first else self._go_on()
        epoch = run.epochs + 1
        stream = np.random.default_rng([run.seed, epoch])
        indices = np.arange(len(samples))
        run.done(epoch, run.learner, learn_epoch(run.learner, samples, indices, epoch, stream))
        return self._keep(run)

    def transform(self, X):
        """Codes (m, n_components) of the rows of X."""
        check_is_fitted(self, "components_")
        samples, dtype = self._samples(X, reset=False)
        x = samples.pick(np.arange(len(samples)), dtype=dtype)
        return self._codes(x, self.components_.astype(dtype, copy=False))

    def inverse_transform(self, X):
        """Approximations (m, n_features) of samples from their codes (m, n_components)."""
        check_is_fitted(self, "components_")
        codes = floating(X, "X")
        if codes.ndim != 2 or codes.shape[1] != len(self.components_):
            wanted = f"codes (m, {len(self.components_)})"
            raise ValueError(f"X must hold {wanted}, but has the shape {codes.shape}")
        with np.errstate(over="ignore", invalid="ignore"):
            samples = codes @ self.components_
        refuse_rows(~np.isfinite(samples).all(axis=1), f"of X is not finite in {samples.dtype}")
        return samples

    @property
    def _n_features_out(self):
        return len(self.components_)

    def _samples(self, X, reset):
        """Samples, and the type of numbers to compute with."""
        if isinstance(X, Samples):
            if reset:
                self.n_features_in_ = X.n_features
            elif X.n_features != self.n_features_in_:
                raise ValueError(f"X has {X.n_features} features, not {self.n_features_in_}")
            double = X.array.dtype.kind == "f" and X.array.dtype.itemsize == 8
            return X, np.float64 if double else np.float32
        with np.errstate(over="ignore", invalid="ignore"):  # it sums all entries, however large
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
        """A new training; what was learned before is forgotten."""
        for name in ("components_", "_run"):
            vars(self).pop(name, None)
        for name in ("n_components", "n_epochs", "samples_per_epoch"):
            check_whole(name, getattr(self, name))
        seed = _seed_of(self.random_state)
        parameters = self._parameters()
        W = initial_dictionary(samples, self.n_components, seed, parameters, dtype)
        learner = parameters.learner(W, self.n_epochs * self.samples_per_epoch)
        return Run(learner, seed, self.callback)

    def _go_on(self):
        """A copy of the training so far, with the parameters as they are now.

        A copy: if the samples are refused, all is as it was before.
        """
        n_atoms, n_features = self._run.learner.W.shape
        if self.n_components != n_atoms:
            raise ValueError(f"n_components must stay {n_atoms} between calls of partial_fit")
        parameters = self._parameters()
        parameters.check(n_atoms, n_features)
        run = Run(deepcopy(self._run.learner), self._run.seed, self.callback)
        run.learner.parameters = parameters
        run.history = list(self._run.history)
        return run

    def _keep(self, run):
        self._run = run
        self.components_ = run.learner.W.copy()
        self.history_ = list(run.history)
        self.n_iter_ = run.epochs
        return self


class Run:
    """A training on its way."""

    def __init__(self, learner, seed, callback):
        self.learner, self.seed, self.callback = learner, seed, callback
        self.history = []

    @property
    def epochs(self):
        """How many there were."""
        return len(self.history)

    def done(self, epoch, learner, numbers):
        """Note what an epoch gave."""
        self.history.append(next(iter(numbers.values())))
        if self.callback is not None:
            self.callback(epoch, learner.W)

    def __getstate__(self):
        return {**vars(self), "callback": None}


def _seed_of(random_state):
    """A seed from what scikit-learn calls a random state."""
    if random_state is None:
        return int(np.random.default_rng().integers(2**31))
    if hasattr(random_state, "randint"):
        return int(random_state.randint(2**31 - 1))
    return int(random_state)
