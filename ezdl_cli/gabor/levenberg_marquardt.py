"""Least squares by the algorithm of Levenberg and Marquardt, compiled, for Gabor functions.

The simplex of Nelder and Mead gets slow in the long valleys of this problem, where frequency, width
and amplitude can compensate for each other; derivatives lead to the minimum to the last digits.
"""

import math

import numpy as np

from ..core.jit import kernel
from .model import COSINE, SINE, clip_to_bounds, jacobian, residual, squared_error
from .row_products import multiply_rows
from .workspace import N_PARAMETERS, copy

INITIAL_DAMPING, MIN_DAMPING, MAX_DAMPING = 1e-3, 1e-15, 1e10
# Factors of the damping after a step that lowers the error, and after one that does not.
DECREASE, INCREASE = 0.2, 5.0
# Steps that lower the error by less than this share are small; this many in a row end the descent.
SMALL_STEP, MAX_SMALL_STEPS = 1e-10, 5
# A pivot below this share of its diagonal entry is rounding: the matrix is singular.
MIN_PIVOT = 1e-16


@kernel(in_order=True)
def levenberg_marquardt(parameters, bounds, max_steps, workspace):
    """Move `parameters` to a local minimum of the squared error, which is returned.

    Only the shape is read: the initial amplitudes are computed.
    """
    error, a, b = squared_error(parameters, bounds, workspace)
    if not error < np.inf:
        return error
    parameters[COSINE], parameters[SINE] = a, b
    derivatives, equations = workspace.derivatives, workspace.equations
    here, there = derivatives[N_PARAMETERS], workspace.differences[0]
    factors = workspace.factors
    trial = factors[N_PARAMETERS]
    error = residual(parameters, workspace)
    copy(there, here)
    damping, n_small, is_current = INITIAL_DAMPING, 0, False
    for _ in range(max_steps):
        if not is_current:
            # Normal equations; the last row is the right side.
            jacobian(parameters, workspace)
            multiply_rows(derivatives, equations)
            is_current = True
        # A damped Gauss-Newton step, clipped to the bounds.
        new = np.inf
        if _solve(equations, damping, factors):
            for k in range(N_PARAMETERS):
                trial[k] += parameters[k]
            clip_to_bounds(trial, bounds)
            new = residual(trial, workspace)
        # Accept it and trust the derivatives more, or damp more.
        if new < error:
            n_small = n_small + 1 if error - new <= SMALL_STEP * error else 0
            copy(trial, parameters)
            copy(there, here)
            error, is_current = new, False
            damping = max(DECREASE * damping, MIN_DAMPING)
        else:
            damping *= INCREASE
        if n_small >= MAX_SMALL_STEPS or damping > MAX_DAMPING:
            break
    return error


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
