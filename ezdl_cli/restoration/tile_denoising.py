"""The two passes over a tile of an image, on the scale from 0 to 255.

1. Pilot estimate: ORMP encodes each patch separately until ‖y - ŷ‖² ≤ σ² · F⁻¹(τ), where F is the
   χ² distribution with m degrees of freedom, m the number of pixels of a patch, and τ the
   confidence. Overlapping estimates are averaged.
2. Final estimate: each patch that is not in the group of a nearby one yet forms a group of the
   patches in its window that are similar in the pilot estimate, ‖ŷ - ŷ'‖² ≤ ξ. Their noisy versions
   are encoded with the same atoms until the residuals of all g of them have a total energy of
   Σ‖y - ŷ‖² ≤ σ² · F⁻¹(τ), with νg degrees of freedom. Overlapping estimates are averaged.

Mairal et al. (2009) have ν = m and ξ = 16 σ² for m = 64 (the rules "authors"). By default, ξ grows
with σ, as the error of the pilot estimate does, and ν allows for texture that a sparse code cannot
represent; docs/denoising.md has the reasons and measurements.
"""

from typing import NamedTuple

import numpy as np

from ..core.input_validation import as_float_array
from ..core.linear_algebra import allocate_panels, gram_matrix
from ..core.patch_shape import patch_side
from ..learn.atoms import normalise_atoms
from ..parallel import in_order
from .group_estimate import GroupEstimateWorkspace, estimate_groups
from .pilot_estimate import PilotWorkspace, estimate_patches
from .regions import BLOCK_SIZE, OverlapAverage, Region

MIN_NORM = 1e-6  # of an atom of unit norm without its mean; below it the atom counts as constant


class PatchDictionary(NamedTuple):
    """A dictionary of square patches, as the kernels take it."""

    W: np.ndarray
    """(n_atoms, m) of float32, atoms of zero mean and unit norm"""
    panels: np.ndarray
    """W packed for `filter_responses`"""
    gram: np.ndarray
    squares: np.ndarray
    """the diagonal of the Gram matrix"""

    @classmethod
    def of(cls, W):
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
        panels = allocate_panels(*W.shape, W.dtype)
        gram = gram_matrix(W, panels)
        return cls(W, panels, gram, np.diagonal(gram).copy())


def denoise_tile(pixels, image, tile, sigma, dictionary, parameters, advance):
    """Return the pilot estimate and the final estimate of a tile.

    Parameters
    ----------
    pixels : callable from a Region to its noisy grey values
    image, tile : Region
        The entire image, and the part of it to denoise.
    sigma : float
        Standard deviation of the noise.
    dictionary : PatchDictionary
    parameters : DenoisingParameters
    advance : callable of the share of the tile that is done, which increases

    Returns
    -------
    two arrays of float64, shape of the tile
    """
    m = dictionary.W.shape[1]
    side, radius = patch_side(m), int(parameters.window)
    positions = image._replace(bottom=image.bottom - side + 1, right=image.right - side + 1)
    # Backwards from the tile: groups whose members overlap it, the windows of these groups, the
    # pixels of the pilot estimate in them, the patches that overlap these, and their pixels.
    references = tile.expanded(radius + side - 1, radius, positions).aligned(positions)
    windows = references.expanded(radius, radius, positions)
    pilot_region = windows.expanded(0, side - 1, image)
    patches = pilot_region.expanded(side - 1, 0, positions).aligned(positions)
    noisy_region = patches.expanded(0, side - 1, image)
    noisy = np.ascontiguousarray(pixels(noisy_region), np.float32)
    max_residual = parameters.max_residual(sigma, m)

    def first_pass(block):
        return _estimate_patches(noisy, noisy_region, block, dictionary, side, max_residual)

    pilot = _average(first_pass, patches.split(), pilot_region)
    noisy = np.ascontiguousarray(noisy[pilot_region.relative_to(noisy_region).slices])
    guide = pilot.astype(np.float32)
    rules = parameters.grouping_rules(sigma, m)

    def second_pass(block):
        return _estimate_groups(noisy, guide, pilot_region, block, dictionary, rules)

    estimate = _average(second_pass, references.split(), tile, advance)
    return pilot[tile.relative_to(pilot_region).slices], estimate


def _average(estimate, blocks, region, advance=lambda share: None):
    """Return the mean of the blocks' estimates for each pixel of a region."""
    average = OverlapAverage(region)
    with in_order(estimate, blocks) as results:
        for done, (part, sums, counts) in enumerate(results, 1):
            average.add(part, sums, counts)
            advance(done / len(blocks))
    return average.mean()


def _estimate_patches(noisy, origin, block, dictionary, side, max_residual):
    """Return region, sums and counts of the estimates of a block's patches."""
    height, width = block.shape
    part = Region(block.top, block.bottom + side - 1, block.left, block.right + side - 1)
    sums, counts = np.zeros((2, height + side - 1, width + side - 1), np.float32)
    workspace, here = PilotWorkspace.of(dictionary), block.relative_to(origin)
    estimate_patches(noisy, side, here, dictionary, max_residual, workspace, sums, counts)
    return part, sums, counts


def _estimate_groups(noisy, guide, origin, block, dictionary, rules):
    """Return region, sums and counts of the estimates of the groups of a block's patches."""
    part = block.expanded(rules.radius, rules.radius + rules.side - 1, origin)
    sums, counts = np.zeros((2, *part.shape), np.float32)
    grouped = np.zeros((BLOCK_SIZE, BLOCK_SIZE), np.bool_)
    workspace = GroupEstimateWorkspace.of(dictionary, rules)
    here, corner = block.relative_to(origin), part.relative_to(origin)
    corner = (corner.top, corner.left)
    estimate_groups(noisy, guide, here, corner, dictionary, rules, workspace, grouped, sums, counts)
    return part, sums, counts
