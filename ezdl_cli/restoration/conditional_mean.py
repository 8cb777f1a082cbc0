"""Estimates of missing pixels: the mean of similar patches, given the pixels that are known.

Patches that are similar in an estimate of the image, the guide, are taken for samples of a normal
distribution, whose mean μ and covariance C are those of the patches in the guide. Given the known
pixels y of a patch, with noise of variance σ², the conditional mean of all its pixels is

    μ + C[:, known] (C[known, known] + (σ² + ε²) I)⁻¹ (y - μ[known])

(Yu, Sapiro and Mallat 2012; Aguerrebere et al. 2017). The tolerance ε stands for the errors of the
guide, from which the covariance is computed. Patches are compared by their first channel; each
channel is estimated separately, since the same pixels are missing in all of them.
"""

from typing import NamedTuple

import numpy as np

from ..core.jit import kernel
from .block_matching import MatchingWorkspace, find_group
from .regions import is_on_grid


class ConditionalMeanRules(NamedTuple):
    """How groups are formed, as the kernels take it."""

    side: int
    """side of a patch in pixels"""
    radius: int
    """half width of the search window in pixels"""
    stride: int
    """distance in pixels of the patches that are estimated"""
    shift: int
    """row and column of the first of them, less than the stride"""
    size: int
    """number of patches in a group"""
    variance: float
    """σ² + ε²"""
    is_exact: bool
    """whether known pixels have no noise, so that patches without missing pixels are exact"""


class ConditionalMeanWorkspace(NamedTuple):
    """Arrays that the kernels work in; m is the number of pixels of a patch.

    Attributes
    ----------
    matching
        Positions of the patches of a group.
    pixels
        Offsets (m, 2) of the pixels of a patch, known ones first.
    group
        Patches of a group as columns (m, size), without their mean, pixels in that order.
    mean
        Mean of the group (m,).
    factor
        The matrix of the known pixels, then its Cholesky factor (m, m).
    solution
        The matrix's inverse times y - μ (m,).
    weights
        Products of the solution with the patches of the group (size,).
    """

    matching: MatchingWorkspace
    pixels: np.ndarray
    group: np.ndarray
    mean: np.ndarray
    factor: np.ndarray
    solution: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, rules):
        """Allocate the workspace for groups under these rules."""
        m = rules.side**2
        return cls(
            MatchingWorkspace.of(rules.radius),
            np.empty((m, 2), np.int64),
            np.empty((m, rules.size), np.float32),
            np.empty(m),
            np.empty((m, m)),
            np.empty(m),
            np.empty(rules.size, np.float32),
        )


@kernel(inline=True)
def estimate_missing(
    observed, missing, guide, luminance, block, corner, rules, workspace, sums, counts
):
    """Add the estimates of the patches of a block to sums and counts, which start at `corner`.

    `observed` and `guide` are arrays (channels, height, width), `missing` flags the pixels of
    `observed` that are not known, and `luminance` is the first channel of the guide, prepared for
    block matching.
    """
    n_pixels = rules.side * rules.side
    for y in range(block.top, block.bottom):
        for x in range(block.left, block.right):
            if not is_on_grid(y, x, block, rules.stride, rules.shift):
                continue
            n_known = _list_pixels(missing, y, x, rules.side, workspace.pixels)
            is_known = rules.is_exact and n_known == n_pixels
            size = np.int64(0)
            if not is_known:
                size = find_group(luminance, y, x, rules, workspace.matching)
            for c in range(len(observed)):
                if is_known:
                    _take_known(observed[c], y, x, workspace)
                else:
                    _take_group(guide[c], size, workspace)
                    _factorise(n_known, size, rules.variance, workspace)
                    _solve(observed[c], y, x, n_known, workspace)
                    _combine(n_known, size, workspace)
                _add_patch(y - corner[0], x - corner[1], workspace, sums[c], counts, c == 0)


