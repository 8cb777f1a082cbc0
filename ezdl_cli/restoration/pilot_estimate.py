"""The pilot estimate: each patch is encoded separately, until its residual may be all noise."""

from typing import NamedTuple

import numpy as np

from ..coding.ormp import OrmpWorkspace, ormp_code
from ..core.jit import kernel
from ..core.linear_algebra import allocate_responses, filter_responses, squared_norm
from .overlapping_patches import add_patch, take_patch

CHUNK_PATCHES = 64  # patches whose responses are computed together; BLOCK_SIZE, a row of a block


class PilotWorkspace(NamedTuple):
    """Arrays that the kernels work in."""

    patches: np.ndarray
    means: np.ndarray
    responses: np.ndarray
    ormp: OrmpWorkspace

    @classmethod
    def of(cls, dictionary):
        """Allocate the workspace for patches of the size of the atoms."""
        d = dictionary.W.shape[1]
        return cls(
            np.empty((CHUNK_PATCHES, d), np.float32),
            np.empty(CHUNK_PATCHES, np.float32),
            allocate_responses(CHUNK_PATCHES, dictionary.panels),
            OrmpWorkspace.of(*dictionary.W.shape, d, np.float32),
        )


@kernel(inline=True)
def estimate_patches(noisy, side, block, dictionary, max_residual, workspace, sums, counts):
    """Add the estimates of a block's patches to sums and counts, which start at its corner."""
    patches, means = workspace.patches, workspace.means
    for y in range(block.top, block.bottom):
        for first in range(block.left, block.right, CHUNK_PATCHES):
            m = min(CHUNK_PATCHES, block.right - first)
            # Patches without their means, and their responses.
            for i in range(m):
                means[i] = take_patch(noisy, y, first + i, side, patches[i])
            filter_responses(patches[:m], dictionary.panels, workspace.responses)
            # Each is replaced by its estimate, which is accumulated.
            for i in range(m):
                responses = workspace.responses[i]
                _estimate(patches[i], means[i], responses, dictionary, max_residual, workspace.ormp)
                add_patch(patches[i], y - block.top, first + i - block.left, side, sums, counts)


@kernel(inline=True)
def _estimate(patch, mean, responses, dictionary, max_residual, ormp):
    """Replace a patch by its estimate."""
    W = dictionary.W
    energy = squared_norm(patch)
    b = responses[: len(W)]
    count = ormp_code(b, dictionary.gram, W[:0], dictionary.squares, energy, max_residual, ormp)
    patch[:] = mean
    for c in range(count):
        value, j = patch.dtype.type(ormp.values[c]), ormp.support[c]
        for k in range(patch.size):
            patch[k] += value * W[j, k]
