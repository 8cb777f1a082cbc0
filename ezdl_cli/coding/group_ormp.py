"""Simultaneous order-recursive matching pursuit: the same few atoms for a group of samples.

As in ORMP (see `ormp`), but the chosen atom has the largest gain summed over all samples of the
group. A group of one sample gets the atoms of ORMP.

The directions by which the span grows are stored in panels: their products with all atoms, followed
by their entries. One recursion yields both; it takes most of the time if many atoms are chosen, so
its sums stay in registers.
"""

from typing import NamedTuple

import numpy as np

from ..core.array_helpers import smallest_normal
from ..core.jit import kernel
from ..core.linear_algebra import allocate_panels, filter_responses, gram_matrix, squared_norm
from ..core.simd import CACHE_LINE, GROUPED_PANELS, multiply_row, subtract_lines, update_gains
from .atom_selection import argmax_gain, dependent_fraction
from .equivalent_samples import EquivalentSamples, equivalent_samples

# The entries of a direction are computed from its products with the directions so far, which lose
# digits if the atom is nearly in their span. If less than this share of its squared norm is outside
# of it, more than one digit is lost, and this and all later directions are refined.
REFINED_SHARE = 0.01
# Groups of more samples than this, relative to the length of the samples, are replaced by
# equivalent samples, which then takes less time.
MAX_SAMPLES = 1.5
PANEL_WIDTH = CACHE_LINE // 4  # entries of float32


class GroupDictionary(NamedTuple):
    """A dictionary as the kernels take it, float32."""

    W: np.ndarray
    """(n_atoms, d)"""
    panels: np.ndarray
    """W packed for `filter_responses`"""
    table: np.ndarray
    """products of the atoms with all atoms, and their entries; columns padded to whole panels"""
    squares: np.ndarray
    """squared norms of the atoms, padded by ones"""
    min_squares: np.ndarray
    """squared norms of their parts outside of the span below which they count as dependent"""

    @classmethod
    def of(cls, W):
        """Return the dictionary of atoms (n_atoms, d)."""
        n_atoms, d = W.shape
        panels = allocate_panels(n_atoms, d, W.dtype)
        gram = gram_matrix(W, panels)[:, :n_atoms]
        n_columns = padded(n_atoms)
        table = np.zeros((n_atoms, n_columns + padded(d)), W.dtype)
        table[:, :n_atoms] = gram
        table[:, n_columns : n_columns + d] = W
        squares = np.ones(n_columns, W.dtype)
        squares[:n_atoms] = np.diagonal(gram)
        # Atoms so short that their squares lose digits are never chosen.
        shortest = np.finfo(W.dtype).tiny / np.finfo(W.dtype).eps
        min_squares = np.maximum(squares * dependent_fraction(W.dtype), shortest)
        return cls(W, panels, table, squares, min_squares)


