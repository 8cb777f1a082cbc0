"""The loop of plug-and-play restoration and its denoisers.

An image x was degraded by a linear operator H, and noise was added: y = H x + n. Each round moves
the estimate towards the data, and denoises it (Zoran and Weiss 2011; Venkatakrishnan, Bouman and
Wohlberg 2013):

    z ← argmin ‖H z - y‖² / σ² + ‖z - x‖² / s²,      x ← denoise(z, s)

where σ is the level of the noise n. The level s falls from round to round: at first, the denoiser
removes what the degradation has made of structures; in the end, the small errors of an estimate
that is nearly right.

Estimates are arrays (channels, height, width), see `degraded_image`.
"""

import math
from typing import NamedTuple, Self

import numpy as np

from ..core.parameter_validation import as_number, is_integer
from .denoising_parameters import DenoisingParameters
from .denoising_prior import DenoisingPrior
from .scaled_image import MAX_MAGNITUDE, OPPONENT, WHITE
from .similar_patches import SimilarPatchesDenoiser

# Radius of the search for similar patches in pixels, as without a dictionary.
WINDOW = 16
LEVELS = 0.1, 1000.0
MAX_ROUNDS = 10**4


class Schedule(NamedTuple):
    """Levels of the rounds: a geometric sequence on the scale from 0 to 255."""

    first: float
    last: float
    n_rounds: int

    @property
    def levels(self):
        """The level of each round."""
        return np.geomspace(self.first, self.last, self.n_rounds)

    @classmethod
    def of(cls, schedule, default) -> Self:
        """Return a schedule that a caller has passed, or the default if it is None.

        Raises
        ------
        ValueError
            If it does not consist of two levels and a number of rounds, or one is out of range.
        """
        if schedule is None:
            return default
        try:
            first, last, n_rounds = schedule
        except (TypeError, ValueError):
            raise ValueError(
                f"schedule must be (first level, last level, number of rounds), not {schedule!r}"
            ) from None
        for name, level in (("first", first), ("last", last)):
            what = f"the {name} level of schedule"
            if not LEVELS[0] <= as_number(what, level) <= LEVELS[1]:
                raise ValueError(f"{what} must be from {LEVELS[0]:g} to {LEVELS[1]:g}, not {level}")
        if not is_integer(n_rounds) or not 1 <= n_rounds <= MAX_ROUNDS:
            raise ValueError(f"schedule must have 1 to {MAX_ROUNDS} rounds, not {n_rounds!r}")
        return cls(float(first), float(last), int(n_rounds))


def plug_and_play(x, data_step, denoise, schedule, advance):
    """Return the estimate after all rounds, starting from x.

    Parameters
    ----------
    x : array (channels, height, width)
    data_step, denoise : callable of an estimate and the level of the round
    schedule : Schedule
    advance : callable of the share of the rounds that is done
    """
    for done, level in enumerate(schedule.levels, 1):
        x = denoise(data_step(x, level), level)
        advance(done / schedule.n_rounds)
    return x


def no_callback(share):
    """Ignore the share of the work that is done."""


def new_denoiser(W):
    """Return the denoiser for the rounds of an image: of a dictionary, or without one."""
    return SimilarPatchesDenoiser() if W is None else DictionaryDenoiser(W)


class DictionaryDenoiser:
    """Denoiser by the sparse codes of `denoise`, with the given atoms and nothing else.

    After the first round, the estimate of the last one takes the place of the pilot estimate.
    """

    def __init__(self, W):
        parameters = DenoisingParameters(window=WINDOW, refine=False)
        self._prior, self._is_first = DenoisingPrior(W, parameters, white=WHITE), True

    def __call__(self, x, level):
        scale = math.sqrt(len(x))
        pixels = x[0] if len(x) == 1 else scale * (np.moveaxis(x, 0, -1) @ OPPONENT)
        # Estimates may overshoot the limit of images.
        pixels = np.clip(pixels, -MAX_MAGNITUDE, MAX_MAGNITUDE)
        guide = None if self._is_first else pixels
        self._is_first = False
        denoised = self._prior(pixels, scale * level, guide)
        return denoised[None] if len(x) == 1 else np.moveaxis(denoised @ OPPONENT.T, -1, 0) / scale
