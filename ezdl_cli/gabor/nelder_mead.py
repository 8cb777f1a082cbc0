"""The algorithm of Nelder and Mead (1965), compiled, on the squared error of Gabor functions.

Coefficients, first simplex and end are those of `scipy.optimize.minimize(method="Nelder-Mead")`:
reflection 1, expansion 2, contraction and shrinkage ½; one corner a coordinate, moved by 5 % (or
by 0.00025 if it is 0); the end when all corners are near the best one in place and in value.
"""

import numpy as np

from ..core.jit import kernel
from .model import N_SHAPE, squared_error

RELATIVE_STEP, ZERO_STEP = 0.05, 0.00025
NEAR = 1e-4


@kernel(in_order=True)
def nelder_mead(shape, patch, bounds, most, work):
    """Move `shape` to a minimum of the squared error; returns the evaluations that were made.

    `most` bounds the evaluations, `work` is worked in.
    """
    n = N_SHAPE
    simplex, values = np.empty((n + 1, n)), np.empty(n + 1)
    centre, trial, second = np.empty(n), np.empty(n), np.empty(n)
    _set_up(shape, patch, bounds, work, simplex, values)
    evaluations = n + 1
    _sort(simplex, values, second)
    while evaluations < most:
        if _is_small(simplex, values):
            break
        for k in range(n):
            centre[k] = 0.0
            for i in range(n):
                centre[k] += simplex[i, k] / n
        reflected = _try(-1.0, centre, simplex[n], trial, patch, bounds, work)
        evaluations += 1
        value, kept = reflected, True
        if reflected < values[0]:
            expanded = _try(-2.0, centre, simplex[n], second, patch, bounds, work)
            evaluations += 1
            if expanded < reflected:
                value = expanded
                trial[:] = second
        elif reflected >= values[n - 1]:
            factor = -0.5 if reflected < values[n] else 0.5
            value = _try(factor, centre, simplex[n], trial, patch, bounds, work)
            evaluations += 1
            kept = value <= reflected if factor < 0.0 else value < values[n]
        if kept:
            simplex[n] = trial
            values[n] = value
        else:
            evaluations += n
            for i in range(1, n + 1):
                for k in range(n):
                    simplex[i, k] = simplex[0, k] + 0.5 * (simplex[i, k] - simplex[0, k])
                values[i], _, _ = squared_error(simplex[i], patch, bounds, work)
        _sort(simplex, values, second)
    shape[:] = simplex[0]
    return evaluations


@kernel(in_order=True)
def _set_up(shape, patch, bounds, work, simplex, values):
    """The first simplex: the start, and a step along each axis."""
    for i in range(N_SHAPE + 1):
        simplex[i] = shape
        if i > 0:
            k = i - 1
            simplex[i, k] += RELATIVE_STEP * shape[k] if shape[k] != 0.0 else ZERO_STEP
            # A corner beyond a bound goes to the other side.
            if not bounds[0, k] <= simplex[i, k] <= bounds[1, k]:
                simplex[i, k] = 2.0 * shape[k] - simplex[i, k]
        values[i], _, _ = squared_error(simplex[i], patch, bounds, work)


@kernel(in_order=True)
def _try(factor, centre, worst, point, patch, bounds, work):
    """Value at `point`, which is put on the line through centre and worst corner."""
    for k in range(N_SHAPE):
        point[k] = centre[k] + factor * (worst[k] - centre[k])
    value, _, _ = squared_error(point, patch, bounds, work)
    return value


@kernel(in_order=True)
def _is_small(simplex, values):
    """Whether all corners are near the best one."""
    place = value = 0.0
    for i in range(1, N_SHAPE + 1):
        value = max(value, abs(values[i] - values[0]))
        for k in range(N_SHAPE):
            place = max(place, abs(simplex[i, k] - simplex[0, k]))
    return place <= NEAR and value <= NEAR


@kernel(in_order=True)
def _sort(simplex, values, spare):
    """Bring the corners into the order of their values; equal ones stay in order."""
    for i in range(1, N_SHAPE + 1):
        j = i
        while j > 0 and values[j] < values[j - 1]:
            values[j], values[j - 1] = values[j - 1], values[j]
            spare[:] = simplex[j]
            simplex[j] = simplex[j - 1]
            simplex[j - 1] = spare
            j -= 1
