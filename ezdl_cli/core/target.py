"""What a sparseness degree asks of a vector of n entries."""

import math
from typing import NamedTuple


class Target(NamedTuple):
    """The level set of a sparseness degree, as the kernels want it.

    Attributes
    ----------
    ratio : float
        k, the quotient of the L1 and the L2 norm: sqrt(n) - sparseness * (sqrt(n) - 1).
    squared : float
        k².
    gap : float
        n - k², computed without cancellation.
    above_one : float
        k - 1, computed without cancellation.
    """

    ratio: float
    squared: float
    gap: float
    above_one: float

    @classmethod
    def of(cls, n, sparseness):
        """Level set of `sparseness`, strictly between 0 and 1, among vectors of n entries.

        Raises
        ------
        ValueError
            If the sparseness of such vectors is not defined (n < 2), or the degree is not
            strictly between 0 and 1.
        """
        if n < 2:
            raise ValueError(
                f"the sparseness of vectors with n = {n} is not defined: n must be >= 2"
            )
        try:
            sparseness = float(sparseness)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"sparseness must be a number, not {sparseness!r}") from None
        if not 0.0 < sparseness < 1.0:
            raise ValueError(f"sparseness must be strictly between 0 and 1, not {sparseness}")
        room = math.sqrt(n) - 1.0
        above_one = (1.0 - sparseness) * room
        ratio = 1.0 + above_one
        gap = max(sparseness * room * (math.sqrt(n) + ratio), 1e-290)  # never zero
        return cls(ratio, ratio * ratio, gap, above_one)
