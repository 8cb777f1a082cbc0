"""Easy Dictionary Learning, EZDL (paper, sect. 3, Algorithm 1).

For a sample x the filter responses u = W x give a sparse code h = I(u) by an inference model; the
approximation is x̃ = Wᵀ h (atoms are rows here), and W ascends the correlation coefficient ρ(x̃, x):

    W += η h gᵀ,   g = (x - x̄) / √(λμ) - ρ (x̃ - mean x̃) / λ

with λ and μ the sums of squares of x̃ and x about their means, and η = η₀/ν in epoch ν. The paper
writes the update with a minus sign, which would lower the correlation. After each epoch the
constraints on the atoms are enforced: sparseness or rank if requested, and unit norm.

The responses of a batch are computed as one matrix product, and those of later samples are
corrected when an earlier one changes W: the update is W += h ⊗ η g, so that u of a later sample y
grows by h (η g·y). Up to rounding, the result is that of one sample after the other.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..coding.inference import InferenceModel, InferenceWorkspace, infer_code
from ..core.jit import kernel
from ..core.linear_algebra import (
    allocate_panels,
    allocate_responses,
    correlation_sums,
    dot_rows,
    filter_responses,
    pack_rows,
)
from ..core.patch_shape import patch_side
from ..core.projection import project
from .atoms import normalise_atoms, truncate_rank
from .learner import Learner, LearnerParameters

CHUNK_SAMPLES = 1024  # samples in memory, a multiple of BATCH
BATCH = 64  # samples whose responses are computed together: 64 KiB for 256 atoms in float32
NEGLIGIBLE_NOISE = 1e-3  # relative to codes of unit norm
MAX_STEP_SIZE = 1e6  # far above useful ones (1 in the paper), far below overflow
MAX_COLUMN_NONZEROS = 4  # for more, loops over rows need fewer cache lines


@dataclass(frozen=True)
class EZDLParameters(LearnerParameters):
    """Parameters of EZDL and their defaults."""

    sparseness: float = 0.85
    """σ_H, Hoyer's sparseness of the codes, between 0 and 1."""
    step_size: float = 1.0
    """η₀, the step size in the first epoch."""
    inference: str = "ordinary"
    """Inference model: "ordinary", "topographic" or "rank"."""
    grid: tuple | None = None
    """Rows and columns of the atoms' layout for the last two; None is as square as possible."""
    pooling: int = 3
    """Width of the neighbourhood that "topographic" averages over, odd."""
    code_rank: int = 1
    """κ_H, the rank of the codes on the grid for "rank"."""
    atom_sparseness: float | None = None
    """σ_W, Hoyer's sparseness of the atoms, if they are to be sparse."""
    atom_rank: int | None = None
    """κ_W, the rank of the atoms as square patches, if it is to be limited."""
    noise: float = 0.0
    """Standard deviation of the noise added to codes in the first epoch; they have unit norm."""
    noise_decay: float = 0.9
    """Factor applied to the noise after each epoch; below 0.001 no noise is added."""

    def check(self, n_atoms, n_features):
        """Raise ValueError if a parameter is out of range or does not fit the dictionary."""
        self.model(n_atoms)
        if not 0.0 < self.step_size <= MAX_STEP_SIZE:
            raise ValueError(
                f"step_size must be positive and at most {MAX_STEP_SIZE:g}, not {self.step_size}"
            )
        if self.atom_sparseness is not None and not 0.0 < self.atom_sparseness < 1.0:
            raise ValueError(f"atom_sparseness must be between 0 and 1, not {self.atom_sparseness}")
        if self.atom_rank is not None:
            side = patch_side(n_features)
            if not 1 <= self.atom_rank <= side:
                raise ValueError(f"atom_rank must be 1 to {side}, not {self.atom_rank}")
        if not 0.0 <= self.noise < np.inf:
            raise ValueError(f"noise must not be negative, but is {self.noise}")
        if not 0.0 <= self.noise_decay <= 1.0:
            raise ValueError(f"noise_decay must be 0 to 1, not {self.noise_decay}")

    def resolve(self, n_atoms):
        """Return the parameters with the actual grid in place of None."""
        if self.inference == "ordinary":
            return self
        model = self.model(n_atoms)
        return replace(self, grid=(model.rows, model.columns))

    def constrain(self, W):
        """Give the atoms unit norm and, if requested, a sparseness or a rank; in place."""
        normalise_atoms(W)
        if self.atom_sparseness is not None:
            project(W, self.atom_sparseness, norm=1.0, out=W)
        if self.atom_rank is not None:
            truncate_rank(W, self.atom_rank)
            normalise_atoms(W)

    def learner(self, W, n_samples_total):
        """Return the learner that starts from the dictionary W."""
        return EZDLLearner(W, self)

    def model(self, n_atoms):
        """Return the inference model."""
        return InferenceModel.of(
            n_atoms, self.sparseness, self.inference, self.grid, self.pooling, self.code_rank
        )


