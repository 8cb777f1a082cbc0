"""The Recursive Least Squares Dictionary Learning Algorithm, RLS-DLA (Skretting and Engan 2010).

Each sample gets an ORMP code w of few nonzeros from the dictionary D (atoms are columns here), and
D becomes at once the best one for all samples and codes so far, the older of which count less by a
factor of λ each time:

    r = x - D w,   u = C w / λ,   a = 1 / (1 + wᵀu),   D += a r uᵀ,   C = C / λ - a u uᵀ

where C is the inverse of the codes' second moments. λ rises from its first value to 1 as a cubic
over the whole training. Nothing depends on the lengths of the atoms, since ORMP does not; they are
brought to 1 after an epoch, D to D G and C to G C G with a diagonal G, as the codes would have it.
"""

from dataclasses import dataclass
from numbers import Real
from typing import NamedTuple

import numpy as np

from ..coding.arguments import check_whole, exponents, scaled_down
from ..coding.ormp import OrmpRoom, ormp_code, squared_norm
from ..coding.responses import combine_rows
from ..core.jit import kernel
from .atoms import normalise_atoms
from .inverse_moments import GATHERED, carry_out, limit, times_inverse

PICKED_AT_ONCE = 1024
LARGEST_EXPONENT = 10  # of samples that are taken as they are
GROWTH = 1e6  # of C by forgetting alone, until it is looked after


@dataclass(frozen=True)
class Parameters:
    """What RLS-DLA can be told.

    Attributes
    ----------
    n_nonzero : int
        ζ, the nonzeros of a code.
    forgetting : float
        λ in the beginning.
    """

    n_nonzero: int = 4
    forgetting: float = 0.99

    def check(self, n_atoms, n_features):
        """Raise ValueError if the parameters are out of range or do not fit the dictionary."""
        check_whole("nonzeros (n_nonzero)", self.n_nonzero)
        most = min(n_atoms, n_features)
        if not 1 <= self.n_nonzero <= most:
            raise ValueError(
                f"nonzeros (n_nonzero) must be 1 to {most} for {n_atoms} atoms of {n_features} "
                f"entries, not {self.n_nonzero}"
            )
        if not (isinstance(self.forgetting, Real) and 0.0 < self.forgetting <= 1.0):
            raise ValueError(f"forgetting must be above 0 and at most 1, not {self.forgetting}")

    def settled(self, n_atoms):
        """The same: nothing depends on the number of atoms."""
        return self

    def constrain(self, W):
        """Give the atoms unit norm, in place."""
        normalise_atoms(W)

    def learner(self, W, n_presented):
        """The learner that starts from a dictionary, to be shown so many samples."""
        return Learner(W, self, n_presented)


class Learner:
    """A dictionary on its way, and the inverse of its codes' second moments."""

    REMEDY = "scale the samples down"

    def __init__(self, W, parameters, n_presented):
        self.W, self.parameters, self.n_presented = W, parameters, n_presented
        self.state = {
            "C": np.eye(len(W)),
            "presented": np.zeros(1, np.int64),
            "exponent": np.zeros(1, np.int64),
        }

    def learn(self, samples, indices, epoch, stream):
        """Present samples in order; the squared norm of the rests as a share of the samples'."""
        n_atoms, d = self.W.shape
        C, presented, exponent = self.state.values()
        D = np.ascontiguousarray(self.W.T)
        room = Room.of(n_atoms, d, self.parameters.n_nonzero, D.dtype)
        totals = np.zeros(2)
        for start in range(0, len(indices), PICKED_AT_ONCE):
            some = indices[start : start + PICKED_AT_ONCE]
            if presented[0] == 0 and not samples.is_pixels:
                exponent[0] = _exponent_of(samples.pick(some, dtype=np.float64))
            X = _scaled(samples, some, exponent[0], D.dtype)
            numbers = presented[0] + np.arange(len(X))
            factors = forgetting(numbers, self.parameters.forgetting, self.n_presented)
            _learn(X, factors, D, C, room, totals)
            presented += len(X)
        scale_atoms(D, C)
        self.W[:] = D.T
        return {"error": float(totals[0] / totals[1]) if totals[1] > 0.0 else 0.0}


def forgetting(number, first, total):
    """λ for samples by their number, from 0: a cubic from `first` to 1 at the `total`-th."""
    return first + (1.0 - first) * (1.0 - np.maximum(1.0 - number / total, 0.0) ** 3)


