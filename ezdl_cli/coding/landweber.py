"""Codes with a target sparseness by projected Landweber iterations (paper, sect. 4.3).

The first iteration is the inference of learning, h = Π(W x). Each further iteration takes a step
that increases the correlation of the approximation x̃ = Wᵀh with x, and projects:

    h' = Π(h + t/|s| · W (x - s x̃)),   s = ⟨x, x̃⟩ / ⟨x̃, x̃⟩   about their means

This is the gradient of the correlation in units that do not depend on scales. Each sample has its
own step size t, which follows the bold driver rule: it grows after a success; after a failure,
where the correlation would decrease, the step is undone and t is halved. A sample has converged
when its step size is tiny.

Samples are processed in batches, so that their responses are one matrix product. No sample
influences another.
"""

from typing import NamedTuple

import numpy as np

from ..core.array_helpers import machine_epsilon
from ..core.jit import kernel
from ..core.linear_algebra import (
    allocate_panels,
    allocate_responses,
    correlation_sums,
    filter_responses,
    pack_rows,
)
from ..core.parameter_validation import check_positive_integer
from ..core.scaling import scale_down, scaling_exponents
from ..core.target_sparseness import TargetSparseness
from ..parallel import for_each_part
from .atom_sums import sum_atoms
from .sparse_projection import FIRST_GUESS, project_to_sparse_code

BATCH_SAMPLES = 64  # their responses and codes fit into a second-level cache
PART_SAMPLES = 4 * BATCH_SAMPLES  # samples of a thread
GROW, SHRINK = 1.1, 0.5  # the usual factors of the bold driver
# Relative to 1 / L, with L the largest squared singular value of W. Twice the limit of plain
# Landweber iterations: the bold driver reduces it where it is too large.
FIRST_STEP = 4.0
CONVERGED_STEP = 1e-5  # relative to the first step: 17 failures without a success
POWER_ITERATIONS = 50  # for L, which need not be exact: the step size adapts


class LandweberCoder(NamedTuple):
    """A dictionary, packed and unpacked, a target sparseness and the initial step size."""

    W: np.ndarray
    panels: np.ndarray
    target: TargetSparseness
    first_step: float

    @classmethod
    def of(cls, W, sparseness):
        """Return a coder for a dictionary (n_atoms, d)."""
        W = scale_down(W, scaling_exponents(W))
        panels = allocate_panels(*W.shape, W.dtype)
        pack_rows(W, panels)
        target = TargetSparseness.of(max(len(W), 2), sparseness)
        return cls(W, panels, target, FIRST_STEP / _largest_squared_singular_value(W))


class LandweberWorkspace(NamedTuple):
    """Memory for a batch of samples.

    Attributes
    ----------
    codes, approximations, residuals, responses
        State of each sample of a batch; the responses are those to the residuals.
    moved, guesses, correlations, scales, steps
        Further state of each sample: whether its last step was a success, the guess of the offset
        (see `sparse_projection`), the correlation, s and t.
    moved_residuals, moved_responses
        The rows of the samples that moved, for the matrix product.
    vector, candidate, support, values, dense
        Memory for one sample: the argument of the projection, its result and approximation.
    """

    codes: np.ndarray
    approximations: np.ndarray
    residuals: np.ndarray
    responses: np.ndarray
    moved: np.ndarray
    moved_residuals: np.ndarray
    moved_responses: np.ndarray
    vector: np.ndarray
    candidate: np.ndarray
    support: np.ndarray
    values: np.ndarray
    dense: np.ndarray
    guesses: np.ndarray
    correlations: np.ndarray
    scales: np.ndarray
    steps: np.ndarray

    @classmethod
    def of(cls, coder):
        """Allocate a workspace for the dictionary of a coder."""
        (n_atoms, d), dtype = coder.W.shape, coder.W.dtype
        return cls(
            np.empty((BATCH_SAMPLES, n_atoms), dtype),
            np.empty((BATCH_SAMPLES, d), dtype),
            np.empty((BATCH_SAMPLES, d), dtype),
            np.empty((BATCH_SAMPLES, n_atoms), dtype),
            np.empty(BATCH_SAMPLES, np.bool_),
            np.empty((BATCH_SAMPLES, d), dtype),
            allocate_responses(BATCH_SAMPLES, coder.panels),
            np.empty(n_atoms, dtype),
            np.empty(d, dtype),
            np.empty(n_atoms + 1, np.int64),
            np.empty(n_atoms + 1, dtype),
            np.empty(n_atoms, dtype),
            np.empty((BATCH_SAMPLES, 1)),
            np.empty(BATCH_SAMPLES),
            np.empty(BATCH_SAMPLES),
            np.empty(BATCH_SAMPLES),
        )


