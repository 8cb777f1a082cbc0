"""Lasso codes, the least ½‖x - Wᵀh‖² + α‖h‖₁ over h, by following the path of solutions.

The solution is zero for penalties above the largest response b = W x, and a line from one change of
its support to the next (homotopy; Osborne et al. 2000, Efron et al. 2004). With a support and its
signs s, the solution at the wanted penalty would be M (b - α s), where M is the inverse of the Gram
matrix of the support. If its signs are s, and no other atom has a response to the rest above α, it
is the code. Else the first change on the way there is made: an atom leaves whose value becomes
zero, or one joins whose response catches up with those of the support. Only atoms that would be
above α in the end can join, and they are found without a division.

Atoms that depend on the support, but for rounding, cannot join: of duplicates, one is enough.
"""

from typing import NamedTuple

import numpy as np

from ..core.jit import kernel
from ..core.simd import MASK_BITS, large_entry_mask, lowest_bit

FREE, ACTIVE, BARRED = range(3)
LEAVES, JOINS, ARRIVES = range(3)
MAX_STEPS = 8  # times the size of the largest support
MAX_MENDINGS = 3
DEPENDENT = 1e-12  # share of an atom's squared norm that must lie outside of the others' span
ILL = 1e3  # condition from which on taking an atom out of the inverse leaves too much rounding
HOPELESS = 1e-3  # error, as a share of the responses, with which an atom cannot join
PADDING = 16


class LassoWorkspace(NamedTuple):
    """Scratch of the code of a sample, and the code itself: its places and values."""

    support: np.ndarray
    values: np.ndarray
    signs: np.ndarray
    goal: np.ndarray
    column: np.ndarray
    wanted: np.ndarray
    inverse: np.ndarray
    status: np.ndarray
    now: np.ndarray
    residual_responses: np.ndarray

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


@kernel(inline=True)
def lasso_code(b, gram, penalty, room):
    """Lasso code from responses and the Gram matrix of the atoms; the number of its nonzeros.

    Places and values are in `room`.
    """
    # One by one: taking arrays out of a tuple, or slices of them, costs more than short loops.
    places, values, signs, goal = room.support, room.values, room.signs, room.goal
    inverse, column, wanted = room.inverse, room.column, room.wanted
    now, end, status = room.now, room.residual_responses, room.status
    status[:] = FREE
    top, which = _largest(b, now)
    if not (penalty < top < np.inf):
        return 0
    exact = 16.0 * np.finfo(b.dtype).eps * top
    floor = b.dtype.type(penalty + exact)
    event, count = JOINS, 0
    for _ in range(MAX_STEPS * signs.size):
        if event == LEAVES:
            k = places[which]
            _free(k, status)
            count = _remove(which, count, places, values, signs, inverse, column)
            if inverse[count, count] * gram[k, k] > ILL:
                count = _build_anew(count, gram, places, values, signs, inverse, wanted, column)
        elif _extend(which, count, gram, places, inverse, wanted, column):
            places[count], values[count], status[which] = which, 0.0, ACTIVE
            signs[count] = np.copysign(1.0, now[which])
            count += 1
        else:
            status[which] = BARRED
        arguments = (b, gram, penalty, exact, places, signs, inverse, wanted, column, goal, end)
        if _aim(count, *arguments) > exact:
            count = _build_anew(count, gram, places, values, signs, inverse, wanted, column)
            error = _aim(count, *arguments)
            if error > HOPELESS * top and count > 0 and values[count - 1] == 0.0:
                status[places[count - 1]] = BARRED
                count = _remove(count - 1, count, places, values, signs, inverse, column)
                _aim(count, *arguments)
        part, event, which = _first_to_join(top, penalty, floor, end, now, status)
        for i in range(count):
            if goal[i] * signs[i] < 0.0 and values[i] / (values[i] - goal[i]) < part:
                part, event, which = values[i] / (values[i] - goal[i]), LEAVES, i
        for i in range(count):
            values[i] += part * (goal[i] - values[i])
        if event == ARRIVES:
            return count
        _approach(now, end, b.dtype.type(part))
        top += part * (penalty - top)
    return count


