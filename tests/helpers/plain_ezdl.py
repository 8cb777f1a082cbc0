"""A plain implementation of EZDL from the paper, the reference of the tests."""

import numpy as np

import ezdl_cli as ez


def pool(u, rows, columns, size):
    """Average over neighbourhoods on a grid with circular boundary."""
    grid = u.reshape(rows, columns)
    half = range(-(size // 2), size // 2 + 1)
    return sum(np.roll(grid, (i, j), (0, 1)) for i in half for j in half).ravel() / size**2


def low_rank(matrix, rank):
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    return (left[:, :rank] * values[:rank]) @ right[:rank]


def infer(u, p, grid):
    """Return the code of filter responses."""
    if p.inference == "topographic":
        u = pool(u, *grid, p.pooling)
    h = ez.project(u, p.sparseness, norm=1.0)
    if p.inference == "rank":
        h = low_rank(h.reshape(grid), p.code_rank).ravel()
        h /= np.linalg.norm(h)
    return h


def correlation_and_gradient(approximation, x):
    """Return ρ and its gradient, step (d) of the paper's algorithm."""
    d = x.size
    lam = approximation @ approximation - approximation.sum() ** 2 / d
    mu = x @ x - x.sum() ** 2 / d
    root = np.sqrt(lam * mu)
    rho = (approximation @ x - approximation.sum() * x.sum() / d) / root
    g = (x - x.mean()) / root - rho / lam * (approximation - approximation.mean())
    return rho, g


def epoch(W, X, nu, p, grid=None, noise=None):
    """Return the dictionary and the mean correlation after one epoch."""
    W = W.copy()
    total = 0.0
    for i, x in enumerate(X):
        h = infer(W @ x, p, grid)
        if noise is not None:
            h = h + noise[i]
        rho, g = correlation_and_gradient(W.T @ h, x)
        W += p.step_size / nu * np.outer(h, g)
        total += rho
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    if p.atom_sparseness is not None:
        W = ez.project(W, p.atom_sparseness, norm=1.0)
    if p.atom_rank is not None:
        side = round(W.shape[1] ** 0.5)
        W = np.array([low_rank(w.reshape(side, side), p.atom_rank).ravel() for w in W])
        W /= np.linalg.norm(W, axis=1, keepdims=True)
    return W, total / len(X)
