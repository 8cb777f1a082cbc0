"""Codes of a wanted sparseness by projected Landweber iterations (paper, sect. 4.3).

The first iteration is what learning does, h = Π(W x). Each further one takes a step that raises the
correlation of the approximation x̃ = Wᵀh with x, and projects:

    h' = Π(h + t/|s| · W (x - s x̃)),   s = ⟨x, x̃⟩ / ⟨x̃, x̃⟩   about their means

which is the gradient of the correlation in units that do not depend on scales. The step size t is
each sample's own and goes by the bold driver: it grows after a success; a failure, where the
correlation would fall, is taken back and halves it. A sample is settled when only tiny steps are
left.

Samples are coded in batches, for whose responses one product of matrices is enough. None of them
influences another.
"""

from typing import NamedTuple

import numpy as np

from ..core.input_validation import check_positive_integer
from ..core.jit import kernel
from ..core.linear_algebra import (
    allocate_panels,
    allocate_responses,
    correlation_sums,
    filter_responses,
    pack_rows,
)
from ..core.scaling import scale_down, scaling_exponents
from ..core.target_sparseness import TargetSparseness
from .sparse_projection import FIRST_GUESS, project_to_sparse_code

BATCH = 64
GROW, SHRINK = 1.1, 0.5
FIRST_STEP = 4.0  # over the largest squared singular value of W
SETTLED = 1e-5  # share of the first step below which a sample is left as it is
POWER_ROUNDS = 50


class LandweberCoder(NamedTuple):
    """A dictionary and a sparseness as the kernel wants them, and its scratch."""

    W: np.ndarray
    panels: np.ndarray
    target: TargetSparseness
    codes: np.ndarray
    approximations: np.ndarray
    rests: np.ndarray
    responses: np.ndarray
    moved: np.ndarray
    fresh_rests: np.ndarray
    fresh_responses: np.ndarray
    vector: np.ndarray
    candidate: np.ndarray
    support: np.ndarray
    values: np.ndarray
    dense: np.ndarray
    guesses: np.ndarray
    correlations: np.ndarray
    scales: np.ndarray
    steps: np.ndarray
    first_step: float

    @classmethod
    def of(cls, W, sparseness):
        """A coder for a dictionary (n_atoms, d)."""
        W = scale_down(W, scaling_exponents(W))
        n_atoms, d = W.shape
        panels = allocate_panels(n_atoms, d, W.dtype)
        pack_rows(W, panels)
        return cls(
            W,
            panels,
            TargetSparseness.of(max(n_atoms, 2), sparseness),
            np.zeros((BATCH, n_atoms), W.dtype),
            np.zeros((BATCH, d), W.dtype),
            np.zeros((BATCH, d), W.dtype),
            np.zeros((BATCH, n_atoms), W.dtype),
            np.empty(BATCH, np.bool_),
            np.zeros((BATCH, d), W.dtype),
            allocate_responses(BATCH, panels),
            np.empty(n_atoms, W.dtype),
            np.empty(d, W.dtype),
            np.empty(n_atoms + 1, np.int64),
            np.empty(n_atoms + 1, W.dtype),
            np.empty(n_atoms, W.dtype),
            np.empty((BATCH, 1)),
            np.empty(BATCH),
            np.empty(BATCH),
            np.empty(BATCH),
            FIRST_STEP / _largest_square(W),
        )


def _largest_square(W):
    """Largest squared singular value, nearly; without BLAS, whose bits depend on its threads."""
    W = W.astype(np.float64)
    v = np.ones(W.shape[1]) + np.arange(W.shape[1]) % 2
    for _ in range(POWER_ROUNDS):
        v = np.einsum("jk,j->k", W, np.einsum("jk,k->j", W, v))
        length = np.sqrt(np.einsum("k,k->", v, v))
        if not 0.0 < length < np.inf:
            return 1.0
        v /= length
    return length


def landweber_codes(X, W, sparseness, iterations):
    """Codes and approximations of samples after numbers of iterations.

    Parameters
    ----------
    X : array (m, d)
    W : array (n_atoms, d), of the same type
    sparseness : float
    iterations : list of int
        Rising, from 1; the last is the number of iterations that are made.

    Returns
    -------
    codes : array (m, n_atoms), of unit norm, after the last
    approximations : array (len(iterations), m, d)
    correlations : array (len(iterations), m), minus infinity where there is none
    """
    for number in iterations:
        check_positive_integer("the number of iterations", number)
    X, W = np.ascontiguousarray(X), np.ascontiguousarray(W)
    coder = LandweberCoder.of(W, sparseness)
    codes = np.empty((len(X), len(W)), W.dtype)
    approximations = np.empty((len(iterations), *X.shape), W.dtype)
    correlations = np.empty((len(iterations), len(X)))
    stops = np.asarray(iterations, np.int64)
    for first in range(0, len(X), BATCH):
        part = slice(first, first + BATCH)
        _code(X[part], coder, stops, approximations[:, part], correlations[:, part])
        codes[part] = coder.codes[: len(X[part])]
    return codes, approximations, correlations


