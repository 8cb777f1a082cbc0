"""The third pass of denoising in plain NumPy: slow and simple."""

import numpy as np

from . import plain_lssc


def refine(noisy, guide, sigmas, *, side, radius, stride, size, luminance_weight):
    """Return the refined channels (channels, height, width), from groups of the nearest patches.

    Patches at multiples of `stride`, and the last ones, form groups.
    """
    y_patches, x_patches = (
        np.stack([plain_lssc.patches_of(channel, side) for channel in image], axis=2)
        for image in (noisy, guide)
    )
    rows, columns = y_patches.shape[:2]
    noise = np.diag(np.repeat(np.square(sigmas), side * side))
    sums, counts = np.zeros(noisy.shape), np.zeros(noisy.shape[1:])
    for y in sorted({*range(0, rows, stride), rows - 1}):
        for x in sorted({*range(0, columns, stride), columns - 1}):
            members = _nearest(x_patches[:, :, 0], y, x, radius, size)
            Y, X = (
                patches[tuple(members.T)].reshape(size, -1) for patches in (y_patches, x_patches)
            )
            mean = _mean(X.mean(axis=0), Y.mean(axis=0), sigmas, side, size)
            C = np.cov(X.T, bias=True)
            estimates = mean + (Y - Y.mean(axis=0)) @ np.linalg.solve(C + noise, C)
            for (v, u), estimate in zip(members, estimates, strict=True):
                sums[:, v : v + side, u : u + side] += estimate.reshape(-1, side, side)
                counts[v : v + side, u : u + side] += 1
    refined = sums / counts
    refined[0] = luminance_weight * refined[0] + (1 - luminance_weight) * guide[0]
    return refined


def _nearest(patches, y, x, radius, size):
    """Return positions of the patches nearest to that at (y, x), itself included."""
    near = slice(max(0, y - radius), y + radius + 1), slice(max(0, x - radius), x + radius + 1)
    distances = ((patches[near] - patches[y, x]) ** 2).sum(axis=-1)
    order = np.argsort(distances, axis=None, kind="stable")[:size]
    found = np.stack(np.unravel_index(order, distances.shape), axis=1)
    return found + np.array([near[0].start, near[1].start])


def _mean(guide, noisy, sigmas, side, size):
    """Return the mean of the guide, moved towards the noisy one as noise does not explain it."""
    mean = guide.copy()
    for number, sigma in enumerate(sigmas):
        channel = slice(number * side**2, (number + 1) * side**2)
        shift = noisy[channel] - guide[channel]
        mean[channel] += shift * max(0.0, 1.0 - sigma**2 * side**2 / size / (shift @ shift))
    return mean
