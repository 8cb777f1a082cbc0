"""Easy Dictionary Learning, EZDL (paper, sect. 3, Algorithm 3).

For a sample x the filter responses u = W x give a sparse code h = I(u) by an inference model; the
approximation is x̃ = Wᵀ h (atoms are rows here), and W ascends the correlation coefficient ρ(x̃, x):

    W += η h gᵀ,   g = (x - x̄) / √(λμ) - ρ (x̃ - mean x̃) / λ

with λ and μ the sums of squares of x̃ and x about their means, and η = η₀/ν in epoch ν. The paper
writes the update with a minus, which would make the correlation smaller. After an epoch the atoms
are made sparse or of low rank if wanted, and of unit norm.

The responses of a batch are computed at once, as a product of matrices, and those of later samples
are corrected when an earlier one changes W: the update is known, W += h ⊗ η g, so that u of a later
sample y grows by h (η g·y). The result is that of one sample after the other, up to rounding.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..coding.inference import Model, Scratch, infer
from ..coding.moments import moments
from ..coding.responses import filter_responses, new_panels, new_responses, pack, products
from ..core.jit import kernel
from .atoms import constrain, patch_side

PICKED_AT_ONCE = 1024
BATCH = 64
NEGLIGIBLE_NOISE = 1e-3
LARGEST_STEP = 1e6
FEW = 4


@dataclass(frozen=True)
class Parameters:
    """What EZDL can be told.

    Attributes
    ----------
    sparseness : float
        σ_H of the codes, between 0 and 1.
    step_size : float
        η₀.
    inference : "ordinary", "topographic" or "rank"
    grid : (int, int), optional
        Rows and columns of the atoms' layout for the last two [nearest to a square].
    pooling : int
        Width of the neighbourhood that "topographic" averages over.
    code_rank : int
        κ_H of "rank".
    atom_sparseness : float, optional
        σ_W of the atoms.
    atom_rank : int, optional
        κ_W of the atoms as square patches.
    noise : float
        Standard deviation of the noise on codes, which have unit norm, in the first epoch; below
        0.001 it is left out.
    noise_decay : float
        Factor of the noise from epoch to epoch.
    """

    sparseness: float = 0.85
    step_size: float = 1.0
    inference: str = "ordinary"
    grid: tuple | None = None
    pooling: int = 3
    code_rank: int = 1
    atom_sparseness: float | None = None
    atom_rank: int | None = None
    noise: float = 0.0
    noise_decay: float = 0.9

    def check(self, n_atoms, n_features):
        """Raise ValueError if the parameters are out of range or do not fit the dictionary."""
        self.model(n_atoms)
        if not 0.0 < self.step_size <= LARGEST_STEP:
            raise ValueError(
                f"step_size must be positive and at most {LARGEST_STEP:g}, not {self.step_size}"
            )
        if self.atom_sparseness is not None and not 0.0 < self.atom_sparseness < 1.0:
            raise ValueError(f"atom_sparseness must be between 0 and 1, not {self.atom_sparseness}")
        if self.atom_rank is not None:
            side = patch_side(n_features)
            if not 1 <= self.atom_rank <= side:
                raise ValueError(f"atom_rank must be 1 to {side}, not {self.atom_rank}")
        if not (0.0 <= self.noise < np.inf and 0.0 <= self.noise_decay <= 1.0):
            raise ValueError("noise must not be negative, and noise_decay must be 0 to 1")

    def settled(self, n_atoms):
        """The same with the grid that is taken if none is given."""
        if self.inference == "ordinary":
            return self
        model = self.model(n_atoms)
        return replace(self, grid=(model.rows, model.columns))

    def constrain(self, W):
        """Give the atoms unit norm, and the sparseness or the rank that is wanted; in place."""
        constrain(W, self.atom_sparseness, self.atom_rank)

    def learner(self, W, n_presented):
        """The learner that starts from a dictionary."""
        return Learner(W, self)

    def model(self, n_atoms):
        """The inference model."""
        return Model.of(
            n_atoms, self.sparseness, self.inference, self.grid, self.pooling, self.code_rank
        )


class Learner:
    """A dictionary on its way; it is all that EZDL remembers."""

    REMEDY = "take a smaller step size"

    def __init__(self, W, parameters):
        self.W, self.parameters = W, parameters
        self.state = {}

    def learn(self, samples, indices, epoch, stream):
        """Present samples in order; the mean correlation with their approximations.

        Parameters
        ----------
        samples : Samples
        indices : array (m,) of int
            Which samples, in order.
        epoch : int
            ν, from 1.
        stream : numpy.random.Generator
            For the noise, if there is any.
        """
        W, parameters = self.W, self.parameters
        n_atoms, d = W.shape
        model = parameters.model(n_atoms)
        scratch = Scratch.of(model, W.dtype)
        eta = parameters.step_size / epoch
        noise = parameters.noise * parameters.noise_decay ** (epoch - 1)
        X = np.empty((min(PICKED_AT_ONCE, len(indices)), d), W.dtype)
        disturbance = np.empty((0, n_atoms), W.dtype)
        room = Room.of(n_atoms, d, W.dtype)
        total = 0.0
        for start in range(0, len(indices), PICKED_AT_ONCE):
            some = indices[start : start + PICKED_AT_ONCE]
            picked = samples.pick_scaled(some, X[: len(some)])
            if noise >= NEGLIGIBLE_NOISE:
                drawn = stream.standard_normal((len(some), n_atoms))
                disturbance = (noise * drawn).astype(W.dtype)
            total += _learn(picked, W, eta, disturbance, model, scratch, room)
        parameters.constrain(W)
        return {"correlation": total / len(indices)}


class Room(NamedTuple):
    """Scratch of the learning kernel."""

    panels: np.ndarray
    responses: np.ndarray
    approximation: np.ndarray
    gradient: np.ndarray
    changes: np.ndarray

    @classmethod
    def of(cls, n_atoms, n_features, dtype):
        """Room for dictionaries of a size."""
        panels = new_panels(n_atoms, n_features, dtype)
        return cls(
            panels,
            new_responses(BATCH, panels),
            np.empty(n_features, dtype),
            np.empty(n_features, dtype),
            np.empty(BATCH, dtype),
        )


@kernel(inline=True)
def _learn(X, W, eta, noise, model, scratch, room):
    """Learn from samples; the sum of the correlations."""
    total = 0.0
    for first in range(0, len(X), BATCH):
        batch = X[first : first + BATCH]
        responses = room.responses[: len(batch)]
        pack(W, room.panels)
        filter_responses(batch, room.panels, responses)
        disturbance = noise[first : first + BATCH]
        total += _learn_batch(batch, responses, W, eta, disturbance, model, scratch, room)
    return total


@kernel(inline=True)
def _learn_batch(X, U, W, eta, noise, model, scratch, room):
    """Learn from a batch whose responses are given; the sum of the correlations."""
    places, values, gradient = scratch.places, scratch.values, room.gradient
    total = 0.0
    for s in range(len(X)):
        count = infer(U[s][: len(W)], model, scratch)
        if len(noise) > 0:
            count = _disturb(count, places, values, scratch.dense, noise[s])
        _approximate(W, places, values, count, room.approximation)
        correlation = _ascend(X[s], room.approximation, eta, gradient)
        if np.isnan(correlation):
            continue
        total += correlation
        for i in range(count):
            _add_scaled(W[places[i]], values[i], gradient)
        products(gradient, X[s + 1 :], room.changes)
        _correct(U[s + 1 :], room.changes, places, values, count)
    return total


@kernel(inline=True)
def _correct(U, changes, places, values, count):
    """Add the change of each later response: the outer product of changes and code."""
    if count <= FEW:  # down the columns: the loops are longer
        for i in range(count):
            place, value = places[i], values[i]
            for t in range(len(U)):
                U[t, place] += changes[t] * value
    else:  # along the rows: fewer lines of the cache
        for t in range(len(U)):
            change, responses = changes[t], U[t]
            for i in range(count):
                responses[places[i]] += change * values[i]


@kernel(inline=True)
def _disturb(count, places, values, dense, noise):
    """Add noise to a code; number of its nonzeros, which are then all entries."""
    dense[:] = noise
    for i in range(count):
        dense[places[i]] += values[i]
    for j in range(dense.size):
        places[j] = j
        values[j] = dense[j]
    return dense.size


@kernel(inline=True)
def _approximate(W, places, values, count, out):
    """Wᵀ h for a code of a few nonzeros."""
    out[:] = 0
    for i in range(count):
        _add_scaled(out, values[i], W[places[i]])


@kernel(inline=True)
def _ascend(x, approximation, eta, out):
    """Correlation of x with its approximation, or NaN, and η times its gradient."""
    d = float(x.size)
    ones_a, ones_x, raw_a, raw_x, product = moments(approximation, x)
    squares_a = raw_a - ones_a * ones_a / d
    squares_x = raw_x - ones_x * ones_x / d
    rounding = d * np.finfo(x.dtype).eps
    if not (squares_a > rounding * raw_a and squares_x > rounding * raw_x):
        return np.nan
    root = np.sqrt(squares_a) * np.sqrt(squares_x)
    correlation = (product - ones_a * ones_x / d) / root
    of_x = eta / root
    of_a = -eta * correlation / squares_a
    _combine(x, approximation, of_x, of_a, -(of_x * ones_x + of_a * ones_a) / d, out)
    return correlation


@kernel(inline=True)
def _combine(x, y, a, b, c, out):
    """a x + b y + c"""
    a, b, c = x.dtype.type(a), x.dtype.type(b), x.dtype.type(c)
    for k in range(x.size):
        out[k] = a * x[k] + b * y[k] + c


@kernel(inline=True)
def _add_scaled(out, factor, x):
    for k in range(x.size):
        out[k] += factor * x[k]
