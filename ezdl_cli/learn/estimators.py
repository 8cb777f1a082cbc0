"""The learners as estimators in the manner of scikit-learn, which need not be installed."""

import numpy as np

from ..coding.inference import encode
from ..samples import Samples
from .ezdl import Parameters, learn_epoch
from .training import initial_dictionary, train

try:
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    from .without_sklearn import BaseEstimator, TransformerMixin, check_is_fitted, validate_data


class EZDL(TransformerMixin, BaseEstimator):
    """Easy Dictionary Learning (Thom, Rapp and Palm 2015).

    Parameters
    ----------
    n_components : int
        Number of atoms.
    sparseness : float
        Hoyer's measure of the codes, between 0 and 1.
    n_epochs, samples_per_epoch : int
        Length of the training.
    step_size : float
        Of the first epoch; it falls as one over the epoch.
    inference : {"ordinary", "topographic", "rank"}
    grid : (rows, columns), optional
        Layout of the atoms for the last two [nearest to a square].
    code_rank : int
        Rank of the codes on the grid, for "rank".
    atom_sparseness : float, optional
    atom_rank : int, optional
        For samples that are square patches.
    noise, noise_decay : float
        Standard deviation of the noise on the codes in the first epoch, and its factor from one to
        the next.
    random_state : int, RandomState or None
    callback : function of (epoch, W), optional
        Called after each epoch.

    Attributes
    ----------
    components_ : array (n_components, n_features)
        The atoms, one a row, of unit norm.
    history_ : list of float
        Mean correlation of the samples with their approximations, per epoch.
    n_features_in_ : int
    n_iter_ : int
        Epochs so far.
    """

    def __init__(
        self,
        n_components=256,
        sparseness=0.85,
        n_epochs=100,
        samples_per_epoch=30_000,
        step_size=1.0,
        inference="ordinary",
        grid=None,
        code_rank=1,
        atom_sparseness=None,
        atom_rank=None,
        noise=0.0,
        noise_decay=0.9,
        random_state=None,
        callback=None,
    ):
        self.n_components = n_components
        self.sparseness = sparseness
        self.n_epochs = n_epochs
        self.samples_per_epoch = samples_per_epoch
        self.step_size = step_size
        self.inference = inference
        self.grid = grid
        self.code_rank = code_rank
        self.atom_sparseness = atom_sparseness
        self.atom_rank = atom_rank
        self.noise = noise
        self.noise_decay = noise_decay
        self.random_state = random_state
        self.callback = callback

    def fit(self, X, y=None):
        """Learn a dictionary from the rows of X, an array or `Samples`."""
        samples, dtype = self._samples(X, reset=True)
        W = self._start(samples, dtype)
        train(
            W,
            samples,
            self._parameters(),
            1,
            self.n_epochs,
            self.samples_per_epoch,
            self._seed,
            self._epoch_done,
        )
        self.components_ = W
        return self

    def partial_fit(self, X, y=None):
        """Learn from the rows of X once, in their order: an epoch of its own."""
        first = not hasattr(self, "components_")
        samples, dtype = self._samples(X, reset=first)
        W = self._start(samples, dtype) if first else self.components_.copy()
        epoch = self.n_iter_ + 1
        stream = np.random.default_rng([self._seed, epoch])
        indices = np.arange(len(samples))
        correlation = learn_epoch(W, samples, indices, epoch, self._parameters(), stream)
        self._epoch_done(epoch, W, {"correlation": correlation})
        self.components_ = W
        return self

    def transform(self, X):
        """Codes (m, n_components) of the rows of X: what the inference model gives, scaled so that
        `inverse_transform` comes nearest to X.
        """
        check_is_fitted(self, "components_")
        samples, dtype = self._samples(X, reset=False)
        model = self._parameters().model(len(self.components_))
        x = samples.pick(np.arange(len(samples)), dtype=dtype)
        return encode(x, self.components_.astype(dtype, copy=False), model)

    def inverse_transform(self, X):
        """Approximations (m, n_features) of samples from their codes."""
        check_is_fitted(self, "components_")
        return np.asarray(X) @ self.components_

    @property
    def _n_features_out(self):
        return len(self.components_)

    def _parameters(self):
        names = [name for name in Parameters.__dataclass_fields__ if hasattr(self, name)]
        return Parameters(**{name: getattr(self, name) for name in names})

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
        """The first dictionary; forgets what was learned before."""
        if min(self.n_epochs, self.samples_per_epoch, self.n_components) < 1:
            raise ValueError("n_components, n_epochs and samples_per_epoch must be at least 1")
        self._seed = _seed_of(self.random_state)
        self.history_ = []
        self.n_iter_ = 0
        return initial_dictionary(samples, self.n_components, self._seed, self._parameters(), dtype)

    def _epoch_done(self, epoch, W, numbers):
        self.history_.append(numbers["correlation"])
        self.n_iter_ = epoch
        if self.callback is not None:
            self.callback(epoch, W)


def _seed_of(random_state):
    """A seed from what scikit-learn calls a random state."""
    if random_state is None:
        return int(np.random.default_rng().integers(2**31))
    if hasattr(random_state, "randint"):
        return int(random_state.randint(2**31 - 1))
    return int(random_state)