class EZDLLearner(Learner):
    """EZDL; the dictionary is its entire state."""

    REMEDY = "use a smaller step size"

    def learn(self, samples, indices, epoch, rng):
        """Learn from samples in order; return their mean correlation with approximations."""
        W, parameters = self.W, self.parameters
        n_atoms, d = W.shape
        model = parameters.model(n_atoms)
        scratch = InferenceWorkspace.of(model, W.dtype)
        eta = parameters.step_size / epoch
        sigma = parameters.noise * parameters.noise_decay ** (epoch - 1)
        X = np.empty((min(CHUNK_SAMPLES, len(indices)), d), W.dtype)
        noise = np.empty((0, n_atoms), W.dtype)
        workspace = EZDLWorkspace.of(n_atoms, d, W.dtype)
        total = 0.0
        for start in range(0, len(indices), CHUNK_SAMPLES):
            chunk = indices[start : start + CHUNK_SAMPLES]
            picked = samples.pick_scaled(chunk, X[: len(chunk)])
            if sigma >= NEGLIGIBLE_NOISE:
                noise = (sigma * rng.standard_normal((len(chunk), n_atoms))).astype(W.dtype)
            total += _learn(picked, W, eta, noise, model, scratch, workspace)
        parameters.constrain(W)
        return {"correlation": total / len(indices)}


class EZDLWorkspace(NamedTuple):
    """Arrays that the kernels work in."""

    panels: np.ndarray
    responses: np.ndarray
    approximation: np.ndarray
    gradient: np.ndarray
    changes: np.ndarray

    @classmethod
    def of(cls, n_atoms, n_features, dtype):
        """Allocate the workspace for a dictionary."""
        panels = allocate_panels(n_atoms, n_features, dtype)
        return cls(
            panels,
            allocate_responses(BATCH, panels),
            np.empty(n_features, dtype),
            np.empty(n_features, dtype),
            np.empty(BATCH, dtype),
        )


@kernel(inline=True)
def _learn(X, W, eta, noise, model, scratch, workspace):
    """Learn from samples batch by batch; return the sum of their correlations."""
    total = 0.0
    for first in range(0, len(X), BATCH):
        batch = X[first : first + BATCH]
        responses = workspace.responses[: len(batch)]
        pack_rows(W, workspace.panels)
        filter_responses(batch, workspace.panels, responses)
        batch_noise = noise[first : first + BATCH]
        total += _learn_batch(batch, responses, W, eta, batch_noise, model, scratch, workspace)
    return total


@kernel(inline=True)
def _learn_batch(X, U, W, eta, noise, model, scratch, workspace):
    """Learn from a batch with responses U; return the sum of the correlations."""
    support, values, gradient = scratch.support, scratch.values, workspace.gradient
    total = 0.0
    for s in range(len(X)):
        # The code h, with noise if there is any.
        count = infer_code(U[s][: len(W)], model, scratch)
        if len(noise) > 0:
            count = _add_noise(count, support, values, scratch.dense, noise[s])
        # The approximation x̃, its correlation with x, and η g.
        _approximate(W, support, values, count, workspace.approximation)
        correlation = _scaled_gradient(X[s], workspace.approximation, eta, gradient)
        if np.isnan(correlation):
            continue
        total += correlation
        # W += h ⊗ η g, and the same change of the responses of later samples.
        for i in range(count):
            _add_scaled(W[support[i]], values[i], gradient)
        dot_rows(gradient, X[s + 1 :], workspace.changes)
        _correct_responses(U[s + 1 :], workspace.changes, support, values, count)
    return total


@kernel(inline=True)
def _correct_responses(U, changes, support, values, count):
    """Add the outer product of `changes` and the code to the responses of later samples."""
    if count <= MAX_COLUMN_NONZEROS:  # down the columns: longer loops
        for i in range(count):
            j, value = support[i], values[i]
            for t in range(len(U)):
                U[t, j] += changes[t] * value
    else:  # along the rows: fewer cache lines
        for t in range(len(U)):
            change, responses = changes[t], U[t]
            for i in range(count):
                responses[support[i]] += change * values[i]


@kernel(inline=True)
def _add_noise(count, support, values, dense, noise):
    """Add noise to a code and return the number of its nonzeros: all entries."""
    dense[:] = noise
    for i in range(count):
        dense[support[i]] += values[i]
    for j in range(dense.size):
        support[j] = j
        values[j] = dense[j]
    return dense.size


@kernel(inline=True)
def _approximate(W, support, values, count, out):
    """Compute Wᵀ h for a sparse code."""
    out[:] = 0
    for i in range(count):
        _add_scaled(out, values[i], W[support[i]])


@kernel(inline=True)
def _scaled_gradient(x, approximation, eta, out):
    """Compute η g; return the correlation, or NaN if x or x̃ has no variance but rounding."""
    d = float(x.size)
    # λ and μ, the sums of squares about the means, from raw moments.
    sum_a, sum_x, raw_a, raw_x, product = correlation_sums(approximation, x)
    squares_a = raw_a - sum_a * sum_a / d
    squares_x = raw_x - sum_x * sum_x / d
    rounding = d * np.finfo(x.dtype).eps
    if not (squares_a > rounding * raw_a and squares_x > rounding * raw_x):
        return np.nan
    root = np.sqrt(squares_a) * np.sqrt(squares_x)
    correlation = (product - sum_a * sum_x / d) / root
    # g is a combination of x, x̃ and 1, which removes the means.
    of_x = eta / root
    of_a = -eta * correlation / squares_a
    offset = x.dtype.type(-(of_x * sum_x + of_a * sum_a) / d)
    a, b = x.dtype.type(of_x), x.dtype.type(of_a)
    for k in range(x.size):
        out[k] = a * x[k] + b * approximation[k] + offset
    return correlation


@kernel(inline=True)
def _add_scaled(out, factor, x):
    for k in range(x.size):
        out[k] += factor * x[k]
