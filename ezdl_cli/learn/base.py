"""What the estimators of all learners have in common, in the manner of scikit-learn."""

import numpy as np

from ..samples import Samples
from .training import initial_dictionary, train

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
        learner = self._start(samples, dtype)
        train(
            learner,
            samples,
            1,
            self.n_epochs,
            self.samples_per_epoch,
            self._seed,
            self._epoch_done,
        )
        return self._keep(learner)

    def partial_fit(self, X, y=None):
        """Learn from the rows of X once, in their order: an epoch of its own."""
        first = not hasattr(self, "components_")
        samples, dtype = self._samples(X, reset=first)
        learner = self._start(samples, dtype) if first else self._learner
        epoch = self.n_iter_ + 1
        stream = np.random.default_rng([self._seed, epoch])
        numbers = learner.learn(samples, np.arange(len(samples)), epoch, stream)
        self._epoch_done(epoch, learner, numbers)
        return self._keep(learner)

    def transform(self, X):
        """Codes (m, n_components) of the rows of X."""
        check_is_fitted(self, "components_")
        samples, dtype = self._samples(X, reset=False)
        x = samples.pick(np.arange(len(samples)), dtype=dtype)
        return self._codes(x, self.components_.astype(dtype, copy=False))

    def inverse_transform(self, X):
        """Approximations (m, n_features) of samples from their codes."""
        check_is_fitted(self, "components_")
        return np.asarray(X) @ self.components_

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
            return X, np.float64 if X.array.dtype == np.float64 else np.float32
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
        """The learner with its first dictionary; forgets what was learned before."""
        lengths = (self.n_components, self.n_epochs, self.samples_per_epoch)
        if not all(isinstance(n, int | np.integer) and n >= 1 for n in lengths):
            raise ValueError(
                "n_components, n_epochs and samples_per_epoch must be whole numbers from 1 on"
            )
        self._seed = _seed_of(self.random_state)
        self.history_ = []
        self.n_iter_ = 0
        parameters = self._parameters()
        W = initial_dictionary(samples, self.n_components, self._seed, parameters, dtype)
        return parameters.learner(W, self.n_epochs * self.samples_per_epoch)

    def _epoch_done(self, epoch, learner, numbers):
        self.history_.append(next(iter(numbers.values())))
        self.n_iter_ = epoch
        if self.callback is not None:
            self.callback(epoch, learner.W)

    def _keep(self, learner):
        self._learner = learner
        self.components_ = learner.W.copy()
        return self


def _seed_of(random_state):
    """A seed from what scikit-learn calls a random state."""
    if random_state is None:
        return int(np.random.default_rng().integers(2**31))
    if hasattr(random_state, "randint"):
        return int(random_state.randint(2**31 - 1))
    return int(random_state)
