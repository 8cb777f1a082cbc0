"""One round of inpainting in plain NumPy: slow and simple."""

import numpy as np

from . import plain_groups, plain_lssc


def estimate(y, missing, guide, *, noise, level, side, radius, stride, shift, size):
    """Return channels (channels, height, width), estimated from known pixels and a guide.

    Each patch of the grid is the conditional mean given its known pixels, where mean and covariance
    are those of the nearest patches of the guide.
    """
    observed, guides = ([plain_lssc.patches_of(x, side) for x in image] for image in (y, guide))
    known = plain_lssc.patches_of(~missing, side).astype(bool)
    sums, counts = np.zeros(y.shape), np.zeros(missing.shape)
    for v in plain_groups.positions(known.shape[0], stride, shift):
        for u in plain_groups.positions(known.shape[1], stride, shift):
            members = plain_groups.nearest(guides[0], v, u, radius, size)
            here = (..., slice(v, v + side), slice(u, u + side))
            counts[here] += 1
            for c, total in enumerate(sums):
                patch = observed[c][v, u]
                if noise > 0.0 or not known[v, u].all():
                    X = guides[c][tuple(members.T)]
                    patch = _conditional_mean(patch, known[v, u], X, noise**2 + level**2)
                total[here] += patch.reshape(side, side)
    return sums / counts


def _conditional_mean(patch, known, X, variance):
    """Return the mean of a normal distribution given the known pixels of a patch with noise."""
    mean, C = X.mean(axis=0), np.atleast_2d(np.cov(X.T, bias=True))
    matrix = C[np.ix_(known, known)] + variance * np.eye(known.sum())
    return mean + C[:, known] @ np.linalg.solve(matrix, patch[known] - mean[known])
