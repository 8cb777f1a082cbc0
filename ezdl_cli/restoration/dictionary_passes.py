"""The first two passes over a tile of a channel, on the scale from 0 to 255.

1. Pilot estimate: ORMP encodes each patch separately until ‖y - ŷ‖² ≤ σ² · F⁻¹(τ), where F is the
   χ² distribution with m degrees of freedom, m the number of pixels of a patch, and τ the
   confidence. Overlapping estimates are averaged.
2. Group estimate: each patch that is not in the group of a nearby one yet forms a group of the
   patches in its window that are similar in the pilot estimate, ‖ŷ - ŷ'‖² ≤ ξ. Their noisy versions
   are encoded with the same atoms until the residuals of all g of them have a total energy of
   Σ‖y - ŷ‖² ≤ σ² · F⁻¹(τ), with νg degrees of freedom. Overlapping estimates are averaged.

Mairal et al. (2009) have ν = m and ξ = 16 σ² for m = 64 (the rules "authors"). By default, ξ grows
with σ, as the error of the pilot estimate does, and ν allows for texture that a sparse code cannot
represent; docs/denoising.md has the reasons and measurements.
"""

import numpy as np

from ..coding.group_ormp import GroupDictionary
from ..core.input_validation import as_float_array
from ..core.patch_shape import patch_side
from ..learn.atoms import normalise_atoms
from ..parallel import in_order
from .block_matching import Guide
from .group_estimate import GroupEstimateWorkspace, estimate_groups
from .kept_estimates import KeptEstimates
from .regions import BLOCK_SIZE, OverlapAverage

MIN_NORM = 1e-6  # of an atom of unit norm without its mean; below it the atom counts as constant


def patch_dictionary(W):
    """Return the dictionary of atoms (n_atoms, m) with their means subtracted, as of patches.

    Raises
    ------
    ValueError
        If the atoms are not square patches of finite numbers, or all are constant.
    """
    W = as_float_array(W, "W")
    if W.ndim != 2 or W.size == 0 or not np.isfinite(W).all():
        raise ValueError("W must have atoms of finite numbers as rows")
    patch_side(W.shape[1])
    W = W.astype(np.float64)
    normalise_atoms(W)
    W -= W.mean(axis=1, keepdims=True)
    W = W[np.linalg.norm(W, axis=1) > MIN_NORM].astype(np.float32)
    if len(W) == 0:
        raise ValueError("W must have atoms that are not constant")
    normalise_atoms(W)
    return GroupDictionary.of(W)


class DictionaryPasses:
    """The two passes over a channel of an image.

    Parameters
    ----------
    image : Region
        The entire image.
    sigma : float
        Standard deviation of the noise.
    dictionary : GroupDictionary
    parameters : DenoisingParameters
    workspaces : WorkspacePool
    """

    def __init__(self, image, sigma, dictionary, parameters, workspaces):
        m = dictionary.W.shape[1]
        self._image, self._side, self._radius = image, patch_side(m), int(parameters.window)
        self._positions = image._replace(
            bottom=image.bottom - self._side + 1, right=image.right - self._side + 1
        )
        self._dictionary, self._workspaces = dictionary, workspaces
        self._pilot_rules = parameters.pilot_rules(sigma, m)
        self._rules = parameters.grouping_rules(sigma, m)

    def estimate(self, pixels, tile, advance, guide=None):
        """Return the pilot estimate and the final estimate of a tile.

        Parameters
        ----------
        pixels : callable from a Region to its noisy grey values
        tile : Region
        advance : callable of the share of the tile that is done, which increases
        guide : callable from a Region to grey values, optional
            An estimate of the image that replaces the pilot estimate.

        Returns
        -------
        two arrays of float64, shape of the tile
        """
        # Backwards from the tile: groups whose members overlap it, the windows of these groups, and
        # the pixels of the pilot estimate in them.
        radius, side = self._radius, self._side
        references = tile.expanded(radius + side - 1, radius, self._positions)
        references = references.aligned(self._positions)
        windows = references.expanded(radius, radius, self._positions)
        region = windows.expanded(0, side - 1, self._image)
        kept = KeptEstimates(self._pilot_rules, self._rules)
        pilot = self._pilot(pixels, region, kept) if guide is None else guide(region)
        noisy = np.ascontiguousarray(pixels(region), np.float32)
        prepared = Guide.of(np.ascontiguousarray(pilot, np.float32), side)

        def second_pass(block):
            estimates = kept.pop(block)
            return self._estimate_groups(noisy, prepared, region, block, self._rules, estimates)

        final = average_blocks(second_pass, references.split(), tile, advance=advance)
        return pilot[tile.relative_to(region).slices], final

    def _pilot(self, pixels, region, kept):
        """Return the pilot estimate of a region, and keep estimates that are of use again."""
        m = self._side**2
        # The patches that overlap the region, and their pixels.
        patches = region.expanded(self._side - 1, 0, self._positions).aligned(self._positions)
        noisy_region = patches.expanded(0, self._side - 1, self._image)
        noisy = np.ascontiguousarray(pixels(noisy_region), np.float32)
        guide = Guide.of(noisy, self._side)

        def first_pass(block):
            estimates = kept.new(block, m)
            return self._estimate_groups(
                noisy, guide, noisy_region, block, self._pilot_rules, estimates
            )

        return average_blocks(first_pass, patches.split(), region)

    def _estimate_groups(self, noisy, guide, origin, block, rules, kept):
        """Return region, sums and counts of the estimates of the groups of a block's patches."""
        part = block.expanded(rules.radius, rules.radius + rules.side - 1, origin)
        sums, counts = np.zeros((2, *part.shape), np.float32)
        grouped = np.zeros((BLOCK_SIZE, BLOCK_SIZE), np.bool_)
        here, there = block.relative_to(origin), part.relative_to(origin)
        corner, dictionary = (there.top, there.left), self._dictionary
        with self._workspaces.borrow(
            (dictionary.W.shape, rules.radius, rules.max_size),
            lambda: GroupEstimateWorkspace.of(dictionary, rules),
        ) as workspace:
            workspace = workspace._replace(kept=kept)
            estimate_groups(
                noisy, guide, here, corner, dictionary, rules, workspace, grouped, sums, counts
            )
        return part, sums, counts


def average_blocks(estimate, blocks, region, channels=(), advance=lambda share: None):
    """Return the mean of the blocks' estimates for each pixel of a region.

    `estimate` is a function of a block that returns a region, and sums and counts of estimates.
    `channels` is the shape of the channels, if there are several.
    """
    average = OverlapAverage(region, channels)
    with in_order(estimate, blocks) as results:
        for done, (part, sums, counts) in enumerate(results, 1):
            average.add(part, sums, counts)
            advance(done / len(blocks))
    return average.mean()
