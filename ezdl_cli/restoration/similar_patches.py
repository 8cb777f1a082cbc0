"""Denoising by the mean and covariance of similar patches of the noisy image itself.

The estimate of a group of patches is that of `wiener_estimate`, with the noisy image as the guide:
the covariance of the group contains the noise, so that only a part of it is removed. In the rounds
of plug-and-play methods, this is what is wanted: the estimate moves in many small steps, each of
which costs a fraction of a complete denoising.

Patches are compared by their first channel; each channel has a covariance of its own.
"""

from typing import NamedTuple

import numpy as np

from ..core.jit import kernel
from .block_matching import Guide, find_group
from .dictionary_passes import average_blocks
from .regions import Region, is_on_grid
from .wiener_estimate import (
    WienerWorkspace,
    add_group,
    count_group,
    factorise,
    solve,
    take_group,
)
from .workspace_pool import WorkspacePool

# Chosen on the crops of docs/restoration.md.
SIDE = 5  # pixels
RADIUS = 16
STRIDE = 5  # pixels; a grid that moves from round to round makes up for what it leaves out
GROUP_SIZE = 24


class SimilarPatchesRules(NamedTuple):
    """How groups are formed, as the kernels take it."""

    side: int
    """side of a patch in pixels"""
    radius: int
    """half width of the search window in pixels"""
    stride: int
    """distance in pixels of the patches that form groups"""
    shift: int
    """row and column of the first of them, less than the stride"""
    size: int
    """number of patches in a group"""
    variances: np.ndarray
    """variance of the noise, the same in all channels (1,)"""

    @property
    def max_size(self):
        """Number of patches for which workspace is needed."""
        return self.size


class SimilarPatchesDenoiser:
    """Denoiser of channels (channels, height, width), all with the same level of noise."""

    def __init__(self):
        self._workspaces, self._n_calls = WorkspacePool(), 0

    def __call__(self, x, level):
        image = Region(0, x.shape[1], 0, x.shape[2])
        side = min(SIDE, *image.shape)
        rules = SimilarPatchesRules(
            side,
            RADIUS,
            min(STRIDE, side),
            self._n_calls % min(STRIDE, side),
            GROUP_SIZE,
            np.array([level**2], np.float64),
        )
        self._n_calls += 1
        x = np.ascontiguousarray(x, np.float32)
        luminance = Guide.of(x[0], side)
        positions = image._replace(bottom=image.bottom - side + 1, right=image.right - side + 1)

        def estimate_block(block):
            part = block.expanded(RADIUS, RADIUS + side - 1, image)
            sums = np.zeros((len(x), *part.shape), np.float32)
            counts = np.zeros(part.shape, np.float32)
            corner = (part.top, part.left)
            with self._workspaces.borrow(side, lambda: WienerWorkspace.of(rules)) as workspace:
                estimate_groups_of_channels(
                    x, luminance, block, corner, rules, workspace, sums, counts
                )
            return part, sums, counts

        return average_blocks(estimate_block, positions.split(), image, (len(x),))


@kernel(inline=True)
def estimate_groups_of_channels(noisy, luminance, block, corner, rules, workspace, sums, counts):
    """Add the estimates of the groups of a block to sums and counts, which start at `corner`.

    `noisy` is an array (channels, height, width), and `luminance` its first channel, prepared for
    block matching.
    """
    for y in range(block.top, block.bottom):
        for x in range(block.left, block.right):
            if not is_on_grid(y, x, block, rules.stride, rules.shift):
                continue
            size = find_group(luminance, y, x, rules, workspace.matching)
            for c in range(len(noisy)):
                channel = noisy[c : c + 1]
                take_group(
                    channel, size, rules.side, workspace, workspace.noisy, workspace.guide_mean
                )
                factorise(workspace.noisy, size, rules, workspace.factor)
                solve(size, workspace)
                add_group(size, corner, rules, workspace, sums[c : c + 1])
            count_group(size, corner, rules.side, workspace, counts)
