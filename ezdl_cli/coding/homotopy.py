"""Lasso code of one sample, the minimiser of ½‖x - Wᵀh‖² + α‖h‖₁, by following the solution path.

The solution is zero for penalties above the largest response u = W x, and piecewise linear in the
penalty below (homotopy; Osborne et al. 2000, Efron et al. 2004). For a support with signs s, the
solution at the target penalty α would be M (u - α s), where M is the inverse of the Gram matrix of
the support. If it has the signs s, and if no other atom has a response to the residual above α, it
is the code. Otherwise the first event on the way there is carried out: an atom whose value becomes
zero leaves the support, or an atom whose response reaches those of the support joins it. Only atoms
whose response would exceed α at the end can join; these few are found without divisions.

Atoms that depend linearly on the support, up to rounding, cannot join: one of several duplicates is
enough.
"""

from typing import NamedTuple

import numpy as np

from ..core.array_helpers import machine_epsilon
from ..core.jit import kernel
from ..core.simd import MASK_BITS, large_entry_mask, lowest_bit
from .support_inverse import (
    PADDING,
    extend_inverse,
    multiply_inverse,
    rebuild_inverse,
    shrink_inverse,
)

FREE, ACTIVE, BARRED = range(3)  # status of an atom
LEAVES, JOINS, ARRIVES = range(3)  # event on the path
# Bound of the number of events, as a multiple of the largest possible support. Each of its atoms
# takes one event; many more mean that rounding keeps exchanging atoms.
MAX_EVENTS_FACTOR = 8
MAX_REFINEMENTS = 3  # each gains several digits, unless the support is close to dependent
# Condition number above which the inverse is recomputed after an atom leaves: the update loses as
# many digits.
ILL_CONDITIONED = 1e3
# Error relative to the largest response above which the atom that joined last is removed again.
LARGE_ERROR = 1e-3


