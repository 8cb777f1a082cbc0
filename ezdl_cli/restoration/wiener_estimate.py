"""Estimates of groups of patches by their mean and covariance, over all channels together.

Patches that are similar in a guide, an estimate of the image, are taken for samples of a normal
distribution, whose mean μ and covariance C are those of the patches in the guide (Lebrun, Buades
and Morel 2013). With noise of covariance V, the best linear estimate of a noisy patch y is then

    μ + C (C + V)⁻¹ (y - μ)  =  y - V (C + V)⁻¹ (y - μ).

Patches are compared by their first channel, and hold the pixels of all channels, so that colours
follow the structure of the luminance. The mean moves from that in the guide towards that of the
noisy patches, as far as noise does not explain the difference (James and Stein 1961).
"""

from typing import NamedTuple

import numpy as np

from ..core.jit import kernel
from .block_matching import MatchingWorkspace, find_nearest, find_similar
from .regions import is_on_grid

ROWS_TOGETHER = 4  # that are subtracted from another one while it is read and written once


class WienerRules(NamedTuple):
    """How groups are formed, as the kernels take it."""

    side: int
    """side of a patch in pixels"""
    radius: int
    """half width of the search window in pixels"""
    stride: int
    """distance in pixels of the patches that form groups"""
    max_distance: float
    """maximum squared distance of similar patches in the guide, float32"""
    min_size: int
    max_size: int
    variances: np.ndarray
    """variance of the noise in each channel"""


class WienerWorkspace(NamedTuple):
    """Arrays that the kernels work in; n is the number of pixels of a patch over all channels.

    Attributes
    ----------
    matching
        Positions of the patches of a group.
    guide, noisy
        The patches of a group as columns (n, max_size), without their means.
    guide_mean, noisy_mean
        Means of the group (n,).
    factor
        The matrix C + V, then its Cholesky factor (n, n).
    solutions
        (C + V)⁻¹ (y - μ) of all patches (n, max_size).
    """

    matching: MatchingWorkspace
    guide: np.ndarray
    noisy: np.ndarray
    guide_mean: np.ndarray
    noisy_mean: np.ndarray
    factor: np.ndarray
    solutions: np.ndarray

    @classmethod
    def of(cls, rules):
        """Allocate the workspace for groups under these rules."""
        n = len(rules.variances) * rules.side**2
        return cls(
            MatchingWorkspace.of(rules.radius),
            *(np.empty((n, rules.max_size)) for _ in range(2)),
            *(np.empty(n) for _ in range(2)),
            np.empty((n, n)),
            np.empty((n, rules.max_size)),
        )


@kernel(inline=True)
def estimate_by_covariance(noisy, guide, luminance, block, corner, rules, workspace, sums, counts):
    """Add the estimates of the groups of a block to sums and counts, which start at `corner`.

    `noisy` and `guide` are arrays (channels, height, width), and `luminance` is the first channel
    of the guide, prepared for block matching.
    """
    for y in range(block.top, block.bottom):
        for x in range(block.left, block.right):
            if not is_on_grid(y, x, block, rules.stride, 0):
                continue
            size = find_similar(luminance, y, x, rules, workspace.matching)
            if size < rules.min_size:
                size = find_nearest(luminance, y, x, rules, workspace.matching)
            take_group(guide, size, rules.side, workspace, workspace.guide, workspace.guide_mean)
            take_group(noisy, size, rules.side, workspace, workspace.noisy, workspace.noisy_mean)
            factorise(workspace.guide, size, rules, workspace.factor)
            solve(size, workspace)
            _shrink_mean_shift(size, rules, workspace)
            add_group(size, corner, rules, workspace, sums)
            count_group(size, corner, rules.side, workspace, counts)


@kernel(inline=True)
def take_group(image, size, side, workspace, out, means):
    """Copy the patches of the group to the columns of `out`, less their mean, stored in `means`."""
    rows, columns = workspace.matching.rows, workspace.matching.columns
    for c in range(len(image)):
        for r in range(side):
            for s in range(side):
                pixel = (c * side + r) * side + s
                line = out[pixel]
                total = 0.0
                for i in range(size):
                    line[i] = image[c, rows[i] + r, columns[i] + s]
                for i in range(size):
                    total += line[i]
                mean = total / size
                means[pixel] = mean
                for i in range(size):
                    line[i] -= mean


