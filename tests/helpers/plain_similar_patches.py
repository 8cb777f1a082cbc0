"""Denoising by the mean and covariance of similar patches in plain NumPy: slow and simple."""

import numpy as np

from . import plain_groups, plain_lssc


def denoise(noisy, sigma, *, side, radius, stride, shift, size):
    """Return the denoised channels (channels, height, width), all with noise of the same level."""
    patches = [plain_lssc.patches_of(channel, side) for channel in noisy]
    rows, columns = patches[0].shape[:2]
    sums, counts = np.zeros(noisy.shape), np.zeros(noisy.shape[1:])
    for y in plain_groups.positions(rows, stride, shift):
        for x in plain_groups.positions(columns, stride, shift):
            members = plain_groups.nearest(patches[0], y, x, radius, size)
            for v, u in members:
                counts[v : v + side, u : u + side] += 1
            for channel, total in zip(patches, sums, strict=True):
                Y = channel[tuple(members.T)]
                mean, C = Y.mean(axis=0), np.atleast_2d(np.cov(Y.T, bias=True))
                gain = np.linalg.solve(C + sigma**2 * np.eye(side**2), C)
                for (v, u), estimate in zip(members, mean + (Y - mean) @ gain, strict=True):
                    total[v : v + side, u : u + side] += estimate.reshape(side, side)
    return sums / counts
