"""Quantities that a target sparseness implies for vectors of n entries."""

import math
from typing import NamedTuple

from .parameter_validation import as_number


class TargetSparseness(NamedTuple):
    """The set of all vectors with a given sparseness, as the kernels need it.

    Attributes
    ----------
    k : float
        λ1/λ2, the ratio of the target L1 and L2 norms: sqrt(n) - sparseness * (sqrt(n) - 1).
    k2 : float
        k².
    gap : float
        n - k², computed without cancellation.
    k_minus_one : float
        k - 1, computed without cancellation.
    """

    k: float
    k2: float
    gap: float
    k_minus_one: float

    @classmethod
    def of(cls, n, sparseness):
        """Return the target for vectors of n entries.

        Raises
        ------
        ValueError
            If n < 2, where sparseness is not defined, or if the sparseness is not strictly
            between 0 and 1.
        """
        if n < 2:
            raise ValueError(
                f"the sparseness of vectors with n = {n} is not defined: n must be >= 2"
            )
        sparseness = as_number("sparseness", sparseness)
        if not 0.0 < sparseness < 1.0:
            raise ValueError(f"sparseness must be strictly between 0 and 1, not {sparseness}")
        width = math.sqrt(n) - 1.0
        k_minus_one = (1.0 - sparseness) * width
        k = 1.0 + k_minus_one
        # Kernels divide by the gap, so that it must not underflow to zero for a tiny sparseness.
        gap = max(sparseness * width * (math.sqrt(n) + k), 1e-290)
        return cls(k, k * k, gap, k_minus_one)
