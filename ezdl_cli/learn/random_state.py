"""Random states, as scikit-learn users pass them."""

import numpy as np
from numpy.random import Generator, RandomState

from ..core.parameter_validation import is_integer

RandomStateLike = int | RandomState | Generator | None


def seed_from(random_state):
    """Return an integer seed for a random state; generators are advanced by one number."""
    if random_state is None:
        return int(np.random.default_rng().integers(2**31))
    if isinstance(random_state, Generator):
        return int(random_state.integers(2**31))
    if isinstance(random_state, RandomState) or random_state is np.random:
        return int(random_state.randint(2**31 - 1))
    if is_integer(random_state) and random_state >= 0:
        return int(random_state)
    raise ValueError(
        "random_state must be an integer of at least 0, a numpy.random.RandomState, "
        f"a numpy.random.Generator or None, not {random_state!r}"
    )
