"""Online Dictionary Learning, ODL (Mairal, Bach, Ponce and Sapiro 2009, 2010).

Batch by batch, samples get lasso codes h, which are accumulated in A ≈ mean of h hᵀ and B ≈ mean of
h xᵀ; earlier batches are discounted by β = (1 - 1/t)^ρ in batch t. Then each atom in turn moves to
the minimum of the error that A and B imply, all others fixed:

    u = w_j + (b_j - Wᵀ a_j) / A_jj,   w_j = u / max(‖u‖, 1)

After each epoch, atoms that no code has used are replaced by samples.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..coding.homotopy import LassoWorkspace, lasso_code
from ..core.jit import kernel
from ..core.linear_algebra import (
    allocate_panels,
    allocate_responses,
    filter_responses,
    pack_rows,
    squared_norm,
)
from ..core.parameter_validation import as_number, check_positive_integer
from ..core.simd import TILE_ROWS, multiply_row, multiply_tile
from .atoms import normalise_atoms
from .learner import Learner, LearnerParameters

CHUNK_SAMPLES = 64  # samples whose responses are computed together
# ρ: batch s counts (s/t)^ρ times as much as batch t, because its codes are those of an older
# dictionary. With 5, the objective on held-out samples is at most 0.1 % above that of SPAMS (8
# epochs of 27 648 patches, λ from 0.5 to 5); with 1, it is 1 % above it for λ = 0.5.
DISCOUNT_EXPONENT = 5
UNUSED = 1e-6  # an atom is unused if its entry of A's diagonal is below this share of their mean


@dataclass(frozen=True)
class ODLParameters(LearnerParameters):
    """Parameters of ODL and their defaults."""

    alpha: float = 2.0
    """λ in the paper, the penalty of the lasso, for samples of unit variance."""
    batch_size: int = 512
    """Number of samples between two updates of the dictionary."""

    def check(self, n_atoms, n_features):
        """Raise ValueError if a parameter is out of range."""
        if not 0.0 < as_number("alpha", self.alpha) < np.inf:
            raise ValueError(f"alpha must be positive, not {self.alpha}")
        check_positive_integer("batch_size", self.batch_size)

    def learner(self, W, n_samples_total):
        """Return the learner that starts from the dictionary W."""
        return ODLLearner(W, self)


class ODLLearner(Learner):
    """ODL; its state is A, B and the number of batches so far."""

    def __init__(self, W, parameters):
        n_atoms, d = W.shape
        state = {
            "A": np.zeros((n_atoms, n_atoms), W.dtype),
            "B": np.zeros((n_atoms, d), W.dtype),
            "batches": np.zeros(1, np.int64),
        }
        super().__init__(W, parameters, state)

    def learn(self, samples, indices, epoch, rng):
        """Learn from samples in order; return the mean objective and number of nonzeros."""
        W, size = self.W, self.parameters.batch_size
        A, B, batches = self.state.values()
        workspace = ODLWorkspace.of(*W.shape, W.dtype)
        totals = np.zeros(2)
        for start in range(0, len(indices), size):
            X = samples.pick(indices[start : start + size], dtype=W.dtype)
            batches += 1
            beta = W.dtype.type(discount(int(batches[0]), DISCOUNT_EXPONENT))
            A *= beta
            B *= beta
            _accumulate(X, W, self.parameters.alpha, workspace, A, B, totals)
            update_atoms(W, A, B, workspace.columns, workspace.products)
        self._replace_unused(samples, indices, rng)
        normalise_atoms(W)  # norms are at most 1 so far
        objective, nonzeros = totals / len(indices)
        return {"objective": float(objective), "nonzeros": float(nonzeros)}

    def _replace_unused(self, samples, indices, rng):
        """Replace atoms that no code uses by random samples of the epoch."""
        A, B, _ = self.state.values()
        usage = np.diagonal(A)
        unused = np.flatnonzero(usage <= UNUSED * usage.mean())
        drawn = rng.permutation(np.unique(indices))[: unused.size]
        unused = unused[: drawn.size]
        atoms = np.empty((unused.size, self.W.shape[1]), self.W.dtype)
        samples.pick_scaled(drawn, atoms)
        nonzero = atoms.any(axis=1)
        unused, atoms = unused[nonzero], atoms[nonzero]
        normalise_atoms(atoms)
        self.W[unused] = atoms
        A[unused] = A[:, unused] = B[unused] = 0


def discount(batch, exponent):
    """Return β, the factor of A and B before batch number `batch`, from 1."""
    return (1 - 1 / batch) ** exponent


class ODLWorkspace(NamedTuple):
    """Arrays that the kernels work in."""

    panels: np.ndarray
    responses: np.ndarray
    gram: np.ndarray
    lasso: LassoWorkspace
    columns: np.ndarray
    products: np.ndarray

    @classmethod
    def of(cls, n_atoms, n_features, dtype):
        """Allocate the workspace for a dictionary."""
        panels = allocate_panels(n_atoms, n_features, dtype)
        columns = allocate_panels(n_features, n_atoms, dtype)
        return cls(
            panels,
            allocate_responses(CHUNK_SAMPLES, panels),
            allocate_responses(n_atoms, panels),
            LassoWorkspace.of(n_atoms, n_features, dtype),
            columns,
            allocate_responses(n_atoms, columns),
        )


@kernel(inline=True)
def _accumulate(X, W, penalty, workspace, A, B, totals):
    """Encode a batch and add the means of h hᵀ and h xᵀ to A and B."""
    n = len(W)
    pack_rows(W, workspace.panels)
    filter_responses(W, workspace.panels, workspace.gram)
    lasso = workspace.lasso
    support, values, end = lasso.support, lasso.values, lasso.residual_responses
    weight = 1.0 / len(X)
    for first in range(0, len(X), CHUNK_SAMPLES):
        chunk = X[first : first + CHUNK_SAMPLES]
        filter_responses(chunk, workspace.panels, workspace.responses)
        for s in range(len(chunk)):
            b = workspace.responses[s][:n]
            count = lasso_code(b, workspace.gram, penalty, lasso)
            # The objective from the responses to x (b) and to the residual (end).
            objective = 0.5 * squared_norm(chunk[s])
            for i in range(count):
                k, value = support[i], values[i]
                objective -= 0.5 * value * (b[k] + end[k]) - penalty * abs(value)
                part = A.dtype.type(weight * value)
                for j in range(count):
                    A[k, support[j]] += part * values[j]
                for j in range(B.shape[1]):
                    B[k, j] += part * chunk[s, j]
            totals[0] += objective
            totals[1] += count


@kernel(inline=True)
def update_atoms(W, A, B, columns, products):
    """Move each atom in turn to the minimum of the error, in place.

    The products A W are computed for a few atoms at a time, and corrected for those atoms among
    them that have moved. `columns` and `products` are workspace.
    """
    n = len(W)
    pack_rows(W.T, columns)
    for first in range(0, n, TILE_ROWS):
        # Products of the next few rows of A with the current W.
        count = min(TILE_ROWS, n - first)
        for p in range(len(columns)):
            if count == TILE_ROWS:
                multiply_tile(A, first, columns, p, products)
            else:
                for j in range(first, n):
                    multiply_row(A, j, columns, p, products)
        for j in range(first, first + count):
            if A[j, j] > 0:
                _update_atom(j, first + count, W, A, B, columns, products)


@kernel(inline=True)
def _update_atom(j, stop, W, A, B, columns, products):
    """Move atom j, and correct the products of the following atoms up to `stop`."""
    d, width = W.shape[1], columns.shape[2]
    # The minimum u, in place of the products, and its norm.
    inverse = 1 / A[j, j]
    squares = 0.0
    for k in range(d):
        products[j, k] = W[j, k] + (B[j, k] - products[j, k]) * inverse
        squares += np.float64(products[j, k]) * np.float64(products[j, k])
    if not squares < np.inf:
        return
    # Projection onto the unit ball.
    scale = W.dtype.type(1.0 / max(np.sqrt(squares), 1.0))
    for k in range(d):
        new = products[j, k] * scale
        change = new - W[j, k]
        W[j, k] = new
        columns[k // width, j, k % width] = new
        for i in range(j + 1, stop):
            products[i, k] += A[i, j] * change