class LassoWorkspace(NamedTuple):
    """Memory for the code of one sample.

    Attributes
    ----------
    support, values
        The code: indices of its atoms and their coefficients.
    signs
        Signs of the values.
    goal
        Values at the target penalty, if the support were the final one.
    column, right_side
        Temporary vectors over the support.
    inverse
        Inverse of the Gram matrix of the support, rows padded with zeros.
    status
        FREE, ACTIVE or BARRED for each atom.
    current_responses, residual_responses
        Responses to the residual, at the current point of the path and at the goal.
    """

    support: np.ndarray
    values: np.ndarray
    signs: np.ndarray
    goal: np.ndarray
    column: np.ndarray
    right_side: np.ndarray
    inverse: np.ndarray
    status: np.ndarray
    current_responses: np.ndarray
    residual_responses: np.ndarray

    @classmethod
    def of(cls, n_atoms, n_features, dtype):
        """Allocate a workspace for dictionaries of the given size."""
        size = min(n_atoms, n_features)
        padded = -(-size // PADDING) * PADDING
        return cls(
            np.empty(n_atoms, np.int64),
            np.empty(n_atoms),
            np.empty(size),
            np.empty(padded),
            np.empty(padded),
            np.empty(size),
            np.empty((size, padded)),
            np.empty(n_atoms, np.int8),
            np.empty(n_atoms, dtype),
            np.empty(n_atoms, dtype),
        )


@kernel(inline=True)
def lasso_code(u, gram, penalty, workspace):
    """Compute the lasso code from responses and the Gram matrix; returns the number of nonzeros.

    The code is in `workspace.support` and `workspace.values`, and the responses to its residual in
    `workspace.residual_responses`.
    """
    # As local variables: accessing arrays of a tuple costs more than the short loops below.
    support, values, signs = workspace.support, workspace.values, workspace.signs
    inverse, column, right_side = workspace.inverse, workspace.column, workspace.right_side
    now, end = workspace.current_responses, workspace.residual_responses
    goal, status = workspace.goal, workspace.status
    status[:] = FREE
    # The path starts at the largest response, whose atom joins first.
    top, which = _largest(u, now)
    if not (penalty < top < np.inf):
        return 0
    exact = 16.0 * machine_epsilon(u) * top
    floor = u.dtype.type(penalty + exact)
    # NumPy's integer: functions would be compiled for the constant 0 as well.
    event, count = JOINS, np.int64(0)
    for _ in range(MAX_EVENTS_FACTOR * signs.size):
        # Carry out the event.
        if event == LEAVES:
            k = support[which]
            _set_free(k, status)
            count = shrink_inverse(which, count, support, values, signs, inverse, column)
            if inverse[count, count] * gram[k, k] > ILL_CONDITIONED:
                count = rebuild_inverse(
                    count, gram, support, values, signs, inverse, right_side, column
                )
        elif extend_inverse(which, count, gram, support, inverse, right_side, column):
            support[count], values[count], status[which] = which, 0.0, ACTIVE
            signs[count] = np.copysign(1.0, now[which])
            count += 1
        else:
            status[which] = BARRED
        # Aim at the solution for this support; recompute the inverse if it has become inaccurate.
        problem = (u, gram, penalty, exact)
        memory = (support, signs, inverse, right_side, column, goal, end)
        if _aim(count, *problem, *memory) > exact:
            count = rebuild_inverse(
                count, gram, support, values, signs, inverse, right_side, column
            )
            error = _aim(count, *problem, *memory)
            if error > LARGE_ERROR * top and count > 0 and values[count - 1] == 0.0:
                status[support[count - 1]] = BARRED
                count = shrink_inverse(count - 1, count, support, values, signs, inverse, column)
                _aim(count, *problem, *memory)
        # Find the first event on the way, and move there.
        fraction, event, which = _first_to_join(top, penalty, floor, end, now, status)
        for i in range(count):
            if goal[i] * signs[i] < 0.0 and values[i] / (values[i] - goal[i]) < fraction:
                fraction, event, which = values[i] / (values[i] - goal[i]), LEAVES, i
        for i in range(count):
            values[i] += fraction * (goal[i] - values[i])
        if event == ARRIVES:
            return count
        _interpolate(now, end, u.dtype.type(fraction))
        top += fraction * (penalty - top)
    return count


@kernel(inline=True)
def _largest(u, copy):
    """Copy the entries, and return the largest magnitude and its index."""
    top = u.dtype.type(0)
    for k in range(u.size):
        copy[k] = u[k]
        top = max(top, abs(u[k]))
    for k in range(u.size):
        if abs(u[k]) == top:
            return np.float64(top), k
    return np.nan, 0


@kernel(inline=True)
def _aim(count, u, gram, penalty, exact, support, signs, inverse, right_side, column, goal, end):
    """Compute the solution at the penalty for this support, and the responses to its residual.

    On the support, these must equal the penalty times the signs. What they lack is due to the
    inaccuracy of the inverse, and used to refine the solution iteratively. Returns the remaining
    error.
    """
    for i in range(count):
        goal[i] = 0.0
        right_side[i] = u[support[i]] - penalty * signs[i]
    worst = 0.0
    for _ in range(MAX_REFINEMENTS):
        multiply_inverse(count, inverse, right_side, column)
        for i in range(count):
            goal[i] += column[i]
        _compute_residual_responses(u, gram, support, goal, count, end)
        worst = 0.0
        for i in range(count):
            right_side[i] = end[support[i]] - penalty * signs[i]
            worst = max(worst, abs(right_side[i]))
        if worst <= exact:
            break
    return worst


@kernel(inline=True)
def _set_free(k, status):
    """Allow an atom to join again, and those that may have depended on it."""
    status[k] = FREE
    for j in range(status.size):
        status[j] = FREE if status[j] == BARRED else status[j]


@kernel(inline=True)
def _compute_residual_responses(u, gram, support, values, count, out):
    """Subtract the responses to the approximation from u, four atoms at a time."""
    for k in range(u.size):
        out[k] = u[k]
    n_tiled = count - count % 4
    for i in range(0, n_tiled, 4):
        p, q, r, s = support[i], support[i + 1], support[i + 2], support[i + 3]
        e, f = u.dtype.type(values[i]), u.dtype.type(values[i + 1])
        g, h = u.dtype.type(values[i + 2]), u.dtype.type(values[i + 3])
        for k in range(u.size):
            out[k] -= e * gram[p, k] + f * gram[q, k] + g * gram[r, k] + h * gram[s, k]
    for i in range(n_tiled, count):
        p, e = support[i], u.dtype.type(values[i])
        for k in range(u.size):
            out[k] -= e * gram[p, k]


@kernel(inline=True)
def _first_to_join(top, penalty, floor, end, now, status):
    """Return the fraction of the way to the goal at which an atom must join, and which.

    An atom that is below the responses of the support by a gap, and would exceed the penalty by an
    excess at the end, joins after the fraction gap / (gap + excess): the first atom is the one with
    the largest excess / gap, compared by cross-multiplication.
    """
    n_masked = end.size - end.size % MASK_BITS
    gap, excess, which = 1.0, 0.0, -1
    for start in range(0, end.size, MASK_BITS):
        if start < n_masked:
            bits = large_entry_mask(end, start, floor)
        else:
            bits = _last_mask(end, start, floor)
        while bits != 0:
            k = start + lowest_bit(bits)
            bits &= bits - np.uint32(1)
            response = np.float64(end[k])
            its_gap = max(top - np.copysign(1.0, response) * now[k], 0.0)
            its_excess = abs(response) - penalty
            if its_excess * gap > excess * its_gap and status[k] == FREE:
                gap, excess, which = its_gap, its_excess, k
    if which < 0:
        return 1.0, ARRIVES, 0
    return gap / (gap + excess), JOINS, which


@kernel(inline=True)
def _last_mask(entries, start, floor):
    """Return `large_entry_mask` for fewer than MASK_BITS entries at the end."""
    bits = np.uint32(0)
    for i in range(entries.size - start):
        bits |= np.uint32(abs(entries[start + i]) > floor) << np.uint32(i)
    return bits


@kernel(inline=True)
def _interpolate(now, end, fraction):
    """Move by a fraction of the way from `now` to `end`, in place."""
    for k in range(now.size):
        now[k] += fraction * (end[k] - now[k])
