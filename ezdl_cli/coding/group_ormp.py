"""Simultaneous order-recursive matching pursuit: the same few atoms for a group of samples.

As in ORMP, but the chosen atom has the largest gain summed over all samples of the group. A group
of one sample gets the atoms of ORMP.
"""

from typing import NamedTuple

import numpy as np

from ..core.jit import kernel
from ..core.linear_algebra import allocate_responses, filter_responses, squared_norm
from .atom_selection import append_direction, argmax_gain, largest_gain


class GroupOrmpWorkspace(NamedTuple):
    """Memory for the code of a group, see `OrmpWorkspace`.

    Attributes
    ----------
    basis
        The result: orthonormal rows that span the chosen atoms.
    responses
        Products of the atoms with the residuals, one row per sample.
    powers
        Sums of the squared responses over the group.
    """

    basis: np.ndarray
    directions: np.ndarray
    responses: np.ndarray
    direction: np.ndarray
    powers: np.ndarray
    orthogonal_squares: np.ndarray
    gains: np.ndarray

    @classmethod
    def of(cls, W, panels, group_size):
        """Allocate a workspace for groups of at most `group_size` samples."""
        n_atoms, d = W.shape
        size = min(n_atoms, d)
        return cls(
            np.empty((size, d), W.dtype),
            np.empty((size, n_atoms), W.dtype),
            allocate_responses(group_size, panels),
            *(np.empty(n_atoms, W.dtype) for _ in range(4)),
        )


@kernel(inline=True)
def group_basis(X, W, panels, gram, squares, bound, workspace):
    """Choose atoms for all rows of X, and return their number.

    `squares` is the diagonal of the Gram matrix. The search ends when the squared distance of the
    rows from the span of the atoms, in total, is not above `bound`. `workspace.basis` receives an
    orthonormal basis of the span.
    """
    directions, direction, gains = workspace.directions, workspace.direction, workspace.gains
    responses, powers = workspace.responses, workspace.powers
    orthogonal_squares = workspace.orthogonal_squares
    energy = 0.0
    for i in range(len(X)):
        energy += squared_norm(X[i])
    if not energy > bound:
        return 0
    # With no atoms chosen, the residuals are the samples.
    filter_responses(X, panels, responses)
    for j in range(orthogonal_squares.size):
        orthogonal_squares[j] = squares[j]
        powers[j] = 0
    for i in range(len(X)):
        for j in range(powers.size):
            powers[j] += responses[i, j] * responses[i, j]
    best = largest_gain(powers, orthogonal_squares, squares, gains)
    count = 0
    while count < len(workspace.basis) and energy > bound and best > 0.0:
        k = argmax_gain(gains, best)
        length = np.sqrt(orthogonal_squares[k])
        # Extend the directions and the basis by the chosen atom.
        for j in range(direction.size):
            direction[j] = gram[k, j]
        append_direction(k, count, length, directions, direction)
        _append_basis_row(W[k], count, workspace.basis)
        # Project the residuals onto the complement of the new direction.
        energy -= _update_group(len(X), k, length, direction, responses, powers)
        for j in range(direction.size):
            orthogonal_squares[j] -= direction[j] * direction[j]
        best = largest_gain(powers, orthogonal_squares, squares, gains)
        count += 1
    return count


@kernel(inline=True)
def _append_basis_row(atom, count, basis):
    """Append the component of an atom orthogonal to the basis, with unit norm.

    It is computed from the entries of the atom and not from its products with the directions,
    which lose their digits if the atom is nearly in the span of the others.
    """
    row = basis[count]
    for t in range(row.size):
        row[t] = atom[t]
    # Modified Gram-Schmidt.
    for i in range(count):
        product = row.dtype.type(0)
        for t in range(row.size):
            product += row[t] * basis[i, t]
        for t in range(row.size):
            row[t] -= product * basis[i, t]
    square = squared_norm(row)
    scale = row.dtype.type(1.0 / np.sqrt(square) if square > 0.0 else 0.0)
    for t in range(row.size):
        row[t] *= scale


@kernel(inline=True)
def _update_group(m, k, length, direction, responses, powers):
    """Update the responses of m samples after a new direction, and return their lost energy."""
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