@kernel(inline=True)
def _code(X, coder, stops, approximations, correlations):
    """Code a batch, and note approximations and correlations at the stops."""
    noted = 0
    for i in range(len(X)):
        coder.moved[i] = True
        coder.guesses[i, 0] = FIRST_GUESS
        coder.correlations[i] = -np.inf
        coder.scales[i], coder.steps[i] = 1.0, coder.first_step
        coder.codes[i] = 0
        coder.approximations[i] = 0
        coder.rests[i] = X[i]
    for iteration in range(1, stops[-1] + 1):
        _respond(len(X), coder)
        _iterate(X, coder)
        if iteration == stops[noted]:
            for i in range(len(X)):
                correlations[noted, i] = coder.correlations[i]
                for k in range(X.shape[1]):
                    approximations[noted, i, k] = coder.approximations[i, k]
            noted += 1


@kernel(inline=True)
def _respond(m, coder):
    """Responses to the rests of those samples whose codes have moved."""
    moved, rests, fresh_rests = coder.moved, coder.rests, coder.fresh_rests
    responses, fresh = coder.responses, coder.fresh_responses
    count = 0
    for i in range(m):
        if moved[i]:
            for k in range(rests.shape[1]):
                fresh_rests[count, k] = rests[i, k]
            count += 1
    filter_responses(fresh_rests[:count], coder.panels, fresh)
    count = 0
    for i in range(m):
        if moved[i]:
            for j in range(responses.shape[1]):
                responses[i, j] = fresh[count, j]
            count += 1


@kernel(inline=True)
def _iterate(X, coder):
    """One iteration for all samples of a batch."""
    W, codes, responses, vector = coder.W, coder.codes, coder.responses, coder.vector
    places, values, dense, guesses = coder.support, coder.values, coder.dense, coder.guesses
    candidate, correlations, moved = coder.candidate, coder.correlations, coder.moved
    scales, steps, target = coder.scales, coder.steps, coder.target
    n, d = W.shape
    for i in range(len(X)):
        moved[i] = False
        if steps[i] < SETTLED * coder.first_step:
            continue
        factor = W.dtype.type(steps[i] / abs(scales[i]))
        for j in range(n):
            vector[j] = codes[i, j] + factor * responses[i, j]
        count = project_to_sparse_code(vector, target, guesses[i], places, values, dense)
        for k in range(d):
            candidate[k] = 0
        for c in range(count):
            place, value = places[c], values[c]
            for k in range(d):
                candidate[k] += value * W[place, k]
        x = X[i]
        correlation, scale, offset = _compare(x, candidate)
        if not correlation >= correlations[i]:  # also if there is none
            steps[i] *= SHRINK
            continue
        moved[i] = True
        steps[i] *= GROW
        correlations[i], scales[i] = correlation, scale
        for j in range(n):
            codes[i, j] = 0
        for c in range(count):
            codes[i, places[c]] = values[c]
        _keep(x, candidate, scale, offset, coder.approximations[i], coder.rests[i])


@kernel(inline=True)
def _keep(x, candidate, scale, offset, approximation, rest):
    """Note an approximation, and the rest x - scale · approximation, about its mean."""
    a, b = x.dtype.type(scale), x.dtype.type(offset)
    for k in range(x.size):
        approximation[k] = candidate[k]
    for k in range(x.size):
        rest[k] = x[k] - a * candidate[k] - b


@kernel(inline=True)
def _compare(x, y):
    """Correlation or NaN, and the line a y + b that comes nearest to x."""
    d = float(x.size)
    ones_x, ones_y, raw_x, raw_y, product = correlation_sums(x, y)
    squares_x = raw_x - ones_x * ones_x / d
    squares_y = raw_y - ones_y * ones_y / d
    product -= ones_x * ones_y / d
    rounding = d * np.finfo(x.dtype).eps
    if not (squares_x > rounding * raw_x and squares_y > rounding * raw_y):
        return np.nan, 1.0, 0.0
    scale = product / squares_y
    return product / np.sqrt(squares_x * squares_y), scale, (ones_x - scale * ones_y) / d
