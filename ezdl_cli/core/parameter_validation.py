"""Validation of the numbers that callers pass as parameters; messages start with their names."""

from numbers import Integral, Real

import numpy as np


def as_number(name, value):
    """Return a real number as a float; it may be NaN or infinite.

    Raises
    ------
    ValueError
        If it is something else, such as text, or too large for a float.
    """
    if type(value) is float:
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if not isinstance(value, Real) or isinstance(value, bool):
        raise ValueError(f"{name} must be a number, not {value!r}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name} must be a number in the range of float64") from None


def is_integer(value):
    """Return whether a value is an integer; booleans are not."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def check_positive_integer(name, value):
    """Raise ValueError unless a value is an integer >= 1."""
    if not is_integer(value) or value < 1:
        raise ValueError(f"{name} must be a positive integer, not {value!r}")


def check_integer(name, value, minimum, maximum):
    """Raise ValueError unless a value is an integer of a range."""
    if not is_integer(value) or not minimum <= value <= maximum:
        raise ValueError(f"{name} must be an integer from {minimum} to {maximum}, not {value!r}")
