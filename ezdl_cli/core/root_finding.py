r"""The paper's own search for the offset: Algorithm 2 and the loop of Algorithm 3.

Kept as published, to measure it (Figs. 4 and 5) and to test the default search against it, with
two differences. Sums are taken of :math:`x_i - \alpha` instead of :math:`x_i`, which is the same
up to rounding. And the loop is bounded: if rounding prevents the final interval from being
recognised, the loop ends when the interval cannot shrink any further.
"""

import numpy as np

from .closed_form import excess, step_to_root
from .jit import kernel
from .offset_search import find_offset_from_sums
from .soft_thresholding import bits_of, largest_entry, magnitude, shifted_sums, value_of
from .support_iteration import EXHAUSTED, FOUND, NOT_FOUND, TIED, finish_search

BISECTION, NEWTON, NEWTON_SQR, HALLEY = range(4)
INFINITY_BITS = np.array(np.inf).view(np.int64)[()]
MAX_EVALUATIONS = 1200  # bisection from the largest to the smallest double takes about 1100


@kernel
def evaluate_auxiliary(x, k, alpha):
    """Evaluate the auxiliary function on |x| (Algorithm 2).

    Returns
    -------
    psi, slope, bend : float
        Ψ and its first and second derivative.
    squared, squared_slope : float
        Ψ̃, which has squared norms instead, and its derivative.
    finished : bool
        Whether the root is in the interval between the neighbouring entries of `alpha`.
    s1, s2, d : float
        Sum, sum of squares and number of the entries above `alpha`, taken about it.
    """
    s1 = 0.0
    s2 = 0.0
    count = 0
    to_left = bits_of(alpha)  # distance to the next smaller entry
    to_right = INFINITY_BITS  # distance to the next larger entry
    for i in range(x.size):
        t = magnitude(x[i]) - alpha
        kept = max(t, 0.0)
        s1 += kept
        s2 += kept * kept
        count += t > 0.0
        bits = bits_of(abs(t))
        # Integer comparisons written as selections, because the compiler vectorises these.
        if_right = bits if t > 0.0 else INFINITY_BITS
        if_left = INFINITY_BITS if t > 0.0 else bits
        to_right = if_right if if_right < to_right else to_right
        to_left = if_left if if_left < to_left else to_left
    left, right = -value_of(to_left), value_of(to_right)
    d = float(count)
    l2 = np.sqrt(s2)
    psi = s1 / l2 - k
    slope = (s1 * s1 / s2 - d) / l2
    bend = 3.0 * slope * s1 / s2
    squared = s1 * s1 / s2 - k * k
    squared_slope = 2.0 * s1 / l2 * slope
    finished = _psi_is_positive(s1, s2, d, k, left) and not _psi_is_positive(s1, s2, d, k, right)
    return psi, slope, bend, squared, squared_slope, finished, s1, s2, d


@kernel(inline=True)
def _psi_is_positive(s1, s2, d, k, distance):
    """Return whether Ψ >= 0 at a neighbouring entry, at a distance from where the sums are."""
    return s1 - d * distance >= k * np.sqrt(max(s2 - distance * (2.0 * s1 - d * distance), 0.0))


@kernel
def _second_largest(x, largest):
    """Return the largest magnitude below `largest`; 0 if there is none."""
    bits = bits_of(0.0)
    for i in range(x.size):
        v = magnitude(x[i])
        bits = max(bits, bits_of(v if v < largest else 0.0))
    return value_of(bits)


@kernel
def find_root(x, k, gap, tolerance, solver):
    """Find the offset by one of the paper's solvers (loop of Algorithm 3).

    Returns what `find_offset` returns, and the number of evaluations of the auxiliary function.
    As in Fig. 4, the evaluation at zero is not counted.
    """
    n = float(x.size)
    k2 = k * k
    # Cases that need no search.
    s1, s2, d = shifted_sums(x, 0.0)
    settled = find_offset_from_sums(x, s1, s2, d, n, k2, gap, tolerance)
    if settled[0] != NOT_FOUND:
        return settled, 0
    largest, tied = largest_entry(x)
    if tied >= k2:
        return (TIED, largest, 0.0, 0.0, 0.0, tied), 0
    # The root is below the second largest entry: from there on Ψ is constant and negative.
    lo = 0.0
    up = _second_largest(x, largest)
    alpha = lo + 0.5 * (up - lo)
    status = EXHAUSTED
    evaluations = 0
    while evaluations < MAX_EVALUATIONS:
        evaluations += 1
        psi, slope, bend, squared, squared_slope, finished, s1, s2, d = evaluate_auxiliary(
            x, k, alpha
        )
        if finished:
            status = FOUND
            break
        # Ψ decreases: shrink the bracket.
        if psi > 0.0:
            lo = alpha
        else:
            up = alpha
        before = alpha
        if solver == NEWTON:
            alpha -= psi / slope
        elif solver == NEWTON_SQR:
            alpha -= squared / squared_slope
        elif solver == HALLEY:
            # Limited as in Algorithm 3: the correction of Halley's method is valid near the root.
            damping = 1.0 - psi * bend / (2.0 * slope * slope)
            alpha -= psi / (max(0.5, min(1.5, damping)) * slope)
        if solver == BISECTION or not lo <= alpha <= up:
            alpha = lo + 0.5 * (up - lo)
        if alpha == before:
            status = FOUND
            break
    if excess(d, n, k2, gap) > 0.0:
        # The closed form. A second step below removes the rounding of a long first one.
        alpha += step_to_root(s1, s2, d, n, k2, gap)
        s1, s2, d = shifted_sums(x, alpha)
    if excess(d, n, k2, gap) <= 0.0:
        return finish_search(x, TIED, alpha, 0.0, s1, s2, d, n, k2, gap), evaluations
    step = step_to_root(s1, s2, d, n, k2, gap)
    return finish_search(x, status, alpha, step, s1, s2, d, n, k2, gap), evaluations
