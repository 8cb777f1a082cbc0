"""Parameters of denoising; docs/denoising.md has the reasons and measurements for the defaults."""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincinv

from ..core.patch_shape import patch_side
from .group_estimate import GroupingRules

# Standard deviation in grey levels of the texture that a sparse code cannot represent.
TEXTURE = 8.0
# Share of the noise energy left in the residual: some always lies in the span of the chosen atoms.
MAX_NOISE_SHARE = 0.92


@dataclass(frozen=True)
class DenoisingParameters:
    """Parameters of denoising and their defaults."""

    window: int = 32
    """Radius of the search for similar patches, in pixels."""
    spacing: int = 8
    """A patch in the group of another one within this distance forms no group of its own."""
    group_size: int = 384
    """Maximum number of patches in a group; the most similar ones are taken."""
    min_group_size: int = 8
    """Minimum number of patches in a group, similar or not, if the window has that many."""
    distance: float = 7.0
    """ξ / (m σ), mean squared difference of similar patches relative to the noise level."""
    confidence: float = 0.8
    """τ, the quantile of the noise energy that residuals may have."""
    noise_share: float | None = None
    """ν / m, share of the noise energy left in group residuals; None is 0.92 σ² / (σ² + 8²)."""
    shrink: bool = True
    """Whether coefficients are shrunk by the share of them that noise explains."""

    def check(self):
        """Raise ValueError if a parameter is out of range."""
        ranges = {"window": (0, 1000), "spacing": (0, 1000)}
        ranges |= {"group_size": (1, 10**5), "min_group_size": (1, 10**5)}
        for name, (minimum, maximum) in ranges.items():
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or not minimum <= value <= maximum:
                raise ValueError(
                    f"{name} must be an integer from {minimum} to {maximum}, not {value}"
                )
        if not 0.0 <= self.distance < np.inf:
            raise ValueError(f"distance must not be negative, but is {self.distance}")
        if not 0.0 < self.confidence < 1.0:
            raise ValueError(f"confidence must be between 0 and 1, not {self.confidence}")
        if self.noise_share is not None and not 0.0 < self.noise_share <= 2.0:
            raise ValueError(f"noise_share must be between 0 and 2, not {self.noise_share}")

    def max_residual(self, sigma, m):
        """Return the energy ‖y - ŷ‖² that the code of a patch of m pixels may leave."""
        return float(sigma**2 * chi_square_quantile(self.confidence, m))

    def grouping_rules(self, sigma, m):
        """Return the rules for groups of patches of m pixels, as the kernels take them."""
        size = int(min(self.group_size, (2 * int(self.window) + 1) ** 2))
        share = self.noise_share or MAX_NOISE_SHARE * sigma**2 / (sigma**2 + TEXTURE**2)
        freedom = share * m * np.arange(1, size + 1)
        return GroupingRules(
            side=patch_side(m),
            radius=int(self.window),
            spacing=int(self.spacing),
            max_distance=np.float32(
                min(self.distance * m * sigma, float(np.finfo(np.float32).max))
            ),
            min_size=int(min(self.min_group_size, size)),
            max_size=size,
            max_residuals=np.append(0.0, sigma**2 * chi_square_quantile(self.confidence, freedom)),
            variance=float(sigma**2),
            shrink=bool(self.shrink),
        )


def chi_square_quantile(confidence, freedom):
    """Return the quantile of the χ² distribution; scipy.stats would take long to import."""
    return 2.0 * gammaincinv(np.divide(freedom, 2.0), confidence)
