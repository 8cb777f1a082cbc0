"""The Recursive Least Squares Dictionary Learning Algorithm, RLS-DLA (Skretting and Engan 2010).

Each sample gets an ORMP code w with few nonzeros from the dictionary D (atoms are columns here),
and D becomes the least-squares dictionary for all samples and codes so far, where earlier ones are
discounted by a forgetting factor λ each time:

    r = x - D w,   u = C w / λ,   a = 1 / (1 + wᵀu),   D += a r uᵀ,   C = C / λ - a u uᵀ

where C is the inverse of the second moments of the codes. λ rises to 1 as a cubic function over the
entire training, or over a given number of samples. Since ORMP does not depend on the norms of the
atoms, nothing does; after each epoch D becomes D G and C becomes G C G with the diagonal G that
makes the norms 1.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..coding.ormp import OrmpWorkspace, ormp_code
from ..core.jit import kernel
from ..core.linear_algebra import combine_rows, squared_norm
from ..core.parameter_validation import as_number, check_positive_integer
from ..core.scaling import scale_down, scaling_exponents
from .inverse_moments import MAX_PENDING, apply_updates, limit_gain, multiply_inverse
from .learner import Learner, LearnerParameters

CHUNK_SAMPLES = 1024  # samples in memory
MAX_EXPONENT = 10  # samples with a root mean square within 2^±10 are not rescaled
MAX_GROWTH = 1e6  # of C by forgetting alone, before its diagonal is limited again


@dataclass(frozen=True)
class RLSDLAParameters(LearnerParameters):
    """Parameters of RLS-DLA and their defaults."""

    n_nonzero: int = 4
    """ζ, the number of nonzeros of a code."""
    forgetting: float = 0.99
    """λ at the start, above 0 and at most 1."""
    forgetting_samples: int | None = None
    """Number of samples over which λ rises to 1; None is the length of the training."""

    def check(self, n_atoms, n_features):
        """Raise ValueError if a parameter is out of range or does not fit the dictionary."""
        check_positive_integer("n_nonzero", self.n_nonzero)
        maximum = min(n_atoms, n_features)
        if self.n_nonzero > maximum:
            raise ValueError(
                f"n_nonzero must be 1 to {maximum} for {n_atoms} atoms of {n_features} entries, "
                f"not {self.n_nonzero}"
            )
        if not 0.0 < as_number("forgetting", self.forgetting) <= 1.0:
            raise ValueError(f"forgetting must be above 0 and at most 1, not {self.forgetting}")
        if self.forgetting_samples is not None:
            check_positive_integer("forgetting_samples", self.forgetting_samples)

    def learner(self, W, n_samples_total):
        """Return the learner that starts from the dictionary W."""
        return RLSDLALearner(W, self, n_samples_total)


class RLSDLALearner(Learner):
    """RLS-DLA; its state is C, the number of samples so far and their binary exponent."""

    def __init__(self, W, parameters, n_samples_total):
        state = {
            "C": np.eye(len(W)),
            "presented": np.zeros(1, np.int64),
            "exponent": np.zeros(1, np.int64),
        }
        super().__init__(W, parameters, state)
        self.n_samples_total = n_samples_total

    @property
    def forgetting_samples(self):
        """Number of samples over which λ rises to 1."""
        return self.parameters.forgetting_samples or self.n_samples_total

    def learn(self, samples, indices, epoch, rng):
        """Learn from samples in order; return their relative squared error."""
        n_atoms, d = self.W.shape
        C, presented, exponent = self.state.values()
        D = np.ascontiguousarray(self.W.T)
        workspace = RLSDLAWorkspace.of(n_atoms, d, self.parameters.n_nonzero, D.dtype)
        totals = np.zeros(2)
        for start in range(0, len(indices), CHUNK_SAMPLES):
            chunk = indices[start : start + CHUNK_SAMPLES]
            if presented[0] == 0 and not samples.is_pixels:
                exponent[0] = _common_exponent(samples.pick(chunk, dtype=np.float64))
            X = _pick_over_power_of_two(samples, chunk, exponent[0], D.dtype)
            numbers = presented[0] + np.arange(len(X))
            factors = forgetting(numbers, self.parameters.forgetting, self.forgetting_samples)
            _learn(X, factors, D, C, workspace, totals)
            presented += len(X)
        _normalise_columns(D, C)
        self.W[:] = D.T
        return {"error": float(totals[0] / totals[1]) if totals[1] > 0.0 else 0.0}


def forgetting(number, initial, total):
    """Return λ for sample numbers from 0: a cubic from `initial` to 1 at sample `total`."""
    return initial + (1.0 - initial) * (1.0 - np.maximum(1.0 - number / total, 0.0) ** 3)


def _pick_over_power_of_two(samples, indices, exponent, dtype):
    """Return samples divided by 2^exponent."""
    if exponent == 0:
        return samples.pick(indices, dtype=dtype)
    return np.ldexp(samples.pick(indices, dtype=np.float64), -exponent).astype(dtype)


def _common_exponent(X):
    """Return the binary exponent to scale samples down by: 0 unless they are very large or small.

    C starts as the identity, so that codes must not be too far from 1.
    """
    down = scaling_exponents(X)
    _, exponent = np.frexp(np.sqrt(np.mean(np.square(scale_down(X, down)))))
    exponent = exponent + down[0, 0]
    return exponent if abs(exponent) > MAX_EXPONENT else 0


def _normalise_columns(D, C):
    """Give the atoms, the columns of D, unit norm and scale C accordingly; both in place."""
    norms = np.sqrt(np.einsum("ij,ij->j", D, D, dtype=np.float64))
    norms = np.where(norms > 0.0, norms, 1.0)
    D /= norms.astype(D.dtype)
    C /= norms[:, np.newaxis] * norms


class RLSDLAWorkspace(NamedTuple):
    """Arrays that the kernel works in."""

    ormp: OrmpWorkspace
    responses: np.ndarray
    squares: np.ndarray
    row: np.ndarray
    residual: np.ndarray
    updates: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, n_atoms, n_features, n_nonzero, dtype):
        """Allocate the workspace for a dictionary."""
        return cls(
            OrmpWorkspace.of(n_atoms, n_features, n_nonzero, dtype),
            np.empty(n_atoms, dtype),
            np.empty(n_atoms, dtype),
            np.empty(n_atoms, dtype),
            np.empty(n_features, dtype),
            np.zeros((MAX_PENDING, n_atoms)),
            np.zeros(MAX_PENDING),
        )


@kernel(inline=True)
def _learn(X, factors, D, C, workspace, totals):
    """Learn from samples; add the squared norms of residuals and of samples to `totals`."""
    responses, squares, row = workspace.responses, workspace.squares, workspace.row
    residual, updates, weights = workspace.residual, workspace.updates, workspace.weights
    ormp = workspace.ormp
    support, values, residual_responses = ormp.support, ormp.values, ormp.residual_responses
    _squared_column_norms(D, squares)
    n_pending, factor, growth = 0, 1.0, 1.0
    for s in range(len(X)):
        x = X[s]
        # The code of x and its residual r.
        energy = squared_norm(x)
        combine_rows(x, D, responses)
        count = ormp_code(responses, D[:0], D, squares, energy, 0.0, ormp)
        for k in range(residual.size):
            residual[k] = x[k]
            for i in range(count):
                residual[k] -= values[i] * D[k, support[i]]
        residual_energy = squared_norm(residual)
        totals[0] += residual_energy
        totals[1] += energy
        # Division of C by λ: its factor, and the weights of the pending updates.
        factor /= factors[s]
        growth /= factors[s]
        for i in range(n_pending):
            weights[i] /= factors[s]
        # u and a; then D += a r uᵀ, and the squared norms of its columns accordingly.
        scale = multiply_inverse(C, factor, updates, weights, n_pending, support, values, count)
        weights[n_pending] = scale
        _update_dictionary(D, scale, residual, updates, n_pending, row)
        _update_squares(squares, row, residual_responses, residual_energy)
        # C, once there are enough updates.
        n_pending += 1
        if n_pending == MAX_PENDING or growth > MAX_GROWTH or s == len(X) - 1:
            apply_updates(C, factor, updates, weights)
            n_pending, factor = 0, 1.0
            weights[:] = 0.0
        if growth > MAX_GROWTH:
            limit_gain(C)
            growth = 1.0
    limit_gain(C)


@kernel(inline=True)
def _squared_column_norms(D, out):
    """Compute the squared norms of the columns of D."""
    out[:] = 0
    for k in range(len(D)):
        for j in range(out.size):
            out[j] += D[k, j] * D[k, j]


@kernel(inline=True)
def _update_dictionary(D, scale, residual, updates, index, row):
    """Compute D += scale r uᵀ for the update u at `index`; scale u remains in `row`."""
    for j in range(row.size):
        row[j] = scale * updates[index, j]
    for k in range(residual.size):
        for j in range(row.size):
            D[k, j] += residual[k] * row[j]


@kernel(inline=True)
def _update_squares(squares, row, residual_responses, residual_energy):
    """Update the squared norms of atoms d_j that became d_j + row_j r, from ⟨d_j, r⟩ and ‖r‖²."""
    energy = squares.dtype.type(residual_energy)
    for j in range(squares.size):
        squares[j] += row[j] * (2 * residual_responses[j] + row[j] * energy)
