"""Least squares by the algorithm of Levenberg and Marquardt, compiled, for Gabor functions.

Nelder and Mead's simplex gets slow in the long valleys of this problem, where frequency, width and
amplitude can replace each other; with derivatives the bottom is found to the last digits.
"""

import math

import numpy as np

from ..core.jit import kernel
from .model import (
    COSINE,
    N_PARAMETERS,
    N_SHAPE,
    SINE,
    jacobian,
    move_inside,
    residual,
    squared_error,
)

FIRST_DAMPING, LEAST_DAMPING, MOST_DAMPING = 1e-3, 1e-15, 1e10
# A step that lowers the error by less than this share is small; so many in a row are the end.
SMALL_STEP, SMALL_STEPS = 1e-10, 5


@kernel(in_order=True)
def polish(parameters, patch, bounds, most, work):
    """Lower the squared error of `parameters` in at most `most` steps; returns the error.

    Amplitudes are solved for first; `work` is worked in.
    """
    error, a, b = squared_error(parameters[:N_SHAPE], patch, bounds, work)
    if not error < np.inf:
        return error
    parameters[COSINE], parameters[SINE] = a, b
    waves, _, derivatives, differences = work
    here, there = differences[0], differences[1]
    equations = np.empty((N_PARAMETERS + 1, N_PARAMETERS))
    factors = np.empty((N_PARAMETERS + 1, N_PARAMETERS))
    trial = factors[N_PARAMETERS]
    error = residual(parameters, patch, work, here)
    damping, small, fresh = FIRST_DAMPING, 0, False
    for _ in range(most):
        if not fresh:
            jacobian(parameters, waves, derivatives)
            _normal_equations(derivatives, here, equations)
            fresh = True
        new = np.inf
        if _solve(equations, damping, factors):
            for k in range(N_PARAMETERS):
                trial[k] += parameters[k]
            move_inside(trial, bounds)
            new = residual(trial, patch, work, there)
        if new < error:
            small = small + 1 if error - new <= SMALL_STEP * error else 0
            parameters[:] = trial
            here[:] = there
            error, fresh = new, False
            damping = max(0.2 * damping, LEAST_DAMPING)
        else:
            damping *= 5.0
        if small >= SMALL_STEPS or damping > MOST_DAMPING:
            break
    return error


@kernel(in_order=True)
def _normal_equations(derivatives, differences, equations):
    """Lower half of the products of the derivatives; in the last row those with differences."""
    for i in range(N_PARAMETERS):
        for j in range(i + 1):
            equations[i, j] = _dot(derivatives[i], derivatives[j])
        equations[N_PARAMETERS, i] = _dot(derivatives[i], differences)


@kernel(in_order=True)
def _dot(x, y):
    """Inner product in eight sums, which a processor computes side by side, in a fixed order."""
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
    whole = x.size - x.size % 8
    for i in range(0, whole, 8):
        s0 += x[i] * y[i]
        s1 += x[i + 1] * y[i + 1]
        s2 += x[i + 2] * y[i + 2]
        s3 += x[i + 3] * y[i + 3]
        s4 += x[i + 4] * y[i + 4]
        s5 += x[i + 5] * y[i + 5]
        s6 += x[i + 6] * y[i + 6]
        s7 += x[i + 7] * y[i + 7]
    total = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
    for i in range(whole, x.size):
        total += x[i] * y[i]
    return total


@kernel(in_order=True)
def _solve(equations, damping, factors):
    """Put the damped step into the last row of `factors`, by Cholesky; False if there is none."""
    n = N_PARAMETERS
    right = factors[n]
    for j in range(n):
        # A parameter without effect stays where it is.
        diagonal = equations[j, j] * (1.0 + damping) if equations[j, j] > 0.0 else 1.0
        pivot = diagonal
        for k in range(j):
            pivot -= factors[j, k] * factors[j, k]
        if not pivot > 1e-16 * diagonal:
            return False
        factors[j, j] = math.sqrt(pivot)
        for i in range(j + 1, n):
            total = equations[i, j]
            for k in range(j):
                total -= factors[i, k] * factors[j, k]
            factors[i, j] = total / factors[j, j]
    for i in range(n):
        total = equations[n, i]
        for k in range(i):
            total -= factors[i, k] * right[k]
        right[i] = total / factors[i, i]
    for i in range(n - 1, -1, -1):
        total = right[i]
        for k in range(i + 1, n):
            total -= factors[k, i] * right[k]
        right[i] = total / factors[i, i]
    return True
