"""Lasso codes, the least ½‖x - Wᵀh‖² + α‖h‖₁ over h, by following the path of solutions.

The solution is zero for penalties above the largest response b = W x, and a line from one change of
its support to the next (homotopy; Osborne et al. 2000, Efron et al. 2004). With a support and its
signs s, the solution at the wanted penalty would be M (b - α s), where M is the inverse of the Gram
matrix of the support. If its signs are s, and no other atom has a response to the rest above α, it
is the code. Else the first change on the way there is made: an atom leaves whose value becomes
zero, or one joins whose response catches up with those of the support. Only atoms that would be
above α in the end can join, and they are found without a division.

Atoms that depend on the support, but for rounding, cannot join: duplicates share nothing. What
rounding spoils is mended by descent along coordinates.
"""

from typing import NamedTuple

import numpy as np

from ..core.jit import kernel
from ..core.vectors import MASK, large_entries, lowest_bit
from .arguments import samples_and_atoms
from .responses import filter_responses, gram_matrix, new_panels, new_responses

FREE, ACTIVE, BARRED = range(3)
MAX_STEPS = 8  # times the size of the largest support
MAX_MENDINGS = 3
DEPENDENT = 1e-10  # share of an atom's squared norm that must lie outside of the others' span
PADDING = 16
AT_ONCE = 64  # samples whose responses are computed together
TOLERANCE = 1e-9  # of the conditions of optimality, as a share of the largest response
MAX_SWEEPS = 1000
LEAVES, JOINS, ARRIVES = range(3)


def lasso(X, W, alpha):
    """Lasso codes: for each row x of X the h with the least ½‖x - h W‖² + alpha ‖h‖₁.

    Parameters
    ----------
    X : array (m, d)
        Samples, one a row.
    W : array (n_atoms, d)
        Atoms, one a row, of any length.
    alpha : float
        Penalty, positive; scikit-learn's `sparse_encode` and SPAMS (`lambda1`, mode 2) mean the
        same by it, scikit-learn's `Lasso` divides by d.

    Returns
    -------
    array (m, n_atoms) of float32 if both are, else float64; computed in float64

    Raises
    ------
    ValueError
        If the arrays do not fit or are not finite, or alpha is not positive.
    """
    X, W = samples_and_atoms(X, W)
    if not 0.0 < alpha < np.inf:
        raise ValueError(f"alpha must be positive, not {alpha}")
    codes = np.zeros((len(X), len(W)), X.dtype)
    X, W = X.astype(np.float64), W.astype(np.float64)
    panels = new_panels(*W.shape, W.dtype)
    gram = gram_matrix(W, panels)
    room = LassoRoom.of(*W.shape, W.dtype)
    _lasso(X, panels, gram, float(alpha), room, new_responses(AT_ONCE, panels), codes)
    return codes


class LassoRoom(NamedTuple):
    """Scratch of the code of a sample, and the code itself: its places and values."""

    places: np.ndarray
    values: np.ndarray
    signs: np.ndarray
    goal: np.ndarray
    column: np.ndarray
    wanted: np.ndarray
    inverse: np.ndarray
    status: np.ndarray
    now: np.ndarray
    end: np.ndarray

    @classmethod
    def of(cls, n_atoms, n_features, dtype):
        """Room for dictionaries of a size."""
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


@kernel
def _lasso(X, panels, gram, penalty, room, responses, out):
    """Codes of all rows, checked, and mended where rounding has spoiled one."""
    n = len(gram)
    code = np.empty(n)
    for first in range(0, len(X), AT_ONCE):
        batch = X[first : first + AT_ONCE]
        filter_responses(batch, panels, responses)
        for i in range(len(batch)):
            b = responses[i][:n]
            count = lasso_code(b, gram, penalty, room)
            code[:] = 0.0
            for j in range(count):
                code[room.places[j]] = room.values[j]
            _descend(b, gram, penalty, code, room)
            for j in range(n):
                out[first + i, j] = code[j]