def _largest_squared_singular_value(W):
    """Approximate the largest squared singular value by power iterations.

    By einsum instead of BLAS, whose rounding depends on the number of threads.
    """
    W = W.astype(np.float64)
    v = np.ones(W.shape[1]) + np.arange(W.shape[1]) % 2
    for _ in range(POWER_ITERATIONS):
        v = np.einsum("jk,j->k", W, np.einsum("jk,k->j", W, v))
        length = np.sqrt(np.einsum("k,k->", v, v))
        if not 0.0 < length < np.inf:
            return 1.0
        v /= length
    return length


def landweber_codes(X, W, sparseness, iterations):
    """Compute codes, and the approximations of the samples after given numbers of iterations.

    Parameters
    ----------
    X : ndarray of shape (m, d)
        Samples, one per row.
    W : ndarray of shape (n_atoms, d)
        Atoms, one per row, of the same type.
    sparseness : float
        Target sparseness of the codes.
    iterations : list of int
        Increasing numbers >= 1; the last one is the number of iterations.

    Returns
    -------
    codes : ndarray of shape (m, n_atoms)
        After the last iteration, with unit norm.
    approximations : ndarray of shape (len(iterations), m, d)
    correlations : ndarray of shape (len(iterations), m)
        Minus infinity for a sample or an approximation that is constant.
    """
    for number in iterations:
        check_positive_integer("n_iterations", number)
    X, W = np.ascontiguousarray(X), np.ascontiguousarray(W)
    coder = LandweberCoder.of(W, sparseness)
    codes = np.empty((len(X), len(W)), W.dtype)
    # Parts along the first axis are contiguous: kernels are compiled for one layout only.
    approximations = np.empty((len(X), len(iterations), X.shape[1]), W.dtype)
    correlations = np.empty((len(X), len(iterations)))
    stops = np.asarray(iterations, np.int64)

    def code(part):
        results = codes[part], approximations[part], correlations[part]
        _code_samples(X[part], coder, LandweberWorkspace.of(coder), stops, *results)

    for_each_part(code, len(X), PART_SAMPLES)
    return codes, approximations.swapaxes(0, 1), correlations.T


@kernel(inline=True)
def _code_samples(X, coder, workspace, stops, codes, approximations, correlations):
    """Compute codes batch by batch, with the approximations and correlations at the stops."""
    for first in range(0, len(X), BATCH_SAMPLES):
        batch = X[first : first + BATCH_SAMPLES]
        _initialise(batch, coder, workspace)
        n_recorded = 0
        for iteration in range(1, stops[-1] + 1):
            _update_responses(len(batch), coder, workspace)
            _iterate(batch, coder, workspace)
            if iteration == stops[n_recorded]:
                for i in range(len(batch)):
                    correlations[first + i, n_recorded] = workspace.correlations[i]
                    for k in range(X.shape[1]):
                        approximation = workspace.approximations[i, k]
                        approximations[first + i, n_recorded, k] = approximation
                n_recorded += 1
        for i in range(len(batch)):
            for j in range(codes.shape[1]):
                codes[first + i, j] = workspace.codes[i, j]


