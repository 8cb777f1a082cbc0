"""The update of EZDL: kernels that learn from samples in order.

The responses of a batch are computed as one matrix product, and those of later samples are
corrected when an earlier one changes W: the update is W += h ⊗ η g, so that u of a later sample y
grows by h (η g·y). Up to rounding, the result is that of one sample after the other.
"""

from typing import NamedTuple

import numpy as np

from ..coding.inference import infer_code
from ..core.array_helpers import copy_entries, machine_epsilon
from ..core.jit import kernel
from ..core.linear_algebra import (
    allocate_panels,
    allocate_responses,
    correlation_sums,
    dot_rows,
    filter_responses,
    pack_rows,
)

BATCH = 64  # samples whose responses are computed together: 64 KiB for 256 atoms in float32
MAX_COLUMN_NONZEROS = 4  # for more, loops over rows need fewer cache lines


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
def learn_samples(X, W, eta, noise, model, scratch, workspace, codes):
    """Learn from samples batch by batch; return the sum of their correlations.

    `noise` (m, n_atoms) is added to the codes, and `codes` (m, n_atoms), of zeros, receives them;
    both may have no rows.
    """
    total = 0.0
    for first in range(0, len(X), BATCH):
        batch = X[first : first + BATCH]
        responses = workspace.responses[: len(batch)]
        pack_rows(W, workspace.panels)
        filter_responses(batch, workspace.panels, responses)
        batch_noise, batch_codes = noise[first : first + BATCH], codes[first : first + BATCH]
        total += _learn_batch(
            batch, responses, W, eta, batch_noise, model, scratch, workspace, batch_codes
        )
    return total


@kernel(inline=True)
def _learn_batch(X, U, W, eta, noise, model, scratch, workspace, codes):
    """Learn from a batch with responses U; return the sum of the correlations."""
    support, values, gradient = scratch.support, scratch.values, workspace.gradient
    total = 0.0
    for s in range(len(X)):
        # The code h, and noise on it if there is any.
        count = infer_code(U[s][: len(W)], model, scratch)
        if len(codes) > 0:
            write_code(count, support, values, codes[s])
        if len(noise) > 0:
            count = add_noise(count, support, values, scratch.dense, noise[s])
        # The approximation x̃, its correlation with x, and η g.
        approximate(W, support, values, count, workspace.approximation)
        correlation = scaled_gradient(X[s], workspace.approximation, eta, gradient)
        if np.isnan(correlation):
            continue
        total += correlation
        # W += h ⊗ η g, and the same change of the responses of later samples.
        for i in range(count):
            add_scaled(W[support[i]], values[i], gradient)
        dot_rows(gradient, X[s + 1 :], workspace.changes)
        correct_responses(U[s + 1 :], workspace.changes, support, values, count, len(W))
    return total


@kernel(inline=True)
def correct_responses(U, changes, support, values, count, n_atoms):
    """Add the outer product of `changes` and the code to the responses of later samples."""
    if count <= MAX_COLUMN_NONZEROS:  # down the columns: longer loops
        for i in range(count):
            j, value = support[i], values[i]
            for t in range(len(U)):
                U[t, j] += changes[t] * value
    elif count == n_atoms:  # noise on all entries, which are in order: no indices
        for t in range(len(U)):
            change, responses = changes[t], U[t]
            for i in range(count):
                responses[i] += change * values[i]
    else:  # along the rows: fewer cache lines
        for t in range(len(U)):
            change, responses = changes[t], U[t]
            for i in range(count):
                responses[support[i]] += change * values[i]


@kernel(inline=True)
def add_noise(count, support, values, dense, noise):
    """Add noise to a code and return the number of its nonzeros: all entries."""
    copy_entries(noise, dense)
    for i in range(count):
        dense[support[i]] += values[i]
    for j in range(dense.size):
        support[j] = j
        values[j] = dense[j]
    return dense.size


@kernel(inline=True)
def write_code(count, support, values, out):
    """Write the nonzeros of a code to a row of zeros."""
    for i in range(count):
        out[support[i]] = values[i]


@kernel(inline=True)
def approximate(W, support, values, count, out):
    """Compute Wᵀ h for a sparse code."""
    out[:] = 0
    for i in range(count):
        add_scaled(out, values[i], W[support[i]])


@kernel(inline=True)
def scaled_gradient(x, approximation, eta, out):
    """Compute η g; return the correlation, or NaN if x or x̃ has no variance but rounding."""
    d = float(x.size)
    # λ and μ, the sums of squares about the means, from raw moments.
    sum_a, sum_x, raw_a, raw_x, product = correlation_sums(approximation, x)
    squares_a = raw_a - sum_a * sum_a / d
    squares_x = raw_x - sum_x * sum_x / d
    rounding = d * machine_epsilon(x)
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
def add_scaled(out, factor, x):
    """Compute out += factor x."""
    for k in range(x.size):
        out[k] += factor * x[k]
