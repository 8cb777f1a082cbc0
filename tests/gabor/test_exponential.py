"""The exponential function of the envelopes."""

import math

import numpy as np

from ezdl_cli.gabor.exponential import MAX_EXPONENT, exp_of_negative


def test_exponential_is_accurate_to_the_last_digit():
    rng = np.random.default_rng(0)
    exponents = np.concatenate(
        [rng.uniform(0, MAX_EXPONENT, 2000), 10 ** rng.uniform(-20, 0, 2000)]
    )
    for t in exponents:
        expected = math.exp(-t)
        assert abs(exp_of_negative(t) - expected) <= np.spacing(expected)


def test_exponential_is_exact_at_zero_and_vanishes_beyond_the_limit():
    assert exp_of_negative(0.0) == 1.0
    for t in (MAX_EXPONENT, 1e6, 1e308, math.inf, math.nan):
        assert exp_of_negative(t) == 0.0
