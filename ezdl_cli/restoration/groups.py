"""Groups of similar patches, coded with the same atoms.

The estimate of a group lies in the span of its atoms. Within it, each direction is estimated by
itself: the group's mean along it, and what the patches differ from that mean, are both shrunk by
the share of them that noise explains (James and Stein 1961). The patches' mean grey values are
treated likewise, but for that the group's mean stays. Without shrinkage patches are projected onto
the span, as Mairal et al. (2009) do.
"""

from typing import NamedTuple

import numpy as np

from ..coding.group_ormp import GroupOrmpWorkspace, group_basis
from ..core.jit import kernel
from .matching import MatchRoom, find_group, find_nearest
from .overlapping_patches import add_patch, take_patch


class Rules(NamedTuple):
    """Numbers that the kernel goes by."""

    side: int
    radius: int
    spacing: int
    limit: float
    """of the squared distance on the pilot, float32"""
    least: int
    """size of a group, if so many are not too far"""
    size: int
    """of a group at the most"""
    bounds: np.ndarray
    """of what codes leave of a group, by its size"""
    variance: float
    """of the noise"""
    shrink: bool


class GroupsRoom(NamedTuple):
    """Scratch of the kernel."""

    match: MatchRoom
    group: GroupOrmpWorkspace
    patches: np.ndarray
    means: np.ndarray
    coefficients: np.ndarray
    estimate: np.ndarray

    @classmethod
    def of(cls, atoms, rules):
        """Room for groups under these rules."""
        d = rules.side**2
        return cls(
            MatchRoom.of(rules.radius),
            GroupOrmpWorkspace.of(atoms.W, atoms.panels, rules.size),
            np.empty((rules.size, d), np.float32),
            np.empty(rules.size, np.float32),
            np.empty((d, rules.size), np.float32),
            np.empty(d, np.float32),
        )


@kernel(inline=True)
def estimate_groups(noisy, pilot, block, corner, atoms, rules, room, grouped, sums, counts):
    """Add the estimates of groups to sums and counts, which begin at a corner (row, column).

    Each patch of the block that is in no group of a near patch yet makes one; `grouped` is False
    for all of them.
    """
    rows, columns, side = room.match.rows, room.match.columns, rules.side
    top, left = corner
    for y in range(block.top, block.bottom):
        for x in range(block.left, block.right):
            if grouped[y - block.top, x - block.left]:
                continue
            size = _find(pilot, y, x, rules, room.match)
            for i in range(size):
                v, u = rows[i], columns[i]
                near = abs(v - y) <= rules.spacing and abs(u - x) <= rules.spacing
                if near and block.top <= v < block.bottom and block.left <= u < block.right:
                    grouped[v - block.top, u - block.left] = True
                room.means[i] = take_patch(noisy, v, u, side, room.patches[i])
            count = _code(size, atoms, rules, room)
            for i in range(size):
                _combine(i, count, room)
                add_patch(room.estimate, rows[i] - top, columns[i] - left, side, sums, counts)


@kernel(inline=True)
def _find(pilot, y, x, rules, room):
    """Find the group of a patch; if few are similar, the nearest ones."""
    size = find_group(pilot, y, x, rules.side, rules.radius, rules.limit, rules.size, room)
    if size < rules.least:
        size = find_nearest(pilot, y, x, rules.side, rules.radius, rules.least, room)
    return size


@kernel(inline=True)
def _code(size, atoms, rules, room):
    """Coefficients of the first patches in the span of their atoms, whose number is returned."""
    patches, coefficients = room.patches[:size], room.coefficients
    bound = rules.bounds[size]
    count = group_basis(
        patches, atoms.W, atoms.panels, atoms.gram, atoms.squares, bound, room.group
    )
    for a in range(count):
        direction, along = room.group.basis[a], coefficients[a]
        for i in range(size):
            total = along.dtype.type(0)
            for k in range(direction.size):
                total += direction[k] * patches[i, k]
            along[i] = total
        if rules.shrink:
            _shrink(along[:size], rules.variance, True)
    if rules.shrink:
        _shrink(room.means[:size], rules.variance / patches.shape[1], False)
    return count


@kernel(inline=True)
def _shrink(x, variance, also_mean):
    """Shrink the differences from the mean, and the mean if wanted, by what noise explains."""
    total = 0.0
    for i in range(x.size):
        total += x[i]
    mean = total / x.size
    spread = 0.0
    for i in range(x.size):
        spread += (x[i] - mean) ** 2
    noise = variance * (x.size - 1)
    keep = x.dtype.type(1.0 - noise / spread if spread > noise else 0.0)
    middle = x.dtype.type(mean)
    centre = middle
    if also_mean:
        square = mean * mean * x.size
        centre = x.dtype.type(mean * (1.0 - variance / square) if square > variance else 0.0)
    for i in range(x.size):
        x[i] = centre + keep * (x[i] - middle)


@kernel(inline=True)
def _combine(i, count, room):
    """The estimate of a patch from its coefficients."""
    estimate, basis = room.estimate, room.group.basis
    for k in range(estimate.size):
        estimate[k] = room.means[i]
    for a in range(count):
        value = room.coefficients[a, i]
        for k in range(estimate.size):
            estimate[k] += value * basis[a, k]
