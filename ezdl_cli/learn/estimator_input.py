"""What is passed to estimators as X: arrays, data frames (by scikit-learn's rules), `Samples`."""

from contextlib import contextmanager

import numpy as np
from sklearn.utils.validation import validate_data

from ..core.input_validation import (
    as_array,
    as_float_array,
    float_type_of_frame,
    is_frame,
    refuse_sparse_or_masked,
    refuse_text,
)
from ..samples.store import Samples

FEATURES = ("n_features_in_", "feature_names_in_")


@contextmanager
def features_restored_on_error(estimator):
    """Restore the number and the names of features if fitting to new ones fails."""
    fitted = vars(estimator)
    before = {name: fitted[name] for name in FEATURES if name in fitted}
    try:
        yield
    except BaseException:
        for name in FEATURES:
            fitted.pop(name, None)
        fitted.update(before)
        raise


def validated_samples(estimator, X, reset):
    """Return X as `Samples`, and the precision to compute with.

    Number and names of features are stored in the estimator (`reset`), or compared with it.
    """
    if isinstance(X, Samples):
        _validate_width(estimator, X, reset)
        is_double = X.array.dtype.kind == "f" and X.array.dtype.itemsize == 8
        return X, np.float64 if is_double else np.float32
    refuse_sparse_or_masked(X, "X")
    if isinstance(X, list | tuple):
        X = as_array(X, "X")
    refuse_text(X, "X")
    # scikit-learn converts all other types to the first one, those of pandas included.
    default = float_type_of_frame(X) if is_frame(X) else np.float64
    with np.errstate(over="ignore", invalid="ignore"):  # scikit-learn sums all entries
        X = validate_data(
            estimator,
            X,
            reset=reset,
            dtype=[default, np.float64, np.float32, np.float16],
            ensure_min_samples=2 if reset else 1,
            ensure_min_features=2 if reset else 1,
        )
    X = as_float_array(X, "X")
    return Samples(X, "X"), X.dtype


def _validate_width(estimator, samples, reset):
    """Store the number of features in the estimator, or compare it."""
    if reset:
        estimator.n_features_in_ = samples.n_features
        vars(estimator).pop("feature_names_in_", None)
    elif samples.n_features != estimator.n_features_in_:
        raise ValueError(f"X has {samples.n_features} features, not {estimator.n_features_in_}")