@kernel(inline=True)
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


@kernel(inline=True)
def _aim(count, b, gram, penalty, exact, places, signs, inverse, wanted, column, goal, end):
    """The solution at the penalty, were the support the right one, and the responses to its rest.

    The inverse is not exact: the responses of the support tell by how much. The error that is left
    after some mending.
    """
    for i in range(count):
        goal[i] = 0.0
        wanted[i] = b[places[i]] - penalty * signs[i]
    worst = 0.0
    for _ in range(MAX_MENDINGS):
        _times_inverse(count, inverse, wanted, column)
        for i in range(count):
            goal[i] += column[i]
        _responses_to_rest(b, gram, places, goal, count, end)
        worst = 0.0
        for i in range(count):
            wanted[i] = end[places[i]] - penalty * signs[i]
            worst = max(worst, abs(wanted[i]))
        if worst <= exact:
            break
    return worst


@kernel(inline=True)
def _free(k, status):
    """Let an atom be free to join again, and those that may have depended on it."""
    status[k] = FREE
    for j in range(status.size):
        status[j] = FREE if status[j] == BARRED else status[j]


@kernel(inline=True)
def _padded(count):
    """The next multiple of PADDING: loops over so many entries have no loose ends."""
    return (count + PADDING - 1) // PADDING * PADDING


@kernel(inline=True)
def _times_inverse(count, inverse, x, out):
    """Product of the symmetric inverse with a vector of `count` entries, along the rows."""
    padded = _padded(count)
    for j in range(padded):
        out[j] = 0.0
    for i in range(count):
        for j in range(padded):
            out[j] += x[i] * inverse[i, j]


@kernel(inline=True)
def _extend(k, count, gram, places, inverse, wanted, column):
    """Let the inverse grow by atom k; False if it depends on the support, or there is no room."""
    for i in range(count):
        wanted[i] = gram[k, places[i]]
    _times_inverse(count, inverse, wanted, column)
    rest = np.float64(gram[k, k])
    for i in range(count):
        rest -= column[i] * wanted[i]
    dependent = max(DEPENDENT, 100.0 * np.finfo(gram.dtype).eps)
    if count == len(inverse) or not rest > dependent * gram[k, k]:
        return False
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
    return True


@kernel(inline=True)
def _add_outer(count, inverse, factor, x):
    """Add factor x xᵀ to a symmetric matrix; x has zeros behind its `count` entries."""
    padded = _padded(count)
    for i in range(count):
        scaled = factor * x[i]
        for j in range(padded):
            inverse[i, j] += scaled * x[j]


@kernel(inline=True)
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


@kernel(inline=True)
def _build_anew(count, gram, places, values, signs, inverse, wanted, column):
    """The inverse without what rounding has done to it; the size of the support."""
    kept = 0
    for i in range(count):
        if _extend(places[i], kept, gram, places, inverse, wanted, column):
            places[kept], values[kept], signs[kept] = places[i], values[i], signs[i]
            kept += 1
    return kept


@kernel(inline=True)
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


@kernel(inline=True)
def _first_to_join(top, penalty, floor, end, now, status):
    """Part of the way to the goal until an atom must join the support, and which.

    An atom that has a gap to close and would be too large by an excess in the end joins after the
    part gap / (gap + excess) of the way: the first is that of the largest excess / gap.
    """
    whole = end.size - end.size % MASK_BITS
    gap, excess, which = 1.0, 0.0, -1
    for start in range(0, end.size, MASK_BITS):
        bits = (
            large_entry_mask(end, start, floor) if start < whole else _last_bits(end, start, floor)
        )
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
def _last_bits(entries, start, floor):
    """The bits of `large_entries` for the entries from `start` on, which are fewer than MASK."""
    bits = np.uint32(0)
    for i in range(entries.size - start):
        bits |= np.uint32(abs(entries[start + i]) > floor) << np.uint32(i)
    return bits


@kernel(inline=True)
def _approach(now, end, part):
    for k in range(now.size):
        now[k] += part * (end[k] - now[k])
