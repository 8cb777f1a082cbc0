"""The global search for the Gabor function nearest to a patch: starts, descents, perturbations.

Directions and frequencies of the starts are peaks of the power spectrum and, for frequencies too
low to have one, half a cycle in four directions; centres are those of the energy, and widths the
best of a few. All starts are refined by least squares; from the best ones the algorithm of Nelder
and Mead descends first. Perturbations of the best result lead out of local minima (basin hopping).

With the numbers of starts, steps and perturbations below, no fit to noisy Gabor functions is worse
than least squares from their true parameters (tests/gabor/test_fit.py).
"""

import math

import numpy as np

from ..core.jit import kernel
from .levenberg_marquardt import levenberg_marquardt
from .model import (
    SIGMA_X,
    SIGMA_Y,
    THETA,
    X0,
    Y0,
    F,
    clip_to_bounds,
    energy,
    highest_frequency,
    squared_error,
)
from .nelder_mead import nelder_mead
from .workspace import N_PARAMETERS, allocate_workspace, copy

N_LOW, LOW_CYCLES = 4, 0.5  # starts of low frequency, and their cycles per patch
WIDTHS = (0.08, 0.17, 0.35)  # relative to the side of the patch
# Starts of the simplex and its evaluations; steps of least squares in the search and at its end.
N_DESCENTS, MAX_EVALUATIONS = 3, 1200
# NumPy integers, since a kernel is compiled again for each Python integer that it is called with.
QUICK, THOROUGH = np.int64(40), np.int64(300)
# Perturbations are repeated while they lower the error by this share, unless it is rounding.
N_PERTURBATIONS, MAX_ROUNDS = 12, 3
MIN_GAIN, ROUNDING = 1e-4, 1e-13
# Frequencies to replace lower ones, in cycles per patch, and the largest increase of the error.
MIN_CYCLES = (0.25, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
MAX_INCREASE = 1e-6


@kernel(in_order=True)
def search(patch, peaks, start, bounds, best):
    """Find the parameters `best` of the nearest Gabor function; return its squared error.

    `peaks` are the frequencies (n, 2) of spectral peaks along x and y; `start` is the shape of an
    additional start, or NaN.
    """
    workspace = allocate_workspace(patch)
    starts = np.zeros((len(peaks) + N_LOW, N_PARAMETERS))
    _find_starts(patch, peaks, bounds, starts, workspace)
    # Least squares from all starts.
    errors, trial = np.empty(len(starts)), np.zeros(N_PARAMETERS)
    error = np.inf
    for i in range(len(starts)):
        copy(starts[i], trial)
        errors[i] = levenberg_marquardt(trial, bounds, QUICK, workspace)
        error = _keep_better(trial, errors[i], best, error)
    # The simplex from the given start and from the best ones, followed by least squares.
    for i in range(-1, min(N_DESCENTS, len(starts))):
        copy(start if i < 0 else starts[_take_lowest(errors)], trial)
        if not np.isnan(trial[X0]):
            clip_to_bounds(trial, bounds)
            nelder_mead(trial, bounds, MAX_EVALUATIONS, workspace)
            new = levenberg_marquardt(trial, bounds, QUICK, workspace)
            error = _keep_better(trial, new, best, error)
    # Perturbations of the best result.
    for _ in range(MAX_ROUNDS):
        before = error
        for number in range(N_PERTURBATIONS):
            if error > ROUNDING * energy(workspace):
                _perturb(number, best, max(patch.shape), bounds, trial)
                new = levenberg_marquardt(trial, bounds, QUICK, workspace)
                error = _keep_better(trial, new, best, error)
        if not before - error > MIN_GAIN * before:
            break
    # The last digits, and a frequency that can be determined.
    copy(best, trial)
    new = levenberg_marquardt(trial, bounds, THOROUGH, workspace)
    error = _keep_better(trial, new, best, error)
    return _raise_frequency(patch, bounds, best, error, MAX_INCREASE * error, workspace)


@kernel(in_order=True)
def _take_lowest(errors):
    """Return the index of the lowest error, the first of equal ones, and set it to infinity."""
    lowest = 0
    for i in range(1, errors.size):
        if errors[i] < errors[lowest]:
            lowest = i
    errors[lowest] = np.inf
    return lowest


@kernel(in_order=True)
def _raise_frequency(patch, bounds, best, error, max_increase, workspace):
    """Replace a very low frequency by a higher one if the error hardly grows; return the error.

    A small part of a wave is a straight line, whatever the frequency: a lower frequency and a
    larger amplitude fit just as well, without limit.
    """
    side = max(patch.shape)
    narrower, trial = bounds.copy(), np.empty(N_PARAMETERS)
    for cycles in MIN_CYCLES:
        if best[F] >= cycles / side:
            break
        narrower[0, F] = cycles / side
        copy(best, trial)
        clip_to_bounds(trial, narrower)
        new = levenberg_marquardt(trial, narrower, THOROUGH, workspace)
        if new <= error + max_increase:
            copy(trial, best)
            return new
    return error


@kernel(in_order=True)
def _keep_better(trial, new, best, error):
    """Copy a trial to `best` if its error is lower; return the lower error."""
    if new < error:
        copy(trial, best)
        return new
    return error


@kernel(in_order=True)
def _find_starts(patch, peaks, bounds, starts, workspace):
    """Fill `starts` with shapes: those of the peaks, then those of low frequency."""
    centres = np.zeros((2, 2))
    _find_centres(patch, centres)
    for i in range(len(peaks)):
        starts[i, F] = math.hypot(peaks[i, 0], peaks[i, 1])
        starts[i, THETA] = math.atan2(peaks[i, 1], peaks[i, 0])
    side = max(patch.shape)
    for i in range(N_LOW):
        starts[len(peaks) + i, F] = LOW_CYCLES / side
        starts[len(peaks) + i, THETA] = math.pi * i / N_LOW
    trial = np.empty(N_PARAMETERS)
    # For each, the best of a few centres and widths.
    for i in range(len(starts)):
        copy(starts[i], trial)
        lowest = np.inf
        for k in range(2 * len(WIDTHS) ** 2):
            trial[X0], trial[Y0] = centres[k % 2, 0], centres[k % 2, 1]
            trial[SIGMA_X] = WIDTHS[k // 2 % len(WIDTHS)] * side
            trial[SIGMA_Y] = WIDTHS[k // 2 // len(WIDTHS)] * side
            clip_to_bounds(trial, bounds)
            error, _, _ = squared_error(trial, bounds, workspace)
            if k == 0 or error < lowest:
                lowest = error
                copy(trial, starts[i])


@kernel(in_order=True)
def _find_centres(patch, centres):
    """Compute the centre of the energy, and that of the 3 × 3 pixels with the largest energy."""
    height, width = patch.shape
    total = 0.0
    largest = -1.0
    for y in range(height):
        for x in range(width):
            energy = patch[y, x] ** 2
            total += energy
            centres[0, 0] += energy * x
            centres[0, 1] += energy * y
            near = 0.0
            for j in range(max(y - 1, 0), min(y + 2, height)):
                for i in range(max(x - 1, 0), min(x + 2, width)):
                    near += patch[j, i] ** 2
            if near > largest:
                largest = near
                centres[1, 0], centres[1, 1] = x, y
    for k in range(2):
        centres[0, k] /= total


@kernel(in_order=True)
def _perturb(number, best, side, bounds, trial):
    """Put a variant of the best shape, chosen by its number, into `trial`."""
    copy(best, trial)
    if number == 0:  # the same envelope with the wave across it
        trial[THETA] += 0.5 * math.pi
        trial[SIGMA_X], trial[SIGMA_Y] = best[SIGMA_Y], best[SIGMA_X]
    elif number == 1:
        trial[THETA] += 0.5 * math.pi
    elif number == 2:
        trial[F] *= 0.5
    elif number == 3:
        trial[F] = 1.5 * trial[F] + 0.1 / side
    elif number <= 5:  # shifted by a width or a quarter of a cycle, whichever is less
        step = min(best[SIGMA_X], 0.25 / max(best[F], 1e-9)) * (1.0 if number == 4 else -1.0)
        trial[X0] += step * math.cos(best[THETA])
        trial[Y0] += step * math.sin(best[THETA])
    elif number <= 7:
        trial[THETA] += math.pi / 8.0 * (1.0 if number == 6 else -1.0)
    elif number == 8:
        trial[SIGMA_X] *= 0.5
        trial[F] *= 0.7
    elif number == 9:
        trial[SIGMA_X] *= 2.0
    elif number == 10:
        trial[SIGMA_X] *= 0.7
        trial[SIGMA_Y] *= 0.7
    else:  # near the Nyquist frequency a direction and its mirror image look alike
        trial[THETA] = -trial[THETA]
        trial[F] = min(trial[F], 0.95 * highest_frequency(trial[THETA]))
    trial[THETA] = trial[THETA] % math.pi
    clip_to_bounds(trial, bounds)