@kernel(inline=True)
def _initialise(X, coder, workspace):
    """Start from codes of zeros: the first step leads to the projection of the responses."""
    codes, approximations = workspace.codes, workspace.approximations
    for i in range(len(X)):
        workspace.moved[i] = True
        workspace.guesses[i, 0] = FIRST_GUESS
        workspace.correlations[i] = -np.inf
        workspace.scales[i], workspace.steps[i] = 1.0, coder.first_step
        for j in range(codes.shape[1]):
            codes[i, j] = 0
        for k in range(X.shape[1]):
            approximations[i, k] = 0
            workspace.residuals[i, k] = X[i, k]


@kernel(inline=True)
def _update_responses(m, coder, workspace):
    """Compute the responses to the residuals of the samples whose codes have changed."""
    moved, residuals = workspace.moved, workspace.residuals
    moved_residuals, moved_responses = workspace.moved_residuals, workspace.moved_responses
    responses = workspace.responses
    count = 0
    for i in range(m):
        if moved[i]:
            for k in range(residuals.shape[1]):
                moved_residuals[count, k] = residuals[i, k]
            count += 1
    filter_responses(moved_residuals[:count], coder.panels, moved_responses)
    count = 0
    for i in range(m):
        if moved[i]:
            for j in range(responses.shape[1]):
                responses[i, j] = moved_responses[count, j]
            count += 1


@kernel(inline=True)
def _iterate(X, coder, workspace):
    """Carry out one iteration for all samples of a batch."""
    W, target = coder.W, coder.target
    codes, responses, vector = workspace.codes, workspace.responses, workspace.vector
    support, values, dense = workspace.support, workspace.values, workspace.dense
    candidate, correlations, moved = workspace.candidate, workspace.correlations, workspace.moved
    guesses, scales, steps = workspace.guesses, workspace.scales, workspace.steps
    n = len(W)
    for i in range(len(X)):
        moved[i] = False
        if steps[i] < CONVERGED_STEP * coder.first_step:
            continue
        # Step along the gradient, project, and approximate the sample.
        factor = W.dtype.type(steps[i] / abs(scales[i]))
        for j in range(n):
            vector[j] = codes[i, j] + factor * responses[i, j]
        count = project_to_sparse_code(vector, target, guesses[i], support, values, dense)
        sum_atoms(W, support, values, count, candidate)
        x = X[i]
        correlation, scale, offset = _compare(x, candidate)
        # A failure: keep the code, try a smaller step next time. Also if the correlation is NaN.
        if not correlation >= correlations[i]:
            steps[i] *= SHRINK
            continue
        # A success: accept the code.
        moved[i] = True
        steps[i] *= GROW
        correlations[i], scales[i] = correlation, scale
        for j in range(n):
            codes[i, j] = 0
        for c in range(count):
            codes[i, support[c]] = values[c]
        residual, approximation = workspace.residuals[i], workspace.approximations[i]
        _accept(x, candidate, scale, offset, approximation, residual)


@kernel(inline=True)
def _accept(x, candidate, scale, offset, approximation, residual):
    """Store an approximation and the residual x - scale · approximation - offset."""
    a, b = x.dtype.type(scale), x.dtype.type(offset)
    for k in range(x.size):
        approximation[k] = candidate[k]
    for k in range(x.size):
        residual[k] = x[k] - a * candidate[k] - b


@kernel(inline=True)
def _compare(x, y):
    """Return the correlation, or NaN, and the coefficients of the line a y + b nearest to x."""
    d = float(x.size)
    sum_x, sum_y, raw_x, raw_y, product = correlation_sums(x, y)
    squares_x = raw_x - sum_x * sum_x / d
    squares_y = raw_y - sum_y * sum_y / d
    product -= sum_x * sum_y / d
    # A vector is constant if its variance is only rounding.
    rounding = d * machine_epsilon(x)
    if not (squares_x > rounding * raw_x and squares_y > rounding * raw_y):
        return np.nan, 1.0, 0.0
    scale = product / squares_y
    return product / np.sqrt(squares_x * squares_y), scale, (sum_x - scale * sum_y) / d
