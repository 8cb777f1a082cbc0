"""The part that the scikit-learn estimators of all learners share."""

from collections.abc import Callable
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import fields
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from ..core.input_validation import as_float_array, reject_rows
from ..core.parameter_validation import check_positive_integer
from ..core.scaling import scale_down, scaling_exponents
from ..parallel import for_each_part, single_threaded_blas
from ..samples.store import Samples
from .estimator_input import features_restored_on_error, validated_samples
from .random_state import RandomStateLike, seed_from
from .scikit_learn_base import ScikitLearnBase
from .training import initial_dictionary, learn_epoch, train

PART_SAMPLES = 2048  # samples that a thread copies; that takes longer than to wake it
Callback = Callable[[int, NDArray[np.floating]], object]  # of an epoch and the atoms


class DictionaryEstimator(ScikitLearnBase):
    """Base class of estimators that learn a dictionary.

    Derived classes are dataclasses with the parameters below, those of their `_parameters_class`,
    and a method `_encode`.
    """

    n_components: int
    n_epochs: int
    samples_per_epoch: int
    random_state: RandomStateLike
    callback: Callback | None

    components_: NDArray[np.floating]
    history_: list[float]
    n_iter_: int
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    _parameters_class: type

    def fit(self, X: ArrayLike | Samples, y: object = None) -> Self:
        """Learn a dictionary.

        Parameters
        ----------
        X : array_like of shape (n_samples, n_features) or Samples
            Samples to learn from, used as they are, except that pixels in `Samples` are normalised.
            Learning is in float32 for arrays of float16 or float32, and for `Samples` unless they
            are float64; otherwise in float64.
        y : object, default=None
            Ignored; for pipelines.

        Returns
        -------
        self : object
            The fitted estimator. After an error it is as before the call.

        Raises
        ------
        TypeError
            If X is sparse.
        ValueError
            If X does not hold finite real numbers, a parameter is invalid, or the values of the
            dictionary do not stay finite.
        """
        with features_restored_on_error(self):
            samples, dtype = validated_samples(self, X, reset=True)
            learner, seed = self._start(samples, dtype)
            history: list[float] = []
            report = partial(self._report, history)
            train(learner, samples, 1, self.n_epochs, self.samples_per_epoch, seed, report)
        return self._set_fitted(learner, seed, history)

    def partial_fit(self, X: ArrayLike | Samples, y: object = None) -> Self:
        """Learn from each row of X once, in order, as an epoch of its own.

        The first call starts a dictionary, further calls continue with the current parameters.
        Only the number of atoms cannot change in between.

        Parameters
        ----------
        X : array_like of shape (n_samples, n_features) or Samples
            Samples of this epoch.
        y : object, default=None
            Ignored; for pipelines.

        Returns
        -------
        self : object
            The estimator. After an error it is as before the call.
        """
        first = not hasattr(self, "components_")
        with features_restored_on_error(self):
            samples, dtype = validated_samples(self, X, reset=first)
            learner, seed = self._start(samples, dtype) if first else self._resume()
            history = [] if first else list(self.history_)
            epoch = len(history) + 1
            rng = np.random.default_rng([seed, epoch])
            statistics = learn_epoch(learner, samples, np.arange(len(samples)), epoch, rng)
            self._report(history, epoch, learner, statistics)
        return self._set_fitted(learner, seed, history)

    # Annotated as the array that it returns by default: `set_output` can change the container.
    def transform(self, X: ArrayLike | Samples) -> NDArray[np.floating]:
        """Compute sparse codes.

        Parameters
        ----------
        X : array_like of shape (n_samples, n_features) or Samples
            Samples to encode.

        Returns
        -------
        codes : ndarray of shape (n_samples, n_components)
            float32 or float64, by the same rule as in `fit`. A data frame after
            `set_output(transform="pandas")`.
        """
        return self._transform(X)[1]

    def inverse_transform(self, X: ArrayLike) -> NDArray[np.floating]:
        """Compute the approximations that codes stand for: products with the atoms.

        Parameters
        ----------
        X : array_like of shape (n_samples, n_components)
            Codes.

        Returns
        -------
        samples : ndarray of shape (n_samples, n_features)
            Approximations of the samples.
        """
        check_is_fitted(self, "components_")
        codes = as_float_array(X, "X")
        if codes.ndim != 2 or codes.shape[1] != len(self.components_):
            expected = f"codes (m, {len(self.components_)})"
            raise ValueError(f"X must hold {expected}, but has the shape {codes.shape}")
        with np.errstate(over="ignore", invalid="ignore"), single_threaded_blas:
            samples = codes @ self.components_
        reject_rows(~np.isfinite(samples).all(axis=1), f"of X is not finite in {samples.dtype}")
        return samples

    def score(self, X: ArrayLike | Samples, y: object = None) -> float:
        """Compute the share of the samples' energy that their approximations explain.

        Parameters
        ----------
        X : array_like of shape (n_samples, n_features) or Samples
            Samples, preferably other ones than the dictionary was learned from.
        y : object, default=None
            Ignored; for pipelines.

        Returns
        -------
        score : float
            1 - ‖X - A‖² / ‖X‖² with the approximations A = `inverse_transform(transform(X))`. 1 is
            best, 0 is as good as approximations by zeros.

        Notes
        -----
        For samples of zero mean, such as normalised patches, this is R². It is the same function
        for all estimators and parameters, so that `GridSearchCV` can compare them without the
        argument `scoring`. The objectives in `history_` cannot be compared: that of `ODL` contains
        the penalty, and the correlation of `EZDL` ignores the scale.

        It measures how well samples are approximated, not how sparse the codes are: codes with
        more nonzeros score higher. Use it to select the number of atoms and the parameters of
        training, but select `sparseness`, `alpha` and `n_nonzero` by the score of a task, such as
        that of a classifier that follows in a `Pipeline`.

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn.model_selection import GridSearchCV
        >>> import ezdl_cli as ez
        >>> X = np.random.default_rng(0).standard_normal((300, 16))
        >>> learner = ez.EZDL(sparseness=0.7, n_epochs=5, samples_per_epoch=200, random_state=0)
        >>> GridSearchCV(learner, {"n_components": [4, 32]}, cv=3).fit(X).best_params_
        {'n_components': 32}
        """
        x, codes = self._transform(X)
        approximations = self.inverse_transform(codes)
        exponent = scaling_exponents(x)  # so that squares neither overflow nor underflow
        x, approximations = (
            scale_down(array.astype(np.float64), exponent) for array in (x, approximations)
        )
        error, energy = np.square(x - approximations).sum(), np.square(x).sum()
        return float(1.0 - error / energy) if energy > 0.0 else 1.0  # zeros have codes of zeros

    def __sklearn_tags__(self) -> Any:
        """Return the tags of scikit-learn."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def _n_features_out(self):
        return len(self.components_)

    def _transform(self, X):
        """Return samples as an array, and their codes."""
        check_is_fitted(self, "components_")
        samples, dtype = validated_samples(self, X, reset=False)
        parameters = self._checked_parameters(*self.components_.shape)
        x, indices = np.empty((len(samples), samples.n_features), dtype), np.arange(len(samples))
        for_each_part(lambda part: samples.pick(indices[part], x[part]), len(x), PART_SAMPLES)
        return x, self._encode(x, self.components_.astype(dtype, copy=False), parameters)

    def _start(self, samples, dtype):
        """Return a new learner and its seed."""
        with self._naming_itself():
            for name in ("n_components", "n_epochs", "samples_per_epoch"):
                check_positive_integer(name, getattr(self, name))
        parameters = self._checked_parameters(self.n_components, samples.n_features)
        with self._naming_itself():
            seed = seed_from(self.random_state)  # last: it advances a generator
        W = initial_dictionary(samples, self.n_components, seed, parameters, dtype)
        return parameters.learner(W, self.n_epochs * self.samples_per_epoch), seed

    def _resume(self):
        """Return a copy of the learner, with the current parameters, and its seed.

        A copy, so that the estimator remains unchanged if the samples are rejected.
        """
        n_atoms, n_features = self._learner.W.shape
        with self._naming_itself():
            if self.n_components != n_atoms:
                raise ValueError(
                    f"n_components must stay {n_atoms} between calls of partial_fit, "
                    f"not become {self.n_components!r}"
                )
        learner = deepcopy(self._learner)
        learner.parameters = self._checked_parameters(n_atoms, n_features)
        return learner, self._seed

    def _checked_parameters(self, n_atoms, n_features):
        """Return the parameters of the learner, or raise ValueError."""
        with self._naming_itself():
            if not (self.callback is None or callable(self.callback)):
                raise ValueError(f"callback must be a function or None, not {self.callback!r}")
            parameters = self._parameters(n_atoms, n_features)
            parameters.check(n_atoms, n_features)
        return parameters

    def _parameters(self, n_atoms, n_features):
        """Return the parameters of the learner for a dictionary of this shape."""
        names = [field.name for field in fields(self._parameters_class)]
        return self._parameters_class(**{name: getattr(self, name) for name in names})

    @contextmanager
    def _naming_itself(self):
        """Start the messages of errors with the name of the class."""
        try:
            yield
        except ValueError as error:
            raise ValueError(f"{type(self).__name__}: {error}") from None

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