@kernel
def _descend(b, gram, penalty, code, room):
    """Improve a code along one coordinate after the other until it is optimal."""
    rest, scale = room.end, 0.0
    for k in range(b.size):
        scale = max(scale, abs(b[k]))
        rest[k] = b[k]
    for j in range(b.size):
        if code[j] != 0.0:
            for k in range(b.size):
                rest[k] -= code[j] * gram[j, k]
    for _ in range(MAX_SWEEPS):
        if _violation(rest, code, penalty) <= TOLERANCE * scale:
            return
        for j in range(b.size):
            square = gram[j, j]
            if square > 0.0:
                free = rest[j] + square * code[j]
                better = np.copysign(max(abs(free) - penalty, 0.0) / square, free)
                change = better - code[j]
                code[j] = better
                if change != 0.0:
                    for k in range(b.size):
                        rest[k] -= change * gram[j, k]


@kernel
def _violation(rest, code, penalty):
    """How far a code is from the conditions of optimality."""
    worst = 0.0
    for k in range(code.size):
        if code[k] == 0.0:
            worst = max(worst, abs(rest[k]) - penalty)
        else:
            worst = max(worst, abs(rest[k] - np.copysign(penalty, code[k])))
    return worst


@kernel
def lasso_code(b, gram, penalty, room):
    """Lasso code from responses and the Gram matrix of the atoms; the number of its nonzeros.

    Places and values are in `room`.
    """
    # One by one: taking arrays out of a tuple, or slices of them, costs more than short loops.
    places, values, signs, goal = room.places, room.values, room.signs, room.goal
    inverse, column, wanted = room.inverse, room.column, room.wanted
    now, end, status = room.now, room.end, room.status
    status[:] = FREE
    top, first = _largest(b, now)
    if not (penalty < top < np.inf):
        return 0
    exact = 16.0 * np.finfo(b.dtype).eps * top
    floor = b.dtype.type(penalty + exact)
    dependent = max(DEPENDENT, 100.0 * np.finfo(b.dtype).eps)
    size = signs.size
    count = 0
    event, which = JOINS, first
    for _ in range(MAX_STEPS * size):
        if event == LEAVES:
            status[places[which]] = FREE
            _free_the_barred(status)
            count = _remove(which, count, places, values, signs, inverse, column)
        else:
            rest = _residual(which, count, gram, places, inverse, wanted, column)
            if count < size and rest > dependent * gram[which, which]:
                places[count], values[count] = which, 0.0
                signs[count] = np.copysign(1.0, now[which])
                status[which] = ACTIVE
                count = _extend(count, rest, inverse, column)
            else:
                status[which] = BARRED
        for i in range(count):
            wanted[i] = b[places[i]] - penalty * signs[i]
        _times_inverse(count, inverse, wanted, goal)
        _responses_to_rest(b, gram, places, goal, count, end)
        for _ in range(MAX_MENDINGS):  # the inverse is not exact
            if _error(count, end, places, signs, penalty, wanted) <= exact:
                break
            _times_inverse(count, inverse, wanted, column)
            for i in range(count):
                goal[i] += column[i]
            _responses_to_rest(b, gram, places, goal, count, end)
        part, event, which = _first_to_join(top, penalty, floor, end, now, status)
        for i in range(count):
            if goal[i] * signs[i] < 0.0 and values[i] / (values[i] - goal[i]) < part:
                part, event, which = values[i] / (values[i] - goal[i]), LEAVES, i
        if event == ARRIVES:
            break
        for i in range(count):
            values[i] += part * (goal[i] - values[i])
        _approach(now, end, b.dtype.type(part))
        top += part * (penalty - top)
    for i in range(count):
        values[i] = goal[i]
    return count


@kernel
def _largest(b, copy):
    """Largest magnitude and its place; copies the entries."""
    top = b.dtype.type(0)
    for k in range(b.size):
        copy[k] = b[k]
        top = max(top, abs(b[k]))
    for k in range(b.size):
        if abs(b[k]) == top:
            return np.float64(top), k
    return np.nan, 0


@kernel
def _error(count, end, places, signs, penalty, out):
    """Responses of the support to the rest, less what they should be; the largest magnitude."""
    worst = 0.0
    for i in range(count):
        out[i] = end[places[i]] - penalty * signs[i]
        worst = max(worst, abs(out[i]))
    return worst


@kernel
def _free_the_barred(status):
    for k in range(status.size):
        status[k] = FREE if status[k] == BARRED else status[k]