@kernel(inline=True)
def _list_pixels(missing, y, x, side, pixels):
    """List the pixels of the patch at (y, x), known ones first; return the number of those."""
    n_known, end = 0, len(pixels)
    for r in range(side):
        for s in range(side):
            if missing[y + r, x + s]:
                end -= 1
                pixels[end, 0], pixels[end, 1] = r, s
            else:
                pixels[n_known, 0], pixels[n_known, 1] = r, s
                n_known += 1
    return n_known


@kernel(inline=True)
def _take_known(image, y, x, workspace):
    """Store the pixels of a patch as its mean."""
    for a in range(len(workspace.pixels)):
        workspace.mean[a] = image[y + workspace.pixels[a, 0], x + workspace.pixels[a, 1]]


@kernel(inline=True)
def _take_group(image, size, workspace):
    """Copy the patches of the group to the columns of `group`, less their mean."""
    rows, columns = workspace.matching.rows, workspace.matching.columns
    for a in range(len(workspace.pixels)):
        r, s = workspace.pixels[a, 0], workspace.pixels[a, 1]
        line = workspace.group[a]
        for i in range(size):
            line[i] = image[rows[i] + r, columns[i] + s]
        total = line.dtype.type(0)
        for i in range(size):
            total += line[i]
        mean = total / line.dtype.type(size)
        workspace.mean[a] = mean
        for i in range(size):
            line[i] -= mean


@kernel(inline=True)
def _factorise(n_known, size, variance, workspace):
    """Compute the Cholesky factor of the covariance of the known pixels plus the variance."""
    group, factor = workspace.group, workspace.factor
    scale = 1.0 / size
    for a in range(n_known):
        x, row = group[a][:size], factor[a]
        for b in range(a + 1):
            y = group[b][:size]
            total = group.dtype.type(0)
            for i in range(size):
                total += x[i] * y[i]
            row[b] = total * scale
        row[a] += variance
        for b in range(a):
            other = factor[b]
            total = 0.0
            for i in range(b):
                total += row[i] * other[i]
            row[b] = (row[b] - total) / other[b]
        total = 0.0
        for i in range(a):
            total += row[i] * row[i]
        # The variance makes the matrix positive definite; only rounding could make it less.
        row[a] = np.sqrt(max(row[a] - total, variance))


@kernel(inline=True)
def _solve(image, y, x, n_known, workspace):
    """Solve for the matrix's inverse times y - μ: forwards, then backwards."""
    factor, solution = workspace.factor, workspace.solution
    for a in range(n_known):
        row = factor[a]
        total = 0.0
        for i in range(a):
            total += row[i] * solution[i]
        value = image[y + workspace.pixels[a, 0], x + workspace.pixels[a, 1]] - workspace.mean[a]
        solution[a] = (value - total) / row[a]
    for a in range(n_known - 1, -1, -1):
        row = factor[a]
        solution[a] /= row[a]
        value = solution[a]
        for i in range(a):
            solution[i] -= row[i] * value


@kernel(inline=True)
def _combine(n_known, size, workspace):
    """Add C[:, known] times the solution to the mean."""
    group, weights = workspace.group, workspace.weights[:size]
    weights[:] = 0.0
    for a in range(n_known):
        line, value = group[a], group.dtype.type(workspace.solution[a] / size)
        for i in range(size):
            weights[i] += value * line[i]
    for a in range(len(group)):
        line, total = group[a], group.dtype.type(0)
        for i in range(size):
            total += weights[i] * line[i]
        workspace.mean[a] += total


@kernel(inline=True)
def _add_patch(v, u, workspace, sums, counts, is_first):
    """Add the estimate of a patch to the sums and, for the first channel, one to the counts."""
    one = counts.dtype.type(1)
    for a in range(len(workspace.pixels)):
        r, s = v + workspace.pixels[a, 0], u + workspace.pixels[a, 1]
        sums[r, s] += sums.dtype.type(workspace.mean[a])
        if is_first:
            counts[r, s] += one
