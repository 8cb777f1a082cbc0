"""Estimates of patches, in groups that are encoded with the same atoms.

The estimate of a group lies in the span of its atoms. Along each direction of an orthonormal basis
of the span, the mean of the group and the deviations of the patches from it are both shrunk by the
share of them that noise explains (James and Stein 1961). The mean grey values of the patches are
treated in the same way, except that the mean of the group remains. Without shrinkage, patches are
projected onto the span, as Mairal et al. (2009) do.

The final estimate has groups of similar patches, the pilot estimate groups of one patch. By the
authors' rules, patches without similar ones have the same estimate in both, which is kept.
"""

from typing import NamedTuple

import numpy as np

from ..coding.equivalent_samples import Samples
from ..coding.group_ormp import PANEL_WIDTH, GroupOrmpWorkspace, choose_atoms, padded
from ..core.jit import kernel
from ..core.linear_algebra import filter_responses
from .block_matching import MatchingWorkspace, find_nearest, find_similar
from .overlapping_patches import add_patch, take_patch
from .regions import is_on_grid


class GroupingRules(NamedTuple):
    """How groups are formed and encoded, as the kernels take it."""

    side: int
    """side of a patch in pixels"""
    radius: int
    """half width of the search window in pixels"""
    spacing: int
    """distance in pixels within which a member of a group does not start another group"""
    stride: int
    """distance in pixels of the patches that form groups"""
    max_distance: float
    """maximum squared distance of similar patches in the pilot estimate, float32"""
    min_size: int
    max_size: int
    max_residuals: np.ndarray
    """energy of the residual at which coding stops, by the size of the group"""
    variance: float
    """variance of the noise"""
    shrink: bool


class GroupEstimateWorkspace(NamedTuple):
    """Arrays that the kernels work in."""

    matching: MatchingWorkspace
    ormp: GroupOrmpWorkspace
    patches: Samples
    means: np.ndarray
    coefficients: np.ndarray
    moments: np.ndarray
    kept: np.ndarray
    """estimates of the block's single patches (rows, columns, d) without their means, or empty"""

    @classmethod
    def of(cls, dictionary, rules):
        """Allocate the workspace for groups under these rules, without kept estimates."""
        ormp = GroupOrmpWorkspace.of(dictionary, rules.max_size)
        n_coefficients = ormp.products.shape[1]
        return cls(
            MatchingWorkspace.of(rules.radius),
            ormp,
            Samples.of(rules.max_size, padded(dictionary.W.shape[1])),
            np.empty((rules.max_size, 1), np.float32),
            np.empty((rules.max_size, n_coefficients), np.float32),
            np.empty((2, n_coefficients)),
            np.empty((0, 0, 0), np.float32),
        )


@kernel(inline=True)
def estimate_groups(
    noisy, guide, block, corner, dictionary, rules, workspace, grouped, sums, counts
):
    """Add the estimates of groups to sums and counts, which start at `corner` (row, column).

    Each patch of the block that is not in the group of a nearby one yet forms a group by the
    pilot estimate `guide`. `grouped` is workspace of zeros for the positions of the block.
    """
    rows, columns = workspace.matching.rows, workspace.matching.columns
    means, side = workspace.means, rules.side
    patches = workspace.patches.rows[:, : side * side]
    for y in range(block.top, block.bottom):
        for x in range(block.left, block.right):
            if grouped[y - block.top, x - block.left] or not is_on_grid(
                y, x, block, rules.stride, 0
            ):
                continue
            size = find_similar(guide, y, x, rules, workspace.matching)
            if size < rules.min_size:
                size = find_nearest(guide, y, x, rules, workspace.matching)
            _mark_members(size, y, x, block, rules.spacing, workspace.matching, grouped)
            for i in range(size):
                means[i, 0] = take_patch(noisy, rows[i], columns[i], side, patches[i])
            is_kept = size == 1 and len(workspace.kept) > 0
            if is_kept and rules.max_size > 1:
                patches[0] = workspace.kept[y - block.top, x - block.left]
            else:
                bound = rules.max_residuals[size]
                count = choose_atoms(workspace.patches, size, dictionary, bound, workspace.ormp)
                _project(workspace.patches.rows[:size], count, rules, workspace)
            if is_kept:
                workspace.kept[y - block.top, x - block.left] = patches[0]
            for i in range(size):
                v, u = rows[i] - corner[0], columns[i] - corner[1]
                add_patch(patches[i], means[i, 0], v, u, side, sums, counts)


@kernel(inline=True)
def _mark_members(size, y, x, block, spacing, matching, grouped):
    """Mark the members of a group near its first patch that are in the block."""
    for i in range(size):
        v, u = matching.rows[i], matching.columns[i]
        near = abs(v - y) <= spacing and abs(u - x) <= spacing
        if near and block.top <= v < block.bottom and block.left <= u < block.right:
            grouped[v - block.top, u - block.left] = True


@kernel(inline=True)
def _project(patches, count, rules, workspace):
    """Replace patches by the combinations of the chosen directions that estimate them."""
    basis, columns = workspace.ormp.basis, workspace.ormp.columns
    coefficients = workspace.coefficients[: len(patches)]
    filter_responses(patches, columns[: -(-count // PANEL_WIDTH)], coefficients)
    if rules.shrink:
        _shrink(coefficients, count, rules.variance, rules.shrink, workspace.moments)
        # The mean of d pixels has a d-th of the variance; that of the group is not shrunk.
        means = workspace.means[: len(patches)]
        variance = rules.variance / rules.side**2
        _shrink(means, means.shape[1], variance, not rules.shrink, workspace.moments)
    filter_responses(coefficients, basis[:, :count], patches)


@kernel(inline=True)
def _shrink(x, n_columns, variance, also_mean, moments):
    """Shrink deviations from the mean of each column, and optionally the mean, by the noise."""
    means, spreads = moments
    n = len(x)
    means[:] = 0.0
    spreads[:] = 0.0
    for i in range(n):
        for a in range(n_columns):
            means[a] += x[i, a]
    for a in range(n_columns):
        means[a] /= n
    for i in range(n):
        for a in range(n_columns):
            spreads[a] += (x[i, a] - means[a]) ** 2
    # Noise alone would have a spread of variance (n - 1), and n mean² of variance.
    noise = variance * (n - 1)
    for a in range(n_columns):
        factor = 1.0 - noise / spreads[a] if spreads[a] > noise else 0.0
        square, centre = n * means[a] * means[a], means[a]
        if also_mean:
            centre *= 1.0 - variance / square if square > variance else 0.0
        # A deviation d from the mean becomes centre + factor d.
        means[a], spreads[a] = centre - factor * means[a], factor
    for i in range(n):
        for a in range(n_columns):
            x[i, a] = means[a] + spreads[a] * x[i, a]
