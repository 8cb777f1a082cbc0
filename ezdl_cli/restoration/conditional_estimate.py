"""One round of inpainting: all patches are estimated from their known pixels."""

import numpy as np

from .block_matching import Guide
from .conditional_mean import ConditionalMeanRules, ConditionalMeanWorkspace, estimate_missing
from .dictionary_passes import average_blocks
from .regions import Region
from .workspace_pool import WorkspacePool

# Chosen on the crops of docs/restoration.md.
SIDE = 7  # pixels
RADIUS = 12
GROUP_SIZE = 100
STRIDE = 2  # pixels; a grid that moves from round to round makes up for what it leaves out


class ConditionalEstimate:
    """Estimate of an image from its known pixels.

    Parameters
    ----------
    y : array (channels, height, width)
        The known pixels.
    missing : array of bool (height, width)
    noise : float
        Standard deviation of the noise of the known pixels.
    """

    def __init__(self, y, missing, noise):
        self._y, self._missing = np.ascontiguousarray(y, np.float32), missing
        self._noise = noise
        self._image = Region(0, y.shape[1], 0, y.shape[2])
        self._side = min(SIDE, *self._image.shape)
        self._positions = self._image._replace(
            bottom=self._image.bottom - self._side + 1, right=self._image.right - self._side + 1
        )
        self._workspaces, self._n_rounds = WorkspacePool(), 0

    def __call__(self, x, level):
        """Return an estimate from another one, x, whose errors have this level."""
        stride = min(STRIDE, self._side)
        rules = ConditionalMeanRules(
            side=self._side,
            radius=RADIUS,
            stride=stride,
            shift=self._n_rounds % stride,
            size=GROUP_SIZE,
            variance=float(self._noise**2 + level**2),
            is_exact=self._noise == 0.0,
        )
        self._n_rounds += 1
        guide = np.ascontiguousarray(x, np.float32)
        luminance = Guide.of(guide[0], rules.side)

        def estimate_block(block):
            part = block.expanded(0, rules.side - 1, self._image)
            sums = np.zeros((len(x), *part.shape), np.float32)
            counts = np.zeros(part.shape, np.float32)
            with self._workspaces.borrow(
                rules.side, lambda: ConditionalMeanWorkspace.of(rules)
            ) as workspace:
                estimate_missing(
                    *(self._y, self._missing, guide, luminance, block, (part.top, part.left)),
                    *(rules, workspace, sums, counts),
                )
            return part, sums, counts

        return average_blocks(estimate_block, self._positions.split(), self._image, (len(x),))