@kernel(inline=True)
def factorise(group, size, rules, factor):
    """Compute the Cholesky factor of C + V, where C is the covariance of a group of patches."""
    n_pixels = rules.side * rules.side
    scale = 1.0 / size
    for a in range(len(factor)):
        x = group[a][:size]
        for b in range(a + 1):
            y = group[b][:size]
            total = 0.0
            for i in range(size):
                total += x[i] * y[i]
            factor[a, b] = total * scale
        factor[a, a] += rules.variances[a // n_pixels]
    for a in range(len(factor)):
        row = factor[a]
        for b in range(a):
            total = 0.0
            other = factor[b]
            for i in range(b):
                total += row[i] * other[i]
            row[b] = (row[b] - total) / other[b]
        total = 0.0
        for i in range(a):
            total += row[i] * row[i]
        # V makes the matrix positive definite; only rounding errors could make it less.
        row[a] = np.sqrt(max(row[a] - total, rules.variances[a // n_pixels]))


@kernel(inline=True)
def solve(size, workspace):
    """Solve for (C + V)⁻¹ (y - μ) of all patches: forwards, then backwards."""
    factor, solutions, n = workspace.factor, workspace.solutions, len(workspace.factor)
    for a in range(n):
        line, start = solutions[a][:size], workspace.noisy[a][:size]
        for i in range(size):
            line[i] = start[i]
        n_tiled = a - a % ROWS_TOGETHER
        for b in range(0, n_tiled, ROWS_TOGETHER):
            p, q, s, t = factor[a, b], factor[a, b + 1], factor[a, b + 2], factor[a, b + 3]
            _subtract_four(solutions, b, size, p, q, s, t, line)
        for b in range(n_tiled, a):
            _subtract_one(solutions, b, size, factor[a, b], line)
        scale = 1.0 / factor[a, a]
        for i in range(size):
            line[i] *= scale
    for a in range(n - 1, -1, -1):
        line = solutions[a][:size]
        first = a + 1
        n_tiled = (n - first) - (n - first) % ROWS_TOGETHER
        for b in range(first, first + n_tiled, ROWS_TOGETHER):
            p, q, s, t = factor[b, a], factor[b + 1, a], factor[b + 2, a], factor[b + 3, a]
            _subtract_four(solutions, b, size, p, q, s, t, line)
        for b in range(first + n_tiled, n):
            _subtract_one(solutions, b, size, factor[b, a], line)
        scale = 1.0 / factor[a, a]
        for i in range(size):
            line[i] *= scale


@kernel(inline=True)
def _subtract_four(rows, b, size, p, q, s, t, out):
    """Subtract multiples of four rows, from row b on."""
    e, f = rows[b][:size], rows[b + 1][:size]
    g, h = rows[b + 2][:size], rows[b + 3][:size]
    for i in range(size):
        out[i] -= p * e[i] + q * f[i] + s * g[i] + t * h[i]


@kernel(inline=True)
def _subtract_one(rows, b, size, p, out):
    """Subtract a multiple of row b."""
    e = rows[b][:size]
    for i in range(size):
        out[i] -= p * e[i]


@kernel(inline=True)
def _shrink_mean_shift(size, rules, workspace):
    """Move the guide's mean towards the noisy mean, channel by channel, in `guide_mean`."""
    guide_mean, noisy_mean = workspace.guide_mean, workspace.noisy_mean
    n_pixels = rules.side * rules.side
    for c in range(len(rules.variances)):
        first = c * n_pixels
        square = 0.0
        for a in range(first, first + n_pixels):
            square += (noisy_mean[a] - guide_mean[a]) ** 2
        noise = n_pixels * rules.variances[c] / size
        share = 1.0 - noise / square if square > noise else 0.0
        for a in range(first, first + n_pixels):
            guide_mean[a] += share * (noisy_mean[a] - guide_mean[a])


@kernel(inline=True)
def add_group(size, corner, rules, workspace, sums):
    """Add the estimates μ + (y - μ) - V (C + V)⁻¹ (y - μ) to the sums."""
    rows, columns, side = workspace.matching.rows, workspace.matching.columns, rules.side
    for c in range(len(rules.variances)):
        variance = rules.variances[c]
        for r in range(side):
            for s in range(side):
                pixel = (c * side + r) * side + s
                mean = workspace.guide_mean[pixel]
                noisy, solution = workspace.noisy[pixel], workspace.solutions[pixel]
                for i in range(size):
                    v, u = rows[i] - corner[0] + r, columns[i] - corner[1] + s
                    sums[c, v, u] += sums.dtype.type(mean + noisy[i] - variance * solution[i])


@kernel(inline=True)
def count_group(size, corner, side, workspace, counts):
    """Add one to the counts of the pixels of each patch of the group."""
    rows, columns = workspace.matching.rows, workspace.matching.columns
    one = counts.dtype.type(1)
    for i in range(size):
        v, u = rows[i] - corner[0], columns[i] - corner[1]
        for r in range(side):
            for s in range(side):
                counts[v + r, u + s] += one
