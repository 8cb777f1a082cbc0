"""Hypothesis strategies for finite numbers that are hard to compute with, and checks of results."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

TYPES = st.sampled_from([np.float32, np.float64])
SEEDS = st.integers(0, 2**32 - 1)
# Binary exponents: denormal, tiny, ordinary, huge; the last is close to overflow.
EXPONENTS = {
    np.float32: [-149, -140, -100, -60, -20, 0, 0, 0, 20, 60, 100, 126],
    np.float64: [-1074, -1030, -1000, -500, -100, 0, 0, 0, 100, 500, 1000, 1022],
}


def _signs(random, n):
    return random.choice([-1.0, 1.0], n)


ROWS = {
    "normal": lambda random, n: np.clip(random.standard_normal(n), -4.0, 4.0) / 4.0,
    "zeros": lambda random, n: np.zeros(n),
    "negative zeros": lambda random, n: np.copysign(np.zeros(n), _signs(random, n)),
    "constant": lambda random, n: np.ones(n),
    "equal magnitudes": lambda random, n: _signs(random, n),
    "nearly equal": lambda random, n: 1.0 - np.ldexp(random.integers(0, 9, n), -53),
    "equal in single precision": lambda random, n: 1.0 - np.ldexp(random.integers(0, 9, n), -26),
    "one nonzero": lambda random, n: np.eye(n)[random.integers(n)] * _signs(random, n),
    "ties": lambda random, n: random.integers(-2, 3, n) / 2.0,
    "mixed scales": lambda random, n: 10.0 ** random.uniform(-40.0, 0.0, n) * _signs(random, n),
    "far from zero": lambda random, n: 1.0 - 1e-6 * random.random(n),
}
KINDS = [*ROWS, "repeated", "nearly parallel"]


@st.composite
def matrices(draw, dtype, rows=(1, 6), columns=(2, 12), exponents=None):
    """Draw finite matrices with difficult rows, some of them repeated or nearly parallel."""
    m, n = draw(st.integers(*rows)), draw(st.integers(*columns))
    random = np.random.default_rng(draw(SEEDS))
    scales = st.sampled_from(EXPONENTS[dtype] if exponents is None else exponents)
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=m, max_size=m))
    one_scale = st.builds(lambda scale: [scale] * m, scales)
    chosen = draw(one_scale | st.lists(scales, min_size=m, max_size=m))
    x = np.zeros((m, n))
    for i, (kind, exponent) in enumerate(zip(kinds, chosen, strict=True)):
        if kind in ROWS:
            x[i] = np.ldexp(ROWS[kind](random, n), exponent)
        else:
            other = x[random.integers(max(i, 1))]
            near = 1.0 - 2.0 ** -random.integers(20, 53) * random.random(n)
            x[i] = other if kind == "repeated" else other * near
    with np.errstate(under="ignore"):
        return x.astype(dtype)


def share(part):
    """Return settings with a share of the usual number of examples, for slow tests."""
    return settings(max_examples=max(1, round(part * settings.default.max_examples)))


def refused_or(compute):
    """Return the result, or None if the input is rejected by a ValueError with a message."""
    try:
        return compute()
    except np.linalg.LinAlgError:  # a ValueError that the package should have prevented
        raise
    except ValueError as error:
        assert len(str(error)) > 10 and "\n" not in str(error)
        return None


def assert_finite(*results):
    """Check that all arrays are finite; None stands for rejected input."""
    for result in results:
        assert result is None or np.isfinite(result).all()
