"""Online Dictionary Learning, ODL (Mairal, Bach, Ponce and Sapiro 2009, 2010).

Batch by batch, samples get lasso codes h, which are summed up in A ≈ mean of h hᵀ and B ≈ mean of
h xᵀ; what is old is forgotten by a factor β, the more the younger the dictionary. Then each atom is
moved once to the minimum of the error that A and B imply, all others fixed:

    u = w_j + (b_j - Wᵀ a_j) / A_jj,   w_j = u / max(‖u‖, 1)

Atoms that no code has used for an epoch are replaced by samples.
"""

from dataclasses import dataclass
from numbers import Real
from typing import NamedTuple

import numpy as np

from ..coding.arguments import check_whole
from ..coding.homotopy import LassoRoom, lasso_code
from ..coding.ormp import squared_norm
from ..coding.responses import filter_responses, new_panels, new_responses, pack
from ..core.jit import kernel
from ..core.vectors import TILE_ROWS, multiply_row, multiply_tile
from .atoms import normalise_atoms

RESPONSES_AT_ONCE = 64
UNUSED = 1e-6  # share of the mean of A's diagonal


@dataclass(frozen=True)
class Parameters:
    """What ODL can be told.

    Attributes
    ----------
    alpha : float
        Penalty of the codes, the paper's λ; for samples of unit variance.
    batch_size : int
        Samples between two updates of the dictionary.
    """

    alpha: float = 2.0
    batch_size: int = 512

    def check(self, n_atoms, n_features):
        """Raise ValueError if the parameters are out of range."""
        if not (isinstance(self.alpha, Real) and 0.0 < self.alpha < np.inf):
            raise ValueError(f"lambda (alpha) must be positive, not {self.alpha}")
        check_whole("batch_size", self.batch_size)

    def settled(self, n_atoms):
        """The same: nothing depends on the number of atoms."""
        return self

    def constrain(self, W):
        """Give the atoms unit norm, in place."""
        normalise_atoms(W)

    def learner(self, W, n_presented):
        """The learner that starts from a dictionary."""
        return Learner(W, self)


class Learner:
    """A dictionary on its way, and what it remembers of the samples."""

    REMEDY = "scale the samples down"

    def __init__(self, W, parameters):
        n_atoms, d = W.shape
        self.W, self.parameters = W, parameters
        self.state = {
            "A": np.zeros((n_atoms, n_atoms), W.dtype),
            "B": np.zeros((n_atoms, d), W.dtype),
            "batches": np.zeros(1, np.int64),
        }

    def learn(self, samples, indices, epoch, stream):
        """Present samples in order; the mean objective and the mean number of nonzeros."""
        W, size = self.W, self.parameters.batch_size
        A, B, batches = self.state.values()
        room = Room.of(*W.shape, W.dtype)
        totals = np.zeros(2)
        for start in range(0, len(indices), size):
            X = samples.pick(indices[start : start + size], dtype=W.dtype)
            batches += 1
            keep = remembered(int(batches[0]), size)
            A *= W.dtype.type(keep)
            B *= W.dtype.type(keep)
            _code(X, W, self.parameters.alpha, room, A, B, totals)
            move_atoms(W, A, B, room.columns, room.moved)
        self._replace_unused(samples, indices, stream)
        normalise_atoms(W)  # none is longer than 1, but some may be shorter
        objective, nonzeros = totals / len(indices)
        return {"objective": float(objective), "nonzeros": float(nonzeros)}

    def _replace_unused(self, samples, indices, stream):
        """Put samples in the place of atoms that no code uses."""
        A, B, _ = self.state.values()
        used = np.diagonal(A)
        unused = np.flatnonzero(used <= UNUSED * used.mean())
        places = stream.permutation(np.unique(indices))[: unused.size]
        unused = unused[: places.size]
        chosen = np.empty((unused.size, self.W.shape[1]), self.W.dtype)
        samples.pick_scaled(places, chosen)
        usable = chosen.any(axis=1)
        unused, chosen = unused[usable], chosen[usable]
        normalise_atoms(chosen)
        self.W[unused] = chosen
        A[unused] = A[:, unused] = B[unused] = 0


