"""The base class of transformers of scikit-learn, with the type hints that scikit-learn lacks.

For type checkers, classes of scikit-learn are of type Any, and so is everything derived from them:
misspelt parameters and attributes would not be found.
"""

from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from ..samples.store import Samples

    class ScikitLearnBase:
        """What estimators inherit from scikit-learn."""

        def fit_transform(
            self, X: ArrayLike | Samples, y: object = None, **fit_params: Any
        ) -> NDArray[np.floating]: ...
        def get_feature_names_out(self, input_features: object = None) -> NDArray[np.object_]: ...
        def get_metadata_routing(self) -> Any: ...
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Self: ...
        def set_output(
            self, *, transform: Literal["default", "pandas", "polars"] | None = None
        ) -> Self: ...
        def __sklearn_tags__(self) -> Any: ...

else:
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin

    class ScikitLearnBase(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
        """What estimators inherit from scikit-learn."""
