"""Parameters of denoising and two sets of rules for them; docs/denoising.md has the reasons."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Literal, Self

import numpy as np
from scipy.special import gammaincinv

from ..core.parameter_validation import as_number, check_integer
from ..core.patch_shape import patch_side
from .group_estimate import GroupingRules

# Standard deviation in grey levels of the texture that a sparse code cannot represent.
TEXTURE = 9.0
# The same for differences of colours, which vary less.
CHROMA_TEXTURE = 1.2
# Share of the noise energy left in the residual: some always lies in the span of the chosen atoms.
MAX_NOISE_SHARE = 0.92
# Noise level below which a quarter of the patches gives the same quality as all of them, and the
# given dictionary the same as an adapted one.
WEAK_NOISE = 8.0
MAX_DISTANCE = 1000  # pixels; larger windows would take hours
MAX_GROUP_SIZE = 10**5


@dataclass(frozen=True)
class DenoisingRules:
    """Values of the parameters that are not given."""

    spacing: int
    group_size: int
    min_group_size: int
    shrink: bool
    stride: Callable
    """Function of the noise level."""
    distance: Callable
    """Function of the noise level."""
    noise_share: Callable
    """Function of the noise level and of the standard deviation of texture."""
    refine: bool
    adapt: Callable
    """Function of the noise level."""


RULES = {
    "ezdl": DenoisingRules(
        spacing=8,
        group_size=384,
        min_group_size=8,
        shrink=True,
        stride=lambda sigma: 2 if sigma < WEAK_NOISE else 1,
        distance=lambda sigma: 4.5,
        noise_share=lambda sigma, texture: MAX_NOISE_SHARE * sigma**2 / (sigma**2 + texture**2),
        refine=True,
        adapt=lambda sigma: sigma >= WEAK_NOISE,
    ),
    # Mairal et al. (2009): groups of any size, and no member of a group starts another one.
    "authors": DenoisingRules(
        spacing=MAX_DISTANCE,
        group_size=MAX_GROUP_SIZE,
        min_group_size=1,
        shrink=False,
        stride=lambda sigma: 1,
        distance=lambda sigma: sigma / 4.0,
        noise_share=lambda sigma, texture: 1.0,
        refine=False,
        adapt=lambda sigma: False,
    ),
}
"""The rules of this package and those of the authors of the method, by name."""
DEFAULT_RULES: Literal["ezdl"] = "ezdl"


@dataclass(frozen=True)
class DenoisingParameters:
    """Parameters of denoising; those that are None take the value of the rules."""

    window: int = 32
    """Radius of the search for similar patches, in pixels."""
    spacing: int | None = None
    """A patch in the group of another one within this distance forms no group of its own."""
    stride: int | None = None
    """Distance in pixels of the patches that are encoded and form groups; at most their side."""
    group_size: int | None = None
    """Maximum number of patches in a group; the most similar ones are taken."""
    min_group_size: int | None = None
    """Minimum number of patches in a group, similar or not, if the window has that many."""
    distance: float | None = None
    """ξ / (m σ), mean squared difference of similar patches relative to the noise level."""
    confidence: float = 0.8
    """τ, the quantile of the noise energy that residuals may have."""
    noise_share: float | None = None
    """ν / m, share of the noise energy left in group residuals."""
    shrink: bool | None = None
    """Whether coefficients are shrunk by the share of them that noise explains."""
    refine: bool | None = None
    """Whether patches are estimated once more, by the mean and covariance of similar ones."""
    adapt: bool | None = None
    """Whether the dictionary is trained on the noisy image."""
    texture: float = TEXTURE
    """Standard deviation of the texture that a sparse code cannot represent, in grey levels."""
    rules: Literal["ezdl", "authors"] = DEFAULT_RULES
    """Key of `RULES`."""

    def check(self) -> None:
        """Raise ValueError if a parameter is out of range."""
        if not isinstance(self.rules, str) or self.rules not in RULES:
            raise ValueError(f"rules must be one of {', '.join(RULES)}, not {self.rules!r}")
        ranges = {"window": (0, MAX_DISTANCE), "spacing": (0, MAX_DISTANCE)}
        ranges["stride"] = (1, MAX_DISTANCE)
        ranges |= dict.fromkeys(("group_size", "min_group_size"), (1, MAX_GROUP_SIZE))
        for name, (minimum, maximum) in ranges.items():
            value = getattr(self, name)
            if value is None and name != "window":
                continue
            check_integer(name, value, minimum, maximum)
        if self.distance is not None and not 0.0 <= as_number("distance", self.distance) < np.inf:
            raise ValueError(f"distance must not be negative, but is {self.distance}")
        if not 0.0 <= as_number("texture", self.texture) < np.inf:
            raise ValueError(f"texture must be a finite number, not negative, not {self.texture}")
        for name in ("shrink", "adapt", "refine"):
            if not isinstance(getattr(self, name), bool | np.bool_ | None):
                raise ValueError(f"{name} must be true or false, not {getattr(self, name)!r}")
        if not 0.0 < as_number("confidence", self.confidence) < 1.0:
            raise ValueError(f"confidence must be between 0 and 1, not {self.confidence}")
        share = self.noise_share
        if share is not None and not 0.0 < as_number("noise_share", share) <= 2.0:
            raise ValueError(f"noise_share must be between 0 and 2, not {share}")

    def completed(self, sigma: float) -> Self:
        """Return parameters without None: the rules' values at a noise level fill the gaps."""
        rules = RULES[self.rules]
        missing = [field.name for field in fields(rules) if getattr(self, field.name) is None]
        values = {name: getattr(rules, name) for name in missing}
        if "noise_share" in values:
            values["noise_share"] = rules.noise_share(sigma, self.texture)
        return replace(
            self,
            **{name: value(sigma) if callable(value) else value for name, value in values.items()},
        )

    def for_chroma(self) -> Self:
        """Return the parameters for differences of colours."""
        return replace(self, texture=CHROMA_TEXTURE)

    def max_residual(self, sigma: float, m: int) -> float:
        """Return the energy ‖y - ŷ‖² that the code of a patch of m pixels may leave."""
        return float(sigma**2 * chi_square_quantile(self.confidence, m))

    def pilot_rules(self, sigma, m):
        """Return the rules of the pilot estimate, whose groups are single patches of m pixels."""
        single = {"window": 0, "group_size": 1, "noise_share": 1.0, "shrink": False}
        alone = replace(self.completed(sigma), **single)
        return alone.grouping_rules(sigma, m)

    def grouping_rules(self, sigma, m):
        """Return the rules for groups of patches of m pixels, as the kernels take them."""
        chosen = self.completed(sigma)
        size = int(min(chosen.group_size, (2 * int(self.window) + 1) ** 2))
        freedom = chosen.noise_share * m * np.arange(1, size + 1)
        return GroupingRules(
            side=patch_side(m),
            radius=int(self.window),
            spacing=int(chosen.spacing),
            stride=int(min(chosen.stride, patch_side(m))),
            max_distance=np.float32(
                min(chosen.distance * m * sigma, float(np.finfo(np.float32).max))
            ),
            min_size=int(min(chosen.min_group_size, size)),
            max_size=size,
            max_residuals=np.append(0.0, sigma**2 * chi_square_quantile(self.confidence, freedom)),
            variance=float(sigma**2),
            shrink=bool(chosen.shrink),
        )


def check_parameters(parameters):
    """Raise ValueError unless these are valid `DenoisingParameters`."""
    if not isinstance(parameters, DenoisingParameters):
        raise ValueError(f"parameters must be DenoisingParameters, not {parameters!r}")
    parameters.check()


def chi_square_quantile(confidence, freedom):
    """Return the quantile of the χ² distribution; scipy.stats would take long to import."""
    return 2.0 * gammaincinv(np.divide(freedom, 2.0), confidence)
