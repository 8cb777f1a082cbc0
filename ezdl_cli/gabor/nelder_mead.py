"""The algorithm of Nelder and Mead (1965), compiled, on the squared error of Gabor functions.

Coefficients, initial simplex and termination are those of SciPy's `minimize(method="Nelder-Mead")`:
reflection 1, expansion 2, contraction and shrinkage ½; one vertex per coordinate, which differs by
5 % (or by 0.00025 if it is 0); it stops when all vertices are near the best in position and value.
"""

import numpy as np

from ..core.jit import kernel
from .model import squared_error
from .workspace import N_SHAPE, copy

RELATIVE_STEP, ZERO_STEP = 0.05, 0.00025
TOLERANCE = 1e-4


@kernel(in_order=True)
def nelder_mead(shape, bounds, max_evaluations, workspace):
    """Move `shape` to a local minimum of the squared error; return the number of evaluations."""
    n = N_SHAPE
    simplex, values = np.empty((n + 1, n)), np.empty(n + 1)
    centroid, trial, second = np.empty(n), np.empty(n), np.empty(n)
    _initialise(shape, bounds, simplex)
    for i in range(n + 1):
        values[i], _, _ = squared_error(simplex[i], bounds, workspace)
    evaluations = n + 1
    _sort(simplex, values)
    while evaluations < max_evaluations and not _has_converged(simplex, values):
        # Centroid of all vertices but the worst, and reflection of the worst at it.
        _average(simplex, centroid)
        _place(-1.0, centroid, simplex, trial)
        reflected, _, _ = squared_error(trial, bounds, workspace)
        evaluations += 1
        value, accepted = reflected, True
        if reflected < values[0]:  # the best so far: try to expand
            _place(-2.0, centroid, simplex, second)
            expanded, _, _ = squared_error(second, bounds, workspace)
            evaluations += 1
            if expanded < reflected:
                value = expanded
                trial, second = second, trial
        elif reflected >= values[n - 1]:  # still the worst: contract, outside or inside
            factor = -0.5 if reflected < values[n] else 0.5
            _place(factor, centroid, simplex, trial)
            value, _, _ = squared_error(trial, bounds, workspace)
            evaluations += 1
            accepted = value <= reflected if factor < 0.0 else value < values[n]
        if accepted:
            values[n] = value
            copy(trial, simplex[n])
        else:
            evaluations += n
            _shrink(simplex)
            for i in range(1, n + 1):
                values[i], _, _ = squared_error(simplex[i], bounds, workspace)
        _sort(simplex, values)
    copy(simplex[0], shape)
    return evaluations


@kernel(in_order=True)
def _initialise(shape, bounds, simplex):
    """Set up the initial simplex: the start and a step along each axis."""
    for i in range(N_SHAPE + 1):
        for k in range(N_SHAPE):
            simplex[i, k] = shape[k]
        if i > 0:
            k = i - 1
            simplex[i, k] += RELATIVE_STEP * shape[k] if shape[k] != 0.0 else ZERO_STEP
            # A vertex beyond a bound is moved to the other side.
            if not bounds[0, k] <= simplex[i, k] <= bounds[1, k]:
                simplex[i, k] = 2.0 * shape[k] - simplex[i, k]


@kernel(in_order=True)
def _average(simplex, centroid):
    """Compute the mean of all vertices but the worst, which is the last."""
    for k in range(N_SHAPE):
        centroid[k] = 0.0
    for i in range(N_SHAPE):
        for k in range(N_SHAPE):
            centroid[k] += simplex[i, k] / N_SHAPE


@kernel(in_order=True)
def _place(factor, centroid, simplex, point):
    """Put `point` on the line through the centroid and the worst vertex."""
    for k in range(N_SHAPE):
        point[k] = centroid[k] + factor * (simplex[N_SHAPE, k] - centroid[k])


@kernel(in_order=True)
def _shrink(simplex):
    """Move all vertices towards the best, by half of their distance."""
    for i in range(1, N_SHAPE + 1):
        for k in range(N_SHAPE):
            simplex[i, k] = simplex[0, k] + 0.5 * (simplex[i, k] - simplex[0, k])


@kernel(in_order=True)
def _has_converged(simplex, values):
    """Return whether all vertices are near the best one."""
    if values[N_SHAPE] - values[0] > TOLERANCE:
        return False
    for i in range(1, N_SHAPE + 1):
        for k in range(N_SHAPE):
            if abs(simplex[i, k] - simplex[0, k]) > TOLERANCE:
                return False
    return True


@kernel(in_order=True)
def _sort(simplex, values):
    """Sort the vertices by their values; stable, by insertion."""
    for i in range(1, N_SHAPE + 1):
        j = i
        while j > 0 and values[j] < values[j - 1]:
            values[j], values[j - 1] = values[j - 1], values[j]
            for k in range(N_SHAPE):
                simplex[j, k], simplex[j - 1, k] = simplex[j - 1, k], simplex[j, k]
            j -= 1
