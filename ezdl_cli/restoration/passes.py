"""The two passes over a tile of a picture, on the scale from 0 to 255.

1. Pilot: ORMP codes each patch by itself, until ‖y - ŷ‖² ≤ σ² · F⁻¹(τ), where F is the distribution
   of χ² with m degrees of freedom, m the pixels of a patch, and τ the confidence. Overlaps are
   averaged.
2. Groups: a patch that is in no group of a near one yet collects the patches of its window that
   are similar on the pilot, ‖ŷ - ŷ'‖² ≤ ξ. Their noisy originals are coded with the same atoms,
   until the rests of all g of them have Σ‖y - ŷ‖² ≤ σ² · F⁻¹(τ) of νg degrees of freedom. Overlaps
   are averaged.

Mairal et al. (2009) have ν = m and ξ = 16 σ² for m = 64. Here ξ grows with σ, as the pilot's error
does, and ν leaves room for the texture that no few atoms explain: `docs/denoising.md` has the
reasons and the measurements.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..core.input_validation import as_float_array
from ..core.linear_algebra import allocate_panels, gram_matrix
from ..core.patch_shape import patch_side
from ..learn.atoms import normalise_atoms
from ..parallel import in_order
from .groups import GroupsRoom, Rules, estimate_groups
from .pilot import PilotRoom, estimate_patches
from .regions import BLOCK, Overlaps, Region

TEXTURE = 8.0  # grey levels of what no few atoms explain
LARGEST_SHARE = 0.92  # of the noise that codes leave: some of it is always in their span


@dataclass(frozen=True)
class Parameters:
    """How to denoise."""

    window: int = 32
    """how far similar patches are searched for, in pixels to each side"""
    spacing: int = 8
    """patches that are in the group of one so near make none of their own"""
    group_size: int = 384
    """patches of a group at the most: the nearest ones"""
    least: int = 8
    """patches of a group at the least, where they are found: the nearest ones"""
    distance: float = 7.0
    """ξ / (m σ), mean squared difference of similar patches in units of the noise level"""
    confidence: float = 0.8
    """τ"""
    noise_share: float | None = None
    """ν / m; None is 0.92 σ² / (σ² + 8²)"""
    shrink: bool = True
    """whether coefficients are shrunk by what noise explains of them"""

    def check(self):
        """Raise ValueError if a parameter is out of range."""
        ranges = {"window": (0, 1000), "spacing": (0, 1000)}
        ranges |= {"group_size": (1, 10**5), "least": (1, 10**5)}
        for name, (least, most) in ranges.items():
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or not least <= value <= most:
                raise ValueError(f"{name} must be a whole number from {least} to {most}")
        if not 0.0 <= self.distance < np.inf:
            raise ValueError(f"distance must not be negative, but is {self.distance}")
        if not 0.0 < self.confidence < 1.0:
            raise ValueError(f"confidence must be between 0 and 1, not {self.confidence}")
        if self.noise_share is not None and not 0.0 < self.noise_share <= 2.0:
            raise ValueError(f"noise_share must be between 0 and 2, not {self.noise_share}")

    def bound(self, sigma, m):
        """What codes may leave of a single patch of m pixels, ‖y - ŷ‖²."""
        return float(sigma**2 * chi_square(self.confidence, m))

    def rules(self, sigma, m):
        """The rules for groups of patches of m pixels."""
        size = int(min(self.group_size, (2 * int(self.window) + 1) ** 2))
        share = self.noise_share or LARGEST_SHARE * sigma**2 / (sigma**2 + TEXTURE**2)
        freedom = share * m * np.arange(1, size + 1)
        return Rules(
            patch_side(m),
            int(self.window),
            int(self.spacing),
            np.float32(min(self.distance * m * sigma, float(np.finfo(np.float32).max))),
            int(min(self.least, size)),
            size,
            np.append(0.0, sigma**2 * chi_square(self.confidence, freedom)),
            float(sigma**2),
            bool(self.shrink),
        )


def chi_square(confidence, freedom):
    """Quantile of the χ² distribution."""
    from scipy.special import gammaincinv

    return 2.0 * gammaincinv(np.divide(freedom, 2.0), confidence)


class Atoms(NamedTuple):
    """A dictionary as the kernels want it."""

    W: np.ndarray
    panels: np.ndarray
    gram: np.ndarray
    squares: np.ndarray

    @classmethod
    def of(cls, W):
        """Atoms (n_atoms, m) without their means, which patches have not either; unit norm.

        Raises
        ------
        ValueError
            If they are no square patches of finite numbers, or all are constant.
        """
        W = as_float_array(W, "W")
        if W.ndim != 2 or W.size == 0 or not np.isfinite(W).all():
            raise ValueError("W must have atoms of finite numbers as rows")
        patch_side(W.shape[1])
        W = W.astype(np.float64)
        normalise_atoms(W)
        W -= W.mean(axis=1, keepdims=True)
        W = W[np.linalg.norm(W, axis=1) > 1e-6].astype(np.float32)
        if len(W) == 0:
            raise ValueError("W must have atoms that are not constant")
        normalise_atoms(W)
        panels = allocate_panels(*W.shape, W.dtype)
        gram = gram_matrix(W, panels)
        return cls(W, panels, gram, np.diagonal(gram).copy())


def denoise_tile(pixels, whole, tile, sigma, atoms, parameters, advance):
    """Pilot and estimate of a tile.

    Parameters
    ----------
    pixels : function from a Region to the noisy grey values there, array of float32
    whole, tile : Region
        The picture, and the part of it that is wanted.
    sigma : float
        Standard deviation of the noise.
    atoms : Atoms
    parameters : Parameters
    advance : function of the share of the tile that is done, called with growing shares

    Returns
    -------
    two arrays of float64, as large as the tile
    """
    m = atoms.W.shape[1]
    side, radius = patch_side(m), int(parameters.window)
    places = whole._replace(bottom=whole.bottom - side + 1, right=whole.right - side + 1)
    # Backwards: which patches decide on these pixels, which pixels on those.
    seeds = tile.grown(radius + side - 1, radius, places).whole_blocks(places)
    windows = seeds.grown(radius, radius, places)
    guide = windows.grown(0, side - 1, whole)
    patches = guide.grown(side - 1, 0, places).whole_blocks(places)
    needed = patches.grown(0, side - 1, whole)
    noisy = np.ascontiguousarray(pixels(needed), np.float32)
    bound = parameters.bound(sigma, m)

    def first_pass(block):
        return _pilot_of_block(noisy, needed, block, atoms, side, bound)

    pilot = _averaged(first_pass, patches.split(), guide)
    noisy = np.ascontiguousarray(noisy[guide.seen_from(needed).slices])
    on_pilot = pilot.astype(np.float32)
    rules = parameters.rules(sigma, m)

    def second_pass(block):
        return _groups_of_block(noisy, on_pilot, guide, block, atoms, rules)

    estimate = _averaged(second_pass, seeds.split(), tile, advance)
    return pilot[tile.seen_from(guide).slices], estimate


def _averaged(estimate, blocks, region, advance=lambda share: None):
    """Mean of the estimates that the blocks give for each pixel of a region."""
    overlaps = Overlaps(region)
    with in_order(estimate, blocks) as results:
        for done, (part, sums, counts) in enumerate(results, 1):
            overlaps.add(part, sums, counts)
            advance(done / len(blocks))
    return overlaps.means()


def _pilot_of_block(noisy, origin, block, atoms, side, bound):
    """Region, sums and counts of the estimates of a block's patches."""
    height, width = block.shape
    part = Region(block.top, block.bottom + side - 1, block.left, block.right + side - 1)
    sums, counts = np.zeros((2, height + side - 1, width + side - 1), np.float32)
    room = PilotRoom.of(atoms)
    estimate_patches(noisy, side, block.seen_from(origin), atoms, bound, room, sums, counts)
    return part, sums, counts


def _groups_of_block(noisy, pilot, origin, block, atoms, rules):
    """Region, sums and counts of the estimates of the groups that a block's patches make."""
    part = block.grown(rules.radius, rules.radius + rules.side - 1, origin)
    sums, counts = np.zeros((2, *part.shape), np.float32)
    grouped = np.zeros((BLOCK, BLOCK), np.bool_)
    room = GroupsRoom.of(atoms, rules)
    here, corner = block.seen_from(origin), part.seen_from(origin)
    corner = (corner.top, corner.left)
    estimate_groups(noisy, pilot, here, corner, atoms, rules, room, grouped, sums, counts)
    return part, sums, counts
