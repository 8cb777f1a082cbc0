"""Least squares by the algorithm of Levenberg and Marquardt, compiled, for Gabor functions.

The simplex of Nelder and Mead gets slow in the long valleys of this problem, where frequency, width
and amplitude can compensate for each other; derivatives lead to the minimum to the last digits.
"""

import math

import numpy as np

from ..core.jit import kernel
from .model import (
    COSINE,
    N_PARAMETERS,
    N_SHAPE,
    SINE,
    clip_to_bounds,
    jacobian,
    residual,
    squared_error,
)

INITIAL_DAMPING, MIN_DAMPING, MAX_DAMPING = 1e-3, 1e-15, 1e10
# Factors of the damping after a step that lowers the error, and after one that does not.
DECREASE, INCREASE = 0.2, 5.0
# Steps that lower the error by less than this share are small; this many in a row end the descent.
SMALL_STEP, MAX_SMALL_STEPS = 1e-10, 5
# A pivot below this share of its diagonal entry is rounding: the matrix is singular.
MIN_PIVOT = 1e-16


@kernel(in_order=True)
def levenberg_marquardt(parameters, patch, bounds, max_steps, workspace):
    """Move `parameters` to a local minimum of the squared error, which is returned.

    Only the shape is read: the initial amplitudes are computed.
    """
    error, a, b = squared_error(parameters[:N_SHAPE], patch, bounds, workspace)
    if not error < np.inf:
        return error
    parameters[COSINE], parameters[SINE] = a, b
    waves, _, derivatives, differences = workspace
    here, there = differences[0], differences[1]
    equations = np.empty((N_PARAMETERS + 1, N_PARAMETERS))
    factors = np.empty((N_PARAMETERS + 1, N_PARAMETERS))
    trial = factors[N_PARAMETERS]
    error = residual(parameters, patch, workspace, here)
    damping, n_small, is_current = INITIAL_DAMPING, 0, False
    for _ in range(max_steps):
        if not is_current:
            jacobian(parameters, waves, derivatives)
            _normal_equations(derivatives, here, equations)
            is_current = True
        # A damped Gauss-Newton step, clipped to the bounds.
        new = np.inf
        if _solve(equations, damping, factors):
            for k in range(N_PARAMETERS):
                trial[k] += parameters[k]
            clip_to_bounds(trial, bounds)
            new = residual(trial, patch, workspace, there)
        # Accept it and trust the derivatives more, or damp more.
        if new < error:
            n_small = n_small + 1 if error - new <= SMALL_STEP * error else 0
            parameters[:] = trial
            here[:] = there
            error, is_current = new, False
            damping = max(DECREASE * damping, MIN_DAMPING)
        else:
            damping *= INCREASE
        if n_small >= MAX_SMALL_STEPS or damping > MAX_DAMPING:
            break
    return error


@kernel(in_order=True)
def _normal_equations(derivatives, differences, equations):
    """Compute the lower triangle of JᵀJ; the last row holds Jᵀ times the differences."""
    for i in range(N_PARAMETERS):
        for j in range(i + 1):
            equations[i, j] = _dot(derivatives[i], derivatives[j])
        equations[N_PARAMETERS, i] = _dot(derivatives[i], differences)


@kernel(in_order=True)
def _dot(x, y):
    """Return the inner product, summed in eight lanes that vectorise, in a fixed order."""
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
    n_even = x.size - x.size % 8
    for i in range(0, n_even, 8):
        s0 += x[i] * y[i]
        s1 += x[i + 1] * y[i + 1]
        s2 += x[i + 2] * y[i + 2]
        s3 += x[i + 3] * y[i + 3]
        s4 += x[i + 4] * y[i + 4]
        s5 += x[i + 5] * y[i + 5]
        s6 += x[i + 6] * y[i + 6]
        s7 += x[i + 7] * y[i + 7]
    total = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
    for i in range(n_even, x.size):
        total += x[i] * y[i]
    return total


@kernel(in_order=True)
def _solve(equations, damping, factors):
    """Solve for the damped step, the last row of `factors`; return False if singular."""
    n = N_PARAMETERS
    right = factors[n]
    for j in range(n):
        # Cholesky factorisation; a parameter without effect does not move.
        diagonal = equations[j, j] * (1.0 + damping) if equations[j, j] > 0.0 else 1.0
        pivot = diagonal
        for k in range(j):
            pivot -= factors[j, k] * factors[j, k]
        if not pivot > MIN_PIVOT * diagonal:
            return False
        factors[j, j] = math.sqrt(pivot)
        for i in range(j + 1, n):
            total = equations[i, j]
            for k in range(j):
                total -= factors[i, k] * factors[j, k]
            factors[i, j] = total / factors[j, j]
    # Forward and backward substitution.
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
