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
    W, correlation, _ = epoch_with_codes(W, X, nu, p, grid, noise)
    return W, correlation


def epoch_with_codes(W, X, nu, p, grid=None, noise=None):
    """Return the dictionary, the mean correlation and the codes before noise."""
    W = W.copy()
    total = 0.0
    codes = []
    for i, x in enumerate(X):
        h = infer(W @ x, p, grid)
        codes.append(h)
        if noise is not None:
            h = h + noise[i]
        rho, g = correlation_and_gradient(W.T @ h, x)
        change = np.outer(h, g)
        if p.gradient == "full":
            change += np.outer(ez.projection_gradient(W @ x, p.sparseness, W @ g), x)
        W += p.step_size / nu * change
        total += rho
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    if p.atom_sparseness is not None:
        W = ez.project(W, p.atom_sparseness, norm=1.0)
    if p.atom_rank is not None:
        side = round(W.shape[1] ** 0.5)
        W = np.array([low_rank(w.reshape(side, side), p.atom_rank).ravel() for w in W])
        W /= np.linalg.norm(W, axis=1, keepdims=True)
    return W, total / len(X), np.array(codes)


def activity(codes, block=256):
    """Return the activity of the atoms in an epoch: unused atoms, population, lifetime."""
    hoyer = ez.sparseness
    never = sum(not any(codes[:, j]) for j in range(codes.shape[1]))
    blocks = [codes[i : i + block] for i in range(0, len(codes) - block + 1, block)]
    lifetime = [np.mean([hoyer(column) for column in b.T if any(column)]) for b in blocks]
    return never, np.mean([hoyer(h) for h in codes]), np.mean(lifetime)
