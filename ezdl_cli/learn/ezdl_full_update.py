r"""The update of EZDL with the gradient of the inference model, for ordinary inference.

The paper's update ignores that the code h depends on W. The full derivative of ρ(Wᵀh, x) with
respect to W, where h = Π(u) and u = W x, is

.. math:: h g^T + (J^T W g)\, x^T,

with g as in the short update and J the Jacobian of the projection Π at u for codes of unit norm
(`core.gradient`, Algorithm 4 of the paper). J is symmetric, and zero outside of the support of h,
so that only the atoms of the support change. The responses of later samples are corrected as in the
short update.
"""

from typing import NamedTuple

import numpy as np

from ..coding.inference import infer_code
from ..core.array_helpers import copy_entries, machine_epsilon
from ..core.closed_form import excess
from ..core.jit import kernel
from ..core.linear_algebra import dot_rows, filter_responses, pack_rows
from .ezdl_update import (
    BATCH,
    EZDLWorkspace,
    add_noise,
    add_scaled,
    approximate,
    correct_responses,
    scaled_gradient,
    write_code,
)


class FullUpdateWorkspace(NamedTuple):
    """Arrays that the kernels work in, besides those of the short update."""

    update: EZDLWorkspace
    support: np.ndarray
    values: np.ndarray
    products: np.ndarray

    @classmethod
    def of(cls, n_atoms, n_features, dtype):
        """Allocate the workspace for a dictionary."""
        return cls(
            EZDLWorkspace.of(n_atoms, n_features, dtype),
            np.empty(n_atoms, np.int64),
            np.empty(n_atoms, dtype),
            np.empty(n_atoms, dtype),
        )


@kernel(inline=True)
def learn_samples_fully(X, W, eta, noise, model, scratch, workspace, codes):
    """Learn from samples batch by batch, as `learn_samples`, with the full gradient."""
    total = 0.0
    for first in range(0, len(X), BATCH):
        batch = X[first : first + BATCH]
        responses = workspace.update.responses[: len(batch)]
        pack_rows(W, workspace.update.panels)
        filter_responses(batch, workspace.update.panels, responses)
        batch_noise, batch_codes = noise[first : first + BATCH], codes[first : first + BATCH]
        total += _learn_batch(
            batch, responses, W, eta, batch_noise, model, scratch, workspace, batch_codes
        )
    return total


@kernel(inline=True)
def _learn_batch(X, U, W, eta, noise, model, scratch, workspace, codes):
    """Learn from a batch with responses U; return the sum of the correlations."""
    support, values = scratch.support, scratch.values
    own_support, own_values = workspace.support, workspace.values
    products, update = workspace.products, workspace.update
    gradient, changes = update.gradient, update.changes
    total = 0.0
    for s in range(len(X)):
        # The code h and a copy of it for the Jacobian, since noise does not depend on W.
        count = infer_code(U[s][: len(W)], model, scratch)
        own_count = count
        copy_entries(support[:count], own_support)
        copy_entries(values[:count], own_values)
        if len(codes) > 0:
            write_code(count, support, values, codes[s])
        if len(noise) > 0:
            count = add_noise(count, support, values, scratch.dense, noise[s])
        # The approximation x̃, its correlation with x, and η g.
        approximate(W, support, values, count, update.approximation)
        correlation = scaled_gradient(X[s], update.approximation, eta, gradient)
        if np.isnan(correlation):
            continue
        total += correlation
        # z = Jᵀ W η g, from W before the update.
        _atom_products(W, own_support, own_count, gradient, products)
        multiply_jacobian(U[s], model.target, own_support, own_values, own_count, len(W), products)
        # W += h ⊗ η g + z ⊗ x, and the same change of the responses of later samples.
        for i in range(count):
            add_scaled(W[support[i]], values[i], gradient)
        for i in range(own_count):
            add_scaled(W[own_support[i]], products[i], X[s])
        dot_rows(gradient, X[s + 1 :], changes)
        correct_responses(U[s + 1 :], changes, support, values, count, len(W))
        dot_rows(X[s], X[s + 1 :], changes)
        correct_responses(U[s + 1 :], changes, own_support, products, own_count, len(W))
    return total


@kernel(inline=True)
def _atom_products(W, support, count, x, out):
    """Compute the products of x with the atoms of a support."""
    zero = x.dtype.type(0)
    for i in range(count):
        atom, product = W[support[i]], zero
        for k in range(x.size):
            product += atom[k] * x[k]
        out[i] = product


@kernel(inline=True)
def multiply_jacobian(u, target, support, values, count, n, y):
    """Multiply y, on the support of the projection of u, with the Jacobian; in place.

    `values` are the nonzeros of the projection p, of unit norm. With t = |u| - α on the support,
    p = β t, so that β and α follow from Σ |u| = k/β + d α and ⟨p, |u|⟩ = 1/β + k α. The product is
    zero where the projection has no gradient, since its largest entries are tied up to rounding.
    """
    d, k = float(count), target.k
    surplus = excess(d, float(n), target.k2, target.gap)
    sum_u, sum_pu, sum_y, sum_py = 0.0, 0.0, 0.0, 0.0
    for i in range(count):
        p, v = abs(values[i]), abs(u[support[i]])
        signed = np.copysign(1.0, values[i]) * y[i]
        sum_u += v
        sum_pu += p * v
        sum_y += signed
        sum_py += p * signed
    difference = d * sum_pu - k * sum_u  # surplus / β
    rounding = 8.0 * machine_epsilon(values) * d * sum_pu
    if not (surplus > 0.0 and difference > rounding):
        y[:count] = 0
        return
    factor = surplus / difference
    along_p = (k * sum_y - d * sum_py) / surplus
    along_e = (k * sum_py - sum_y) / surplus
    for i in range(count):
        sign = np.copysign(1.0, values[i])
        y[i] = factor * (y[i] + along_p * values[i] + sign * along_e)