def padded(length):
    """Return the number of columns of the panels that are processed together, at least `length`."""
    multiple = GROUPED_PANELS * PANEL_WIDTH
    return -(-length // multiple) * multiple


class GroupOrmpWorkspace(NamedTuple):
    """Memory for the code of a group.

    Attributes
    ----------
    directions
        Panels with a line for each direction: products with the atoms, then entries.
    basis
        The panels of the entries; a view of `directions`.
    columns
        The entries packed for `filter_responses`, a column for each direction.
    responses
        Products of the atoms with the residuals, one row per sample.
    orthogonal_squares, gains
        Squared norms of the parts of the atoms outside of the span; decreases of the squared error.
    factors, steps
        Products of the new atom with the directions, and of the new direction with the samples.
    entries, products
        Entries of the new direction, and its products with the others.
    equivalent
        Samples that replace a large group.
    """

    directions: np.ndarray
    basis: np.ndarray
    columns: np.ndarray
    responses: np.ndarray
    orthogonal_squares: np.ndarray
    gains: np.ndarray
    factors: np.ndarray
    steps: np.ndarray
    entries: np.ndarray
    products: np.ndarray
    equivalent: EquivalentSamples

    @classmethod
    def of(cls, dictionary, group_size):
        """Allocate a workspace for groups of at most `group_size` samples."""
        W, dtype = dictionary.W, dictionary.W.dtype
        size, n_columns, n_entries = min(W.shape), dictionary.squares.size, padded(W.shape[1])
        # Panels (p, size, width), from columns that are stored one after the other.
        directions = allocate_panels(n_columns + n_entries, size, dtype)
        columns = allocate_panels(size, n_entries, dtype)
        max_samples = min(group_size, int(MAX_SAMPLES * n_entries))
        return cls(
            directions,
            directions[n_columns // PANEL_WIDTH :],
            columns,
            np.zeros((max_samples, n_columns), dtype),
            *(np.empty(n_columns, dtype) for _ in range(2)),
            np.empty(size, dtype),
            np.empty(max_samples, dtype),
            np.empty((1, n_entries), dtype),
            np.empty((1, columns.shape[0] * PANEL_WIDTH), dtype),
            EquivalentSamples.of(n_entries),
        )


@kernel(inline=True)
def choose_atoms(X, m, dictionary, bound, workspace):
    """Choose atoms for the first m of the samples X, and return their number.

    The search ends when the squared distance of the samples from the span of the atoms, in total,
    is not above `bound`. `workspace.basis` and `columns` receive an orthonormal basis of the span.
    """
    directions, responses, gains = workspace.directions, workspace.responses, workspace.gains
    squares, orthogonal_squares = dictionary.squares, workspace.orthogonal_squares
    steps, min_squares = workspace.steps, dictionary.min_squares
    energy = 0.0
    for i in range(m):
        energy += squared_norm(X.rows[i])
    if not energy > bound:
        return 0
    samples = X.rows[:m]
    if m > len(steps):
        equivalent_samples(X, m, workspace.equivalent)
        samples = workspace.equivalent.samples
        m = len(samples)
    filter_responses(samples, dictionary.panels, responses)
    # With no atoms chosen, the residuals are the samples: as after a step along zeros.
    for j in range(squares.size):
        orthogonal_squares[j] = squares[j]
    directions[:, 0] = 0
    steps[:] = 0
    count = np.int64(0)  # a literal would be a type of its own, for which kernels are compiled
    best = update_gains(
        responses, m, steps, directions, count, orthogonal_squares, min_squares, gains
    )
    refine = False
    smallest_gain = smallest_normal(gains)  # below it, the largest gain cannot be found again
    while count < workspace.factors.size and energy > bound and best >= smallest_gain:
        k = argmax_gain(gains, best)
        refine = refine or orthogonal_squares[k] < REFINED_SHARE * squares[k]
        scale = _append_direction(k, count, refine, dictionary.table, workspace)
        # Project the residuals onto the complement of the new direction.
        for i in range(m):
            steps[i] = responses[i, k] * scale
            energy -= np.float64(steps[i]) * np.float64(steps[i])
        best = update_gains(
            responses, m, steps, directions, count, orthogonal_squares, min_squares, gains
        )
        count += 1
    return count


@kernel(inline=True)
def _append_direction(k, count, refine, table, workspace):
    """Append the part of atom k outside of the span to the directions; return its scale."""
    directions, factors, basis = workspace.directions, workspace.factors, workspace.basis
    panel, column = k // PANEL_WIDTH, k % PANEL_WIDTH
    for i in range(count):
        factors[i] = directions[panel, i, column]
    scale = directions.dtype.type(1.0 / np.sqrt(workspace.orthogonal_squares[k]))
    for p in range(0, len(directions), GROUPED_PANELS):
        subtract_lines(table, k, factors, count, scale, directions, p)
    if refine:
        for _ in range(2):  # the second time, what is subtracted and its rounding errors are small
            _refine_direction(count, workspace)
    # The entries once more, as a column.
    panel, column = count // PANEL_WIDTH, count % PANEL_WIDTH
    for p in range(len(basis)):
        for i in range(PANEL_WIDTH):
            workspace.columns[panel, p * PANEL_WIDTH + i, column] = basis[p, count, i]
    return scale


@kernel(inline=True)
def _refine_direction(count, workspace):
    """Make the entries of the newest direction orthogonal to the others and of unit norm."""
    basis, entries, products = workspace.basis, workspace.entries, workspace.products
    row = np.int64(0)
    square = 0.0
    for p in range(len(basis)):
        for i in range(PANEL_WIDTH):
            entries[0, p * PANEL_WIDTH + i] = basis[p, count, i]
            square += np.float64(basis[p, count, i]) * np.float64(basis[p, count, i])
    for p in range(count // PANEL_WIDTH + 1):
        multiply_row(entries, row, workspace.columns, p, products)
    for i in range(count):
        square -= np.float64(products[0, i]) * np.float64(products[0, i])
    scale = basis.dtype.type(1.0 / np.sqrt(square) if square > 0.0 else 0.0)
    for p in range(0, len(basis), GROUPED_PANELS):
        subtract_lines(entries, row, products[0], count, scale, basis, p)
