"""Simultaneous order-recursive matching pursuit: the same few atoms for a group of samples.

As ORMP, but each time that atom is chosen whose gain, summed over all samples of the group, is the
largest. A group of one is coded as ORMP does it.
"""

from typing import NamedTuple

import numpy as np

from ..core.jit import kernel
from ..core.linear_algebra import allocate_responses, filter_responses, squared_norm
from .ormp import argmax_gain, largest_gain, new_direction


class GroupOrmpWorkspace(NamedTuple):
    """Scratch of the code of a group, and its `basis`: orthonormal rows that span the atoms."""

    basis: np.ndarray
    directions: np.ndarray
    responses: np.ndarray
    fresh: np.ndarray
    powers: np.ndarray
    rests: np.ndarray
    gains: np.ndarray

    @classmethod
    def of(cls, W, panels, group_size):
        """Room for groups of so many samples, or fewer."""
        n_atoms, d = W.shape
        most = min(n_atoms, d)
        return cls(
            np.empty((most, d), W.dtype),
            np.empty((most, n_atoms), W.dtype),
            allocate_responses(group_size, panels),
            *(np.empty(n_atoms, W.dtype) for _ in range(4)),
        )


@kernel(inline=True)
def group_basis(Y, W, panels, gram, squares, bound, room):
    """Choose atoms for all rows of Y; their number. Their span has the basis `room.basis`.

    `squares` is the diagonal of the Gram matrix. Ends when the squared distance of the rows from
    the span is not above `bound`.
    """
    directions, fresh, gains = room.directions, room.fresh, room.gains
    responses, powers, rests = room.responses, room.powers, room.rests
    energy = 0.0
    for i in range(len(Y)):
        energy += squared_norm(Y[i])
    if not energy > bound:
        return 0
    filter_responses(Y, panels, responses)
    for j in range(rests.size):
        rests[j] = squares[j]
        powers[j] = 0
    for i in range(len(Y)):
        for j in range(powers.size):
            powers[j] += responses[i, j] * responses[i, j]
    best = largest_gain(powers, rests, squares, gains)
    count = 0
    while count < len(room.basis) and energy > bound and best > 0.0:
        k = argmax_gain(gains, best)
        length = np.sqrt(rests[k])
        for j in range(fresh.size):
            fresh[j] = gram[k, j]
        new_direction(k, count, length, directions, fresh)
        _new_basis_row(W[k], count, room.basis)
        energy -= _go_along(len(Y), k, length, fresh, responses, powers)
        for j in range(fresh.size):
            rests[j] -= fresh[j] * fresh[j]
        best = largest_gain(powers, rests, squares, gains)
        count += 1
    return count


@kernel(inline=True)
def _new_basis_row(atom, count, basis):
    """The part of an atom that the others have not, with unit norm.

    From the entries, not from the products with the directions: these lose their digits when an
    atom is nearly in the span of the others.
    """
    row = basis[count]
    for t in range(row.size):
        row[t] = atom[t]
    for i in range(count):
        along = row.dtype.type(0)
        for t in range(row.size):
            along += row[t] * basis[i, t]
        for t in range(row.size):
            row[t] -= along * basis[i, t]
    square = squared_norm(row)
    scale = row.dtype.type(1.0 / np.sqrt(square) if square > 0.0 else 0.0)
    for t in range(row.size):
        row[t] *= scale


@kernel(inline=True)
def _go_along(m, k, length, direction, responses, powers):
    """What becomes of the responses of m samples; the energy that they lose."""
    lost = 0.0
    scale = direction.dtype.type(1.0 / length)
    for j in range(direction.size):
        powers[j] = 0
    for i in range(m):
        row = responses[i]
        step = row[k] * scale
        lost += np.float64(step) * np.float64(step)
        for j in range(direction.size):
            row[j] -= step * direction[j]
        for j in range(direction.size):
            powers[j] += row[j] * row[j]
    return lost