def _scaled(samples, indices, exponent, dtype):
    """Samples over a power of two."""
    if exponent == 0:
        return samples.pick(indices, dtype=dtype)
    return np.ldexp(samples.pick(indices, dtype=np.float64), -exponent).astype(dtype)


def _exponent_of(X):
    """Binary exponent by which samples are scaled down: 0 unless they are very large or small.

    C starts as the identity, beside which codes must be neither.
    """
    down = exponents(X)
    _, exponent = np.frexp(np.sqrt(np.mean(np.square(scaled_down(X, down)))))
    exponent = exponent + down[0, 0]
    return exponent if abs(exponent) > LARGEST_EXPONENT else 0


def scale_atoms(D, C):
    """Give the atoms, the columns of D, unit norm, and keep C consistent; both in place."""
    lengths = np.sqrt(np.einsum("ij,ij->j", D, D, dtype=np.float64))
    lengths = np.where(lengths > 0.0, lengths, 1.0)
    D /= lengths.astype(D.dtype)
    C /= lengths[:, np.newaxis] * lengths


class Room(NamedTuple):
    """Scratch of the kernel."""

    ormp: OrmpRoom
    responses: np.ndarray
    squares: np.ndarray
    row: np.ndarray
    rest: np.ndarray
    changes: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, n_atoms, n_features, n_nonzero, dtype):
        """Room for dictionaries of a size."""
        return cls(
            OrmpRoom.of(n_atoms, n_features, n_nonzero, dtype),
            np.empty(n_atoms, dtype),
            np.empty(n_atoms, dtype),
            np.empty(n_atoms, dtype),
            np.empty(n_features, dtype),
            np.zeros((GATHERED, n_atoms)),
            np.zeros(GATHERED),
        )


@kernel(inline=True)
def _learn(X, factors, D, C, room, totals):
    """Learn from samples; adds the squared norms of the rests and of the samples to `totals`."""
    responses, squares, row, rest = room.responses, room.squares, room.row, room.rest
    changes, weights = room.changes, room.weights
    places, values, to_rest = room.ormp.places, room.ormp.values, room.ormp.responses
    _squares_of_columns(D, squares)
    gathered, factor, growth = 0, 1.0, 1.0
    for s in range(len(X)):
        x = X[s]
        energy = squared_norm(x)
        combine_rows(x, D, responses)
        count = ormp_code(responses, D[:0], D, squares, energy, 0.0, room.ormp)
        for k in range(rest.size):
            rest[k] = x[k]
            for i in range(count):
                rest[k] -= values[i] * D[k, places[i]]
        energy_of_rest = squared_norm(rest)
        totals[0] += energy_of_rest
        totals[1] += energy
        factor /= factors[s]
        growth /= factors[s]
        for i in range(gathered):
            weights[i] /= factors[s]
        scale = times_inverse(C, factor, changes, weights, gathered, places, values, count)
        weights[gathered] = scale
        _improve(D, scale, rest, changes, gathered, row)
        _update_squares(squares, row, to_rest, energy_of_rest)
        gathered += 1
        if gathered == GATHERED or growth > GROWTH or s == len(X) - 1:
            carry_out(C, factor, changes, weights)
            gathered, factor = 0, 1.0
            weights[:] = 0.0
        if growth > GROWTH:
            limit(C)
            growth = 1.0
    limit(C)


@kernel(inline=True)
def _squares_of_columns(D, out):
    out[:] = 0
    for k in range(len(D)):
        for j in range(out.size):
            out[j] += D[k, j] * D[k, j]


@kernel(inline=True)
def _improve(D, scale, rest, changes, which, row):
    """D += scale rest uᵀ for one of the changes u; scale u is left in `row`."""
    for j in range(row.size):
        row[j] = scale * changes[which, j]
    for k in range(rest.size):
        for j in range(row.size):
            D[k, j] += rest[k] * row[j]


@kernel(inline=True)
def _update_squares(squares, row, to_rest, energy):
    """Squared norms of atoms that grew by row_j times a rest, to which they had responses."""
    whole = squares.dtype.type(energy)
    for j in range(squares.size):
        squares[j] += row[j] * (2 * to_rest[j] + row[j] * whole)
