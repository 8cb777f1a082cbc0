"""The pilot: each patch by itself, coded with as many atoms as its noise leaves no doubt of."""

from typing import NamedTuple

import numpy as np

from ..coding.ormp import OrmpWorkspace, ormp_code
from ..core.jit import kernel
from ..core.linear_algebra import allocate_responses, filter_responses, squared_norm
from .overlapping_patches import add_patch, take_patch

AT_ONCE = 64  # patches whose responses are computed together


class PilotRoom(NamedTuple):
    """Scratch of the kernel."""

    patches: np.ndarray
    means: np.ndarray
    responses: np.ndarray
    ormp: OrmpWorkspace

    @classmethod
    def of(cls, atoms):
        """Room for patches as large as the atoms."""
        d = atoms.W.shape[1]
        return cls(
            np.empty((AT_ONCE, d), np.float32),
            np.empty(AT_ONCE, np.float32),
            allocate_responses(AT_ONCE, atoms.panels),
            OrmpWorkspace.of(*atoms.W.shape, d, np.float32),
        )


@kernel(inline=True)
def estimate_patches(noisy, side, block, atoms, bound, room, sums, counts):
    """Add the estimates of all patches of a block to sums and counts, which begin at its corner."""
    patches, means = room.patches, room.means
    for y in range(block.top, block.bottom):
        for first in range(block.left, block.right, AT_ONCE):
            m = min(AT_ONCE, block.right - first)
            for i in range(m):
                means[i] = take_patch(noisy, y, first + i, side, patches[i])
            filter_responses(patches[:m], atoms.panels, room.responses)
            for i in range(m):
                _estimate(patches[i], means[i], room.responses[i], atoms, bound, room.ormp)
                add_patch(patches[i], y - block.top, first + i - block.left, side, sums, counts)


@kernel(inline=True)
def _estimate(patch, mean, responses, atoms, bound, room):
    """Replace a patch by its estimate."""
    energy = squared_norm(patch)
    b = responses[: len(atoms.W)]
    count = ormp_code(b, atoms.gram, atoms.W[:0], atoms.squares, energy, bound, room)
    for k in range(patch.size):
        patch[k] = mean
    for c in range(count):
        value, place = patch.dtype.type(room.values[c]), room.support[c]
        for k in range(patch.size):
            patch[k] += value * atoms.W[place, k]
