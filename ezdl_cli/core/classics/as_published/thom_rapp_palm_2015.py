"""The paper's projection: Algorithms 2 and 3 with Newton's method on the squared function.

Two additions keep the loop finite if rounding prevents the final interval from being recognised:
arguments of roots are not negative, and the loop ends if the offset no longer changes.
"""

import numpy as np

from ...jit import kernel
from ...simd import forbid_simd

MAX_EVALUATIONS = 1200  # bisection from the largest to the smallest double takes about 1100


def project_thom_rapp_palm_2015(rows, target, norm):
    """Project nonnegative rows (m, n) to the target sparseness and an L2 norm, in place.

    Returns
    -------
    n_evaluations : int
        Evaluations of the auxiliary function for all rows, including those at zero.
    """
    return _project_rows(rows, target.k * norm, norm)


@kernel(in_order=True)
def _project_rows(rows, l1, l2):
    """Project one row after the other."""
    forbid_simd()
    n_evaluations = 0
    for i in range(len(rows)):
        n_evaluations += _project_vector(rows[i], l1, l2)
    return n_evaluations


@kernel(in_order=True)
def _project_vector(x, l1, l2):
    """Find the offset, then shrink and scale (Algorithm 3); return the number of evaluations."""
    forbid_simd()
    psi, squared, slope, finished, s1, s2, d = _evaluate(x, l1, l2, 0.0)
    evaluations = 1
    if psi > 0.0:  # the sparseness has to be increased
        lo = 0.0
        up = _second_largest(x)
        alpha = lo + 0.5 * (up - lo)
        psi, squared, slope, finished, s1, s2, d = _evaluate(x, l1, l2, alpha)
        evaluations += 1
        while not finished and evaluations < MAX_EVALUATIONS:
            if psi > 0.0:
                lo = alpha
            else:
                up = alpha
            before = alpha
            alpha -= squared / slope
            if alpha < lo or alpha > up:
                alpha = lo + 0.5 * (up - lo)
            if alpha == before:
                break
            psi, squared, slope, finished, s1, s2, d = _evaluate(x, l1, l2, alpha)
            evaluations += 1
    root = np.sqrt(max(d * s2 - s1 * s1, 0.0)) / np.sqrt(d * l2 * l2 - l1 * l1)
    _shrink_and_scale(x, (s1 - l1 * root) / d, l2)
    return evaluations


@kernel(in_order=True)
def _evaluate(x, l1, l2, alpha):
    """Evaluate the auxiliary function (Algorithm 2).

    Returns Ψ, Ψ̃, the derivative of Ψ̃, whether the final interval is found, and the sum, the sum of
    squares and the number of the entries above alpha.
    """
    forbid_simd()
    s1 = 0.0
    s2 = 0.0
    d = 0
    left = 0.0
    to_left = -alpha
    right = np.inf
    to_right = np.inf
    for i in range(x.size):
        t = x[i] - alpha
        if t > 0.0:
            s1 += x[i]
            s2 += x[i] * x[i]
            d += 1
            if t < to_right:
                right = x[i]
                to_right = t
        elif t > to_left:
            left = x[i]
            to_left = t
    sum_above = s1 - d * alpha
    squares_above = s2 - 2.0 * alpha * s1 + d * alpha * alpha
    length = np.sqrt(squares_above)
    psi = sum_above / length - l1 / l2
    psi_slope = (sum_above * sum_above / squares_above - d) / length
    squared = sum_above * sum_above / squares_above - l1 * l1 / (l2 * l2)
    squared_slope = 2.0 * sum_above / length * psi_slope
    finished = _is_positive(s1, s2, d, l1, l2, left) and not _is_positive(s1, s2, d, l1, l2, right)
    return psi, squared, squared_slope, finished, s1, s2, d


@kernel(in_order=True)
def _is_positive(s1, s2, d, l1, l2, entry):
    """Return whether Ψ >= 0 at the next entry to the left or right, from the sums."""
    forbid_simd()
    squares = max(s2 - 2.0 * entry * s1 + d * entry * entry, 0.0)
    return l2 * (s1 - d * entry) >= l1 * np.sqrt(squares)


@kernel(in_order=True)
def _second_largest(x):
    """Return the largest entry below the maximum; 0 if there is none."""
    forbid_simd()
    largest = 0.0
    second = 0.0
    for i in range(x.size):
        if x[i] > largest:
            second = largest
            largest = x[i]
        elif second < x[i] < largest:
            second = x[i]
    return second


@kernel(in_order=True)
def _shrink_and_scale(x, alpha, l2):
    """Write max(x - alpha, 0), scaled to the L2 norm."""
    forbid_simd()
    squares = 0.0
    for i in range(x.size):
        t = x[i] - alpha
        if t > 0.0:
            x[i] = t
            squares += t * t
        else:
            x[i] = 0.0
    scale = l2 / np.sqrt(squares)
    for i in range(x.size):
        x[i] = scale * x[i]
