"""Easy Dictionary Learning, EZDL (paper, sect. 3, Algorithm 1).

For a sample x the filter responses u = W x give a sparse code h = I(u) by an inference model; the
approximation is x̃ = Wᵀ h (atoms are rows here), and W ascends the correlation coefficient ρ(x̃, x):

    W += η h gᵀ,   g = (x - x̄) / √(λμ) - ρ (x̃ - mean x̃) / λ

with λ and μ the sums of squares of x̃ and x about their means, and η = η₀/ν in epoch ν. The paper
writes the update with a minus sign, which would lower the correlation. It leaves out the gradient
of I; with the full one, W also grows by η (Jᵀ W g) xᵀ, J being the Jacobian of I at u. After each
epoch the constraints on the atoms are enforced: sparseness or rank if requested, and unit norm.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..coding.inference import InferenceModel, InferenceWorkspace
from ..core.parameter_validation import as_number, check_integer
from ..core.patch_shape import patch_side
from ..core.projection import project
from .activity import EpochActivity
from .atoms import normalise_atoms, truncate_rank
from .ezdl_full_update import FullUpdateWorkspace, learn_samples_fully
from .ezdl_update import EZDLWorkspace, learn_samples
from .learner import Learner, LearnerParameters

CHUNK_SAMPLES = 1024  # samples in memory, a multiple of BATCH and BLOCK_SAMPLES
NEGLIGIBLE_NOISE = 1e-3  # relative to codes of unit norm
MAX_STEP_SIZE = 1e6  # far above useful ones (1 in the paper), far below overflow
# Kernels and their workspaces.
UPDATES = {
    "short": (learn_samples, EZDLWorkspace),
    "full": (learn_samples_fully, FullUpdateWorkspace),
}


@dataclass(frozen=True)
class EZDLParameters(LearnerParameters):
    """Parameters of EZDL and their defaults."""

    sparseness: float = 0.85
    """σ_H, Hoyer's sparseness of the codes, between 0 and 1."""
    step_size: float = 1.0
    """η₀, the step size in the first epoch."""
    inference: Literal["ordinary", "topographic", "rank"] = "ordinary"
    """Inference model: "ordinary", "topographic" or "rank"."""
    grid: tuple[int, int] | None = None
    """Rows and columns of the atoms' layout for the last two; None is as square as possible."""
    pooling: int = 3
    """Width of the neighbourhood that "topographic" averages over, odd."""
    code_rank: int = 1
    """κ_H, the rank of the codes on the grid for "rank"."""
    atom_sparseness: float | None = None
    """σ_W, Hoyer's sparseness of the atoms, if they are to be sparse."""
    atom_rank: int | None = None
    """κ_W, the rank of the atoms as square patches, if it is to be limited."""
    noise: float = 0.0
    """Standard deviation of the noise added to codes in the first epoch; they have unit norm."""
    noise_decay: float = 0.9
    """Factor applied to the noise after each epoch; below 0.001 no noise is added."""
    gradient: Literal["short", "full"] = "short"
    """"short" leaves out the gradient of the inference model, as the paper; "full" does not."""

    def check(self, n_atoms, n_features):
        """Raise ValueError if a parameter is out of range or does not fit the dictionary."""
        self.model(n_atoms)
        if not 0.0 < as_number("step_size", self.step_size) <= MAX_STEP_SIZE:
            raise ValueError(
                f"step_size must be positive and at most {MAX_STEP_SIZE:g}, not {self.step_size}"
            )
        target = self.atom_sparseness
        if target is not None and not 0.0 < as_number("atom_sparseness", target) < 1.0:
            raise ValueError(f"atom_sparseness must be between 0 and 1, not {target}")
        if self.atom_rank is not None:
            try:
                side = patch_side(n_features)
            except ValueError as error:
                raise ValueError(f"atom_rank must be None, since {error}") from None
            check_integer("atom_rank", self.atom_rank, 1, side)
        if not 0.0 <= as_number("noise", self.noise) < np.inf:
            raise ValueError(f"noise must not be negative, but is {self.noise}")
        if not 0.0 <= as_number("noise_decay", self.noise_decay) <= 1.0:
            raise ValueError(f"noise_decay must be 0 to 1, not {self.noise_decay}")
        if not isinstance(self.gradient, str) or self.gradient not in UPDATES:
            raise ValueError(f"gradient must be short or full, not {self.gradient!r}")
        if self.gradient == "full" and self.inference != "ordinary":
            raise ValueError(f"gradient must be short for {self.inference} inference")

    def resolve(self, n_atoms):
        """Return the parameters with the actual grid in place of None."""
        if self.inference == "ordinary":
            return self
        model = self.model(n_atoms)
        return replace(self, grid=(model.rows, model.columns))

    def constrain(self, W):
        """Give the atoms unit norm and, if requested, a sparseness or a rank; in place."""
        normalise_atoms(W)
        if self.atom_sparseness is not None:
            project(W, self.atom_sparseness, norm=1.0, out=W)
        if self.atom_rank is not None:
            truncate_rank(W, self.atom_rank)
            normalise_atoms(W)

    def learner(self, W, n_samples_total):
        """Return the learner that starts from the dictionary W."""
        return EZDLLearner(W, self)

    def model(self, n_atoms):
        """Return the inference model."""
        return InferenceModel.of(
            n_atoms, self.sparseness, self.inference, self.grid, self.pooling, self.code_rank
        )


class EZDLLearner(Learner):
    """EZDL; the dictionary is its entire state.

    Attributes
    ----------
    activity_epochs : collection of int
        Epochs whose statistics include the activity of the atoms, see `EpochActivity`.
    """

    REMEDY = "step_size must be smaller"
    activity_epochs = ()

    def learn(self, samples, indices, epoch, rng):
        """Learn from samples in order; return their mean correlation with approximations."""
        W, parameters = self.W, self.parameters
        n_atoms, d = W.shape
        model = parameters.model(n_atoms)
        scratch = InferenceWorkspace.of(model, W.dtype)
        eta = parameters.step_size / epoch
        sigma = parameters.noise * parameters.noise_decay ** (epoch - 1)
        X = np.empty((min(CHUNK_SAMPLES, len(indices)), d), W.dtype)
        noise = np.empty((0, n_atoms), W.dtype)
        learn, workspace_class = UPDATES[parameters.gradient]
        workspace = workspace_class.of(n_atoms, d, W.dtype)
        codes = np.empty((0, n_atoms), W.dtype)
        activity = EpochActivity(n_atoms) if epoch in self.activity_epochs else None
        total = 0.0
        for start in range(0, len(indices), CHUNK_SAMPLES):
            chunk = indices[start : start + CHUNK_SAMPLES]
            picked = samples.pick_scaled(chunk, X[: len(chunk)])
            if sigma >= NEGLIGIBLE_NOISE:
                noise = (sigma * rng.standard_normal((len(chunk), n_atoms))).astype(W.dtype)
            if activity:
                codes = np.zeros((len(chunk), n_atoms), W.dtype)
            total += learn(picked, W, eta, noise, model, scratch, workspace, codes)
            if activity:
                activity.add(codes)
        parameters.constrain(W)
        statistics = {"correlation": total / len(indices)}
        return statistics | activity.statistics() if activity else statistics
