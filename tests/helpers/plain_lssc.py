"""Denoising after Mairal et al. in plain NumPy: slow and simple."""

import numpy as np
from scipy.stats import chi2


def choose_atoms(Y, W, bound):
    """Choose atoms for all rows of Y, each the one with the smallest residual; return both."""
    chosen, residual = [], Y
    while (residual**2).sum() > bound and len(chosen) < min(W.shape):
        best = None
        for j in set(range(len(W))) - set(chosen):
            columns = W[[*chosen, j]].T
            if np.linalg.svd(columns, compute_uv=False)[-1] < 1e-6:
                continue
            left = Y - (columns @ np.linalg.lstsq(columns, Y.T, rcond=None)[0]).T
            energy = (left**2).sum()
            if best is None or energy < best[0]:
                best = energy, j, left
        if best is None:
            break
        chosen.append(best[1])
        residual = best[2]
    return chosen, Y - residual


def patches_of(image, side):
    """Return all patches, (rows, columns, side²)."""
    windows = np.lib.stride_tricks.sliding_window_view(image, (side, side))
    return windows.reshape(*windows.shape[:2], -1).astype(np.float64)


def average(estimates, shape, side):
    """Average estimates (row, column, patch) at each pixel."""
    sums, counts = np.zeros(shape), np.zeros(shape)
    for y, x, patch in estimates:
        sums[y : y + side, x : x + side] += patch.reshape(side, side)
        counts[y : y + side, x : x + side] += 1
    return sums / counts


def pilot(image, sigma, W, confidence=0.8):
    """Return the pilot estimate: each patch separately."""
    m = W.shape[1]
    side = round(m**0.5)
    patches = patches_of(image, side)
    bound = sigma**2 * chi2.ppf(confidence, m)
    estimates = []
    for y, x in np.ndindex(patches.shape[:2]):
        mean = patches[y, x].mean()
        _, estimate = choose_atoms((patches[y, x] - mean)[np.newaxis], W, bound)
        estimates.append((y, x, mean + estimate[0]))
    return average(estimates, image.shape, side)


def groups(image, guide, sigma, W, window, limit, confidence=0.8):
    """Return the final estimate: groups of similar patches, projected onto their atoms."""
    m = W.shape[1]
    side = round(m**0.5)
    noisy, similar = patches_of(image, side), patches_of(guide, side)
    grouped = np.zeros(noisy.shape[:2], bool)
    estimates = []
    for y, x in np.ndindex(grouped.shape):
        if grouped[y, x]:
            continue
        near = slice(max(0, y - window), y + window + 1), slice(max(0, x - window), x + window + 1)
        distances = ((similar[near] - similar[y, x]) ** 2).sum(axis=-1)
        members = np.argwhere(distances <= limit)
        members += np.array([near[0].start, near[1].start])
        grouped[tuple(members.T)] = True
        Y = noisy[tuple(members.T)]
        means = Y.mean(axis=1, keepdims=True)
        bound = sigma**2 * chi2.ppf(confidence, m * len(Y))
        _, estimate = choose_atoms(Y - means, W, bound)
        estimates += [
            (v, u, patch) for (v, u), patch in zip(members, means + estimate, strict=True)
        ]
    return average(estimates, image.shape, side)
