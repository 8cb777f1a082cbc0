"""The final estimate: groups of similar patches, encoded with the same atoms.

The estimate of a group lies in the span of its atoms. Along each direction of an orthonormal basis
of the span, the mean of the group and the deviations of the patches from it are both shrunk by the
share of them that noise explains (James and Stein 1961). The mean grey values of the patches are
treated in the same way, except that the mean of the group remains. Without shrinkage, patches are
projected onto the span, as Mairal et al. (2009) do.
"""

from typing import NamedTuple

import numpy as np

from ..coding.group_ormp import GroupOrmpWorkspace, group_basis
from ..core.jit import kernel
from .block_matching import MatchingWorkspace, find_nearest, find_similar
from .overlapping_patches import add_patch, take_patch


class GroupingRules(NamedTuple):
    """How groups are formed and encoded, as the kernels take it."""

    side: int
    """side of a patch in pixels"""
    radius: int
    """half width of the search window in pixels"""
    spacing: int
    """distance in pixels within which a member of a group does not start another group"""
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
    patches: np.ndarray
    means: np.ndarray
    coefficients: np.ndarray
    estimate: np.ndarray

    @classmethod
    def of(cls, dictionary, rules):
        """Allocate the workspace for groups under these rules."""
        d = rules.side**2
        return cls(
            MatchingWorkspace.of(rules.radius),
            GroupOrmpWorkspace.of(dictionary.W, dictionary.panels, rules.max_size),
            np.empty((rules.max_size, d), np.float32),
            np.empty(rules.max_size, np.float32),
            np.empty((d, rules.max_size), np.float32),
            np.empty(d, np.float32),
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
    side, (top, left) = rules.side, corner
    for y in range(block.top, block.bottom):
        for x in range(block.left, block.right):
            if grouped[y - block.top, x - block.left]:
                continue
            # The group; members near the patch that are in the block form none of their own.
            size = _find_group(guide, y, x, rules, workspace.matching)
            for i in range(size):
                v, u = rows[i], columns[i]
                near = abs(v - y) <= rules.spacing and abs(u - x) <= rules.spacing
                if near and block.top <= v < block.bottom and block.left <= u < block.right:
                    grouped[v - block.top, u - block.left] = True
                workspace.means[i] = take_patch(noisy, v, u, side, workspace.patches[i])
            # Its code, and the estimates of all members.
            count = _encode_group(size, dictionary, rules, workspace)
            for i in range(size):
                _combine(i, count, workspace)
                add_patch(workspace.estimate, rows[i] - top, columns[i] - left, side, sums, counts)


@kernel(inline=True)
def _find_group(guide, y, x, rules, matching):
    """Find similar patches or, if these are too few, the nearest ones; return their number."""
    side, radius = rules.side, rules.radius
    size = find_similar(guide, y, x, side, radius, rules.max_distance, rules.max_size, matching)
    if size < rules.min_size:
        size = find_nearest(guide, y, x, side, radius, rules.min_size, matching)
    return size


@kernel(inline=True)
def _encode_group(size, dictionary, rules, workspace):
    """Compute the shrunk coefficients of the patches in a basis; return its dimension."""
    patches, coefficients = workspace.patches[:size], workspace.coefficients
    W, panels, gram, squares = dictionary
    count = group_basis(
        patches, W, panels, gram, squares, rules.max_residuals[size], workspace.ormp
    )
    for a in range(count):
        direction, along = workspace.ormp.basis[a], coefficients[a]
        for i in range(size):
            total = along.dtype.type(0)
            for k in range(direction.size):
                total += direction[k] * patches[i, k]
            along[i] = total
        if rules.shrink:
            _shrink(along[:size], rules.variance, True)
    if rules.shrink:
        # The mean of d pixels has a d-th of the variance.
        _shrink(workspace.means[:size], rules.variance / patches.shape[1], False)
    return count


@kernel(inline=True)
def _shrink(x, variance, also_mean):
    """Shrink deviations from the mean, and optionally the mean, by the share of noise; in place."""
    total = 0.0
    for i in range(x.size):
        total += x[i]
    mean = total / x.size
    spread = 0.0
    for i in range(x.size):
        spread += (x[i] - mean) ** 2
    # Noise alone would have a spread of variance (n - 1), and n mean² of variance.
    noise = variance * (x.size - 1)
    factor = x.dtype.type(1.0 - noise / spread if spread > noise else 0.0)
    middle = x.dtype.type(mean)
    centre = middle
    if also_mean:
        square = mean * mean * x.size
        centre = x.dtype.type(mean * (1.0 - variance / square) if square > variance else 0.0)
    for i in range(x.size):
        x[i] = centre + factor * (x[i] - middle)


@kernel(inline=True)
def _combine(i, count, workspace):
    """Compute the estimate of patch i from its coefficients and its mean."""
    estimate, basis = workspace.estimate, workspace.ormp.basis
    estimate[:] = workspace.means[i]
    for a in range(count):
        value = workspace.coefficients[a, i]
        for k in range(estimate.size):
            estimate[k] += value * basis[a, k]
