"""The third pass: all channels of a tile are estimated together, guided by the second pass.

Patches that are similar in the luminance of the guide form a group, whose mean and covariance
yield its estimate (`wiener_estimate`). Its errors differ from those of the sparse codes, so that a
weighted mean is better than either. Differences of colours take this estimate alone, since the
luminance shows better which patches are similar.
"""

import numpy as np

from .block_matching import Guide
from .dictionary_passes import average_blocks
from .wiener_estimate import WienerRules, WienerWorkspace, estimate_by_covariance

# Chosen on the crops of docs/denoising.md.
SIDE = 5  # pixels; larger patches would have too many entries for the covariance of a group
RADIUS = 16
STRIDE = 4
MIN_GROUP_SIZE = {1: 20, 3: 40}  # by the number of channels
MAX_GROUP_SIZE = 256
DISTANCE = 0.2  # mean squared difference of similar patches relative to the noise level
LUMINANCE_WEIGHT = 0.7  # of this estimate, against the guide


class Refinement:
    """The third pass over an image.

    Parameters
    ----------
    image : Region
        The entire image.
    sigmas : list of float
        Noise level of each channel, on the scale from 0 to 255; the first one is the luminance.
    window : int
        Upper limit of the radius of the search for similar patches.
    workspaces : WorkspacePool
    """

    def __init__(self, image, sigmas, window, workspaces):
        self._image, self._workspaces = image, workspaces
        side, radius = min(SIDE, *image.shape), min(RADIUS, int(window))
        self._rules = WienerRules(
            side=side,
            radius=radius,
            stride=min(STRIDE, side),
            max_distance=np.float32(DISTANCE * sigmas[0] * side**2),
            min_size=min(MIN_GROUP_SIZE[len(sigmas)], (2 * radius + 1) ** 2),
            max_size=MAX_GROUP_SIZE,
            variances=np.square(sigmas, dtype=np.float64),
        )
        self._positions = image._replace(
            bottom=image.bottom - side + 1, right=image.right - side + 1
        )

    def guide_region(self, tile):
        """Return the region of the guide that the estimate of a tile depends on."""
        return self._windows(self._references(tile)).expanded(0, self._rules.side - 1, self._image)

    def estimate(self, noisy, guide, tile):
        """Return the estimate of all channels of a tile.

        `noisy` and `guide` (channels, height, width) are those of its `guide_region`.
        """
        rules, origin = self._rules, self.guide_region(tile)
        noisy, guide = (np.ascontiguousarray(values, np.float32) for values in (noisy, guide))
        luminance = Guide.of(guide[0], rules.side)
        key = ("refinement", len(noisy), rules.side, rules.radius, rules.max_size)

        def estimate_block(block):
            part = block.expanded(rules.radius, rules.radius + rules.side - 1, origin)
            sums = np.zeros((len(noisy), *part.shape), np.float32)
            counts = np.zeros(part.shape, np.float32)
            here, there = block.relative_to(origin), part.relative_to(origin)
            corner = (there.top, there.left)
            with self._workspaces.borrow(key, lambda: WienerWorkspace.of(rules)) as workspace:
                estimate_by_covariance(
                    noisy, guide, luminance, here, corner, rules, workspace, sums, counts
                )
            return part, sums, counts

        blocks = self._references(tile).split()
        estimate = average_blocks(estimate_block, blocks, tile, (len(noisy),))
        weights = np.ones((len(noisy), 1, 1))
        weights[0] = LUMINANCE_WEIGHT
        inner = tile.relative_to(origin).slices
        return guide[:, *inner] + weights * (estimate - guide[:, *inner])

    def _references(self, tile):
        """Return the patches whose groups may overlap a tile."""
        side, radius = self._rules.side, self._rules.radius
        return tile.expanded(radius + side - 1, radius, self._positions).aligned(self._positions)

    def _windows(self, references):
        """Return the patches that may be in groups of the references."""
        radius = self._rules.radius
        return references.expanded(radius, radius, self._positions)
