"""Figures 1 and 2: the sparseness measure and the auxiliary function.

Each function returns a table, a dict from column name to list.
"""

import numpy as np

from ..core.projection import SOLVERS
from ..core.root_finding import evaluate_auxiliary, find_root
from ..core.sparseness import sparseness as measure
from ..core.target_sparseness import TargetSparseness


def sparseness_grid(points=201):
    """Compute the sparseness of two-dimensional vectors on a grid over [-1, 1]², for Fig. 1.

    Values are rounded to six decimals, so that tables stay small.
    """
    axis = np.linspace(-1.0, 1.0, points)
    x1, x2 = (part.ravel() for part in np.meshgrid(axis, axis))
    values = np.full(x1.size, np.nan)
    nonzero = (x1 != 0.0) | (x2 != 0.0)
    values[nonzero] = measure(np.column_stack([x1, x2])[nonzero]).round(6)
    return {"x1": x1, "x2": x2, "sparseness": values}


def auxiliary_curve(n=10, sparseness=0.35, seed=0, points=400):
    """Evaluate the auxiliary function of a random vector and its derivative, for Fig. 2."""
    x = np.random.default_rng(seed).random(n)
    target = TargetSparseness.of(n, sparseness)
    (_, ref, shift, *_), _ = find_root(x, target.k, target.gap, 0.0, SOLVERS["newton_sqr"])
    root = ref + shift
    entries = np.sort(x)
    second = entries[-2]
    tiny = 1e-9
    steps = np.concatenate([entries[:-1] - tiny, entries[:-1] + tiny])
    alphas = np.sort(
        np.concatenate([np.linspace(0.0, 0.5 * (second + entries[-1]), points), steps])
    )
    psi, slope = np.array([evaluate_auxiliary(x, target.k, alpha)[:2] for alpha in alphas]).T
    left, right = entries[entries <= root].max(initial=0.0), entries[entries > root].min()
    at_left, at_right = (evaluate_auxiliary(x, target.k, value)[0] for value in (left, right))
    rows = [("psi", alpha, value) for alpha, value in zip(alphas, psi, strict=True)]
    scale = np.abs(psi).max() / np.abs(slope).max()
    rows += [("slope", alpha, scale * value) for alpha, value in zip(alphas, slope, strict=True)]
    rows += [("entry", entry, 0.0) for entry in entries]
    rows += [("left", left, at_left), ("root", root, 0.0), ("right", right, at_right)]
    return dict(
        zip(("quantity", "alpha", "value"), map(list, zip(*rows, strict=True)), strict=True)
    )