@kernel
def _padded(count):
    """The next multiple of PADDING: loops over so many entries have no loose ends."""
    return (count + PADDING - 1) // PADDING * PADDING


@kernel
def _times_inverse(count, inverse, x, out):
    """Product of the symmetric inverse with a vector of `count` entries, along the rows."""
    padded = _padded(count)
    for j in range(padded):
        out[j] = 0.0
    for i in range(count):
        for j in range(padded):
            out[j] += x[i] * inverse[i, j]


@kernel
def _residual(k, count, gram, places, inverse, wanted, column):
    """Squared norm of what an atom has beyond the support; its coefficients there in `column`."""
    for i in range(count):
        wanted[i] = gram[k, places[i]]
    _times_inverse(count, inverse, wanted, column)
    rest = np.float64(gram[k, k])
    for i in range(count):
        rest -= column[i] * wanted[i]
    return rest


@kernel
def _extend(count, rest, inverse, column):
    """Let the inverse grow by an atom, from what `_residual` found; the size of the support."""
    padded = _padded(count + 1)
    for j in range(count, padded):
        column[j] = 0.0
    column[count] = -1.0
    if count % PADDING == 0:
        for i in range(count):
            for j in range(count, padded):
                inverse[i, j] = 0.0
    for j in range(padded):
        inverse[count, j] = 0.0
    _add_outer(count + 1, inverse, 1.0 / rest, column)
    return count + 1


@kernel
def _add_outer(count, inverse, factor, x):
    """Add factor x xᵀ to a symmetric matrix; x has zeros behind its `count` entries."""
    padded = _padded(count)
    for i in range(count):
        scaled = factor * x[i]
        for j in range(padded):
            inverse[i, j] += scaled * x[j]


@kernel
def _remove(i, count, places, values, signs, inverse, column):
    """Take an atom out of the support, the last one takes its place; the size of the support."""
    last = count - 1
    for j in range(count):
        inverse[i, j], inverse[last, j] = inverse[last, j], inverse[i, j]
    for j in range(count):
        inverse[j, i], inverse[j, last] = inverse[j, last], inverse[j, i]
    places[i], values[i], signs[i] = places[last], values[last], signs[last]
    pivot = inverse[last, last]
    for j in range(_padded(count)):
        column[j] = inverse[last, j]
    column[last] = 0.0
    _add_outer(last, inverse, -1.0 / pivot, column)
    for j in range(last):
        inverse[j, last] = 0.0
    return last


@kernel
def _responses_to_rest(b, gram, places, values, count, out):
    """b less the responses to the code's approximation, four atoms at a time."""
    for k in range(b.size):
        out[k] = b[k]
    fours = count - count % 4
    for i in range(0, fours, 4):
        p, q, r, s = places[i], places[i + 1], places[i + 2], places[i + 3]
        e, f = b.dtype.type(values[i]), b.dtype.type(values[i + 1])
        g, h = b.dtype.type(values[i + 2]), b.dtype.type(values[i + 3])
        for k in range(b.size):
            out[k] -= e * gram[p, k] + f * gram[q, k] + g * gram[r, k] + h * gram[s, k]
    for i in range(fours, count):
        p, e = places[i], b.dtype.type(values[i])
        for k in range(b.size):
            out[k] -= e * gram[p, k]


@kernel
def _first_to_join(top, penalty, floor, end, now, status):
    """Part of the way to the goal until an atom must join the support, and which.

    An atom that has a gap to close and would be too large by an excess in the end joins after the
    part gap / (gap + excess) of the way: the first is that of the largest excess / gap.
    """
    whole = end.size - end.size % MASK
    gap, excess, which = 1.0, 0.0, -1
    for start in range(0, end.size, MASK):
        bits = large_entries(end, start, floor) if start < whole else _last_bits(end, start, floor)
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


@kernel
def _last_bits(entries, start, floor):
    """The bits of `large_entries` for the entries from `start` on, which are fewer than MASK."""
    bits = np.uint32(0)
    for i in range(entries.size - start):
        bits |= np.uint32(abs(entries[start + i]) > floor) << np.uint32(i)
    return bits


@kernel
def _approach(now, end, part):
    for k in range(now.size):
        now[k] += part * (end[k] - now[k])
