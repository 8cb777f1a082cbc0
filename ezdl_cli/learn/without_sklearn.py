"""What the estimators need of scikit-learn, where that is not installed."""

import inspect

import numpy as np


class BaseEstimator:
    """Parameters by the names of the constructor's arguments."""

    def get_params(self, deep=True):
        """The parameters, by name."""
        names = list(inspect.signature(type(self).__init__).parameters)[1:]
        return {name: getattr(self, name) for name in names}

    def set_params(self, **parameters):
        """Set parameters by name."""
        known = self.get_params()
        for name, value in parameters.items():
            if name not in known:
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}")
            setattr(self, name, value)
        return self


class TransformerMixin:
    """Fit and transform in one go."""

    def fit_transform(self, X, y=None):
        """Codes of the samples that were learned from."""
        return self.fit(X, y).transform(X)


def validate_data(estimator, X, reset=True, dtype=None, ensure_min_samples=1, **_):
    """Check samples: real, finite, two axes, and as many features as before."""
    X = np.asarray(X)
    if X.dtype.kind not in "fiub":
        raise ValueError(f"X must hold real numbers, not {X.dtype}")
    if X.dtype not in (np.float32, np.float64):
        X = X.astype(np.float64)
    if X.ndim != 2 or len(X) < ensure_min_samples:
        raise ValueError(f"X must have at least {ensure_min_samples} rows, not shape {X.shape}")
    if not np.isfinite(X).all():
        raise ValueError("X holds NaN or infinity")
    if reset:
        estimator.n_features_in_ = X.shape[1]
    elif X.shape[1] != estimator.n_features_in_:
        raise ValueError(f"X has {X.shape[1]} features, expected {estimator.n_features_in_}")
    return X


def check_is_fitted(estimator, attribute):
    """Refuse an estimator that has not learned yet."""
    if not hasattr(estimator, attribute):
        raise ValueError(f"this {type(estimator).__name__} is not fitted yet; call fit first")
