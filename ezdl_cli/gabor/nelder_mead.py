"""The algorithm of Nelder and Mead (1965), compiled, on the squared error of Gabor functions.

Coefficients, initial simplex and termination are those of SciPy's `minimize(method="Nelder-Mead")`:
reflection 1, expansion 2, contraction and shrinkage ½; one vertex per coordinate, which differs by
5 % (or by 0.00025 if it is 0); it stops when all vertices are near the best in position and value.
"""

import numpy as np

from ..core.jit import kernel
from .model import N_SHAPE, squared_error

RELATIVE_STEP, ZERO_STEP = 0.05, 0.00025
TOLERANCE = 1e-4


@kernel(in_order=True)
def nelder_mead(shape, patch, bounds, max_evaluations, workspace):
    """Move `shape` to a local minimum of the squared error; return the number of evaluations."""
    n = N_SHAPE
    simplex, values = np.empty((n + 1, n)), np.empty(n + 1)
    centroid, trial, second = np.empty(n), np.empty(n), np.empty(n)
    _initialise(shape, patch, bounds, workspace, simplex, values)
    evaluations = n + 1
    _sort(simplex, values, second)
    while evaluations < max_evaluations and not _has_converged(simplex, values):
        # Centroid of all vertices but the worst, and reflection of the worst at it.
        for k in range(n):
            centroid[k] = 0.0
            for i in range(n):
                centroid[k] += simplex[i, k] / n
        reflected = _evaluate(-1.0, centroid, simplex[n], trial, patch, bounds, workspace)
        evaluations += 1
        value, accepted = reflected, True
        if reflected < values[0]:  # the best so far: try to expand
            expanded = _evaluate(-2.0, centroid, simplex[n], second, patch, bounds, workspace)
            evaluations += 1
            if expanded < reflected:
                value = expanded
                trial[:] = second
        elif reflected >= values[n - 1]:  # still the worst: contract, outside or inside
            factor = -0.5 if reflected < values[n] else 0.5
            value = _evaluate(factor, centroid, simplex[n], trial, patch, bounds, workspace)
            evaluations += 1
            accepted = value <= reflected if factor < 0.0 else value < values[n]
        if accepted:
            simplex[n] = trial
            values[n] = value
        else:  # shrink towards the best
            evaluations += n
            for i in range(1, n + 1):
                for k in range(n):
                    simplex[i, k] = simplex[0, k] + 0.5 * (simplex[i, k] - simplex[0, k])
                values[i], _, _ = squared_error(simplex[i], patch, bounds, workspace)
        _sort(simplex, values, second)
    shape[:] = simplex[0]
    return evaluations


@kernel(in_order=True)
def _initialise(shape, patch, bounds, workspace, simplex, values):
    """Set up the initial simplex: the start and a step along each axis."""
    for i in range(N_SHAPE + 1):
        simplex[i] = shape
        if i > 0:
            k = i - 1
            simplex[i, k] += RELATIVE_STEP * shape[k] if shape[k] != 0.0 else ZERO_STEP
            # A vertex beyond a bound is moved to the other side.
            if not bounds[0, k] <= simplex[i, k] <= bounds[1, k]:
                simplex[i, k] = 2.0 * shape[k] - simplex[i, k]
        values[i], _, _ = squared_error(simplex[i], patch, bounds, workspace)


@kernel(in_order=True)
def _evaluate(factor, centroid, worst, point, patch, bounds, workspace):
    """Put `point` on the line through centroid and worst vertex; return its value."""
    for k in range(N_SHAPE):
        point[k] = centroid[k] + factor * (worst[k] - centroid[k])
    value, _, _ = squared_error(point, patch, bounds, workspace)
    return value


@kernel(in_order=True)
def _has_converged(simplex, values):
    """Return whether all vertices are near the best one."""
    position = value = 0.0
    for i in range(1, N_SHAPE + 1):
        value = max(value, abs(values[i] - values[0]))
        for k in range(N_SHAPE):
            position = max(position, abs(simplex[i, k] - simplex[0, k]))
    return position <= TOLERANCE and value <= TOLERANCE


@kernel(in_order=True)
def _sort(simplex, values, spare):
    """Sort the vertices by their values; stable, by insertion."""
    for i in range(1, N_SHAPE + 1):
        j = i
        while j > 0 and values[j] < values[j - 1]:
            values[j], values[j - 1] = values[j - 1], values[j]
            spare[:] = simplex[j]
            simplex[j] = simplex[j - 1]
            simplex[j - 1] = spare
            j -= 1