def remembered(batch, size):
    """β: the share of what is remembered that the batch of a number, from 1, leaves."""
    theta = batch * size if batch < size else size * size + batch - size
    return (theta + 1 - size) / (theta + 1)


class Room(NamedTuple):
    """Scratch of the kernels."""

    panels: np.ndarray
    responses: np.ndarray
    gram: np.ndarray
    lasso: LassoRoom
    columns: np.ndarray
    moved: np.ndarray

    @classmethod
    def of(cls, n_atoms, n_features, dtype):
        """Room for dictionaries of a size."""
        panels = new_panels(n_atoms, n_features, dtype)
        columns = new_panels(n_features, n_atoms, dtype)
        return cls(
            panels,
            new_responses(RESPONSES_AT_ONCE, panels),
            new_responses(n_atoms, panels),
            LassoRoom.of(n_atoms, n_features, dtype),
            columns,
            new_responses(n_atoms, columns),
        )


@kernel(inline=True)
def _code(X, W, penalty, room, A, B, totals):
    """Code a batch, and add the means of h hᵀ and h xᵀ to A and B."""
    n = len(W)
    pack(W, room.panels)
    filter_responses(W, room.panels, room.gram)
    places, values, end = room.lasso.places, room.lasso.values, room.lasso.end
    weight = 1.0 / len(X)
    for first in range(0, len(X), RESPONSES_AT_ONCE):
        some = X[first : first + RESPONSES_AT_ONCE]
        filter_responses(some, room.panels, room.responses)
        for s in range(len(some)):
            b = room.responses[s][:n]
            count = lasso_code(b, room.gram, penalty, room.lasso)
            objective = 0.5 * squared_norm(some[s])
            for i in range(count):
                k, value = places[i], values[i]
                objective -= 0.5 * value * (b[k] + end[k]) - penalty * abs(value)
                part = A.dtype.type(weight * value)
                for j in range(count):
                    A[k, places[j]] += part * values[j]
                for j in range(B.shape[1]):
                    B[k, j] += part * some[s, j]
            totals[0] += objective
            totals[1] += count


@kernel(inline=True)
def move_atoms(W, A, B, columns, products):
    """Move each atom to its best place, one after the other.

    The products A W are computed for a few atoms at once, and corrected for those that move before
    their turn comes.
    """
    n = len(W)
    pack_columns(W, columns)
    for first in range(0, n, TILE_ROWS):
        count = min(TILE_ROWS, n - first)
        for p in range(len(columns)):
            if count == TILE_ROWS:
                multiply_tile(A, first, columns, p, products)
            else:
                for j in range(first, n):
                    multiply_row(A, j, columns, p, products)
        for j in range(first, first + count):
            if A[j, j] > 0:
                _move_atom(j, first + count, W, A, B, columns, products)


@kernel(inline=True)
def _move_atom(j, stop, W, A, B, columns, products):
    """Move an atom, and correct the products of those after it, up to `stop`."""
    d, width = W.shape[1], columns.shape[2]
    inverse = 1 / A[j, j]
    squares = 0.0
    for k in range(d):
        products[j, k] = W[j, k] + (B[j, k] - products[j, k]) * inverse
        squares += np.float64(products[j, k]) * np.float64(products[j, k])
    if not squares < np.inf:
        return
    scale = W.dtype.type(1.0 / max(np.sqrt(squares), 1.0))
    for k in range(d):
        new = products[j, k] * scale
        change = new - W[j, k]
        W[j, k] = new
        columns[k // width, j, k % width] = new
        for i in range(j + 1, stop):
            products[i, k] += A[i, j] * change


@kernel(inline=True)
def pack_columns(W, panels):
    """Lay the columns of W into panels, as `pack` does with rows."""
    width = panels.shape[2]
    for j in range(len(W)):
        for k in range(W.shape[1]):
            panels[k // width, j, k % width] = W[j, k]
