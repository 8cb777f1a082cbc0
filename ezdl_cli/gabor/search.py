"""The search for the Gabor function nearest to a patch: starts, descents, leaps.

Directions and frequencies of the starts are peaks of the power spectrum and, for what is too low to
have one, half a cycle in four directions; centres are those of the energy, and widths the best of a
few. From the best starts the algorithm of Nelder and Mead descends; all are polished by least
squares. Leaps from the best one found so far lead out of minima that are not the lowest.
"""

import math

import numpy as np

from ..core.jit import kernel
from .model import (
    N_PARAMETERS,
    N_SHAPE,
    SIGMA_X,
    SIGMA_Y,
    THETA,
    X0,
    Y0,
    F,
    highest_frequency,
    move_inside,
    new_work,
    squared_error,
)
from .nelder_mead import nelder_mead
from .polish import polish

N_PEAKS, N_LOW = 5, 4
LEAST_PEAK = 0.02  # of the highest one
LOW_CYCLES = 0.5  # in a patch
WIDTHS = (0.08, 0.17, 0.35)  # of a patch
# Starts that the simplex descends from, its evaluations, and steps of the polish.
N_DESCENTS = 3
DESCENT, QUICK, THOROUGH = 1200, 40, 300
# Leaps go on while they lower the error by a share, or by more than rounding.
N_LEAPS, ROUNDS = 12, 3
SHARE, ROUNDING = 1e-4, 1e-13
# Frequencies that are tried in place of lower ones, in cycles a patch, and the share by which the
# error may grow thereby.
FEWEST_CYCLES = (0.25, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
EQUAL = 1e-6


@kernel(in_order=True)
def search(patch, spectrum, start, bounds, best):
    """Put the parameters of the nearest Gabor function into `best`; returns its squared error.

    `spectrum` is the power at the frequencies of a zero-padded transform, (size, size // 2 + 1);
    `start` is a shape to descend from beside the others, or NaN.
    """
    work = new_work(patch.shape[0], patch.shape[1])
    starts = np.zeros((N_PEAKS + N_LOW, N_PARAMETERS))
    n_starts = _find_starts(patch, spectrum, bounds, starts, work)
    errors, trial = np.empty(n_starts), np.empty(N_PARAMETERS)
    error = np.inf
    for i in range(n_starts):
        trial[:] = starts[i]
        errors[i] = polish(trial, patch, bounds, QUICK, work)
        error = _keep_better(trial, errors[i], best, error)
    order = np.argsort(errors)
    for i in range(-1, min(N_DESCENTS, n_starts)):
        trial[:N_SHAPE] = start if i < 0 else starts[order[i], :N_SHAPE]
        if not np.isnan(trial).any():
            move_inside(trial, bounds)
            nelder_mead(trial[:N_SHAPE], patch, bounds, DESCENT, work)
            new = polish(trial, patch, bounds, QUICK, work)
            error = _keep_better(trial, new, best, error)
    energy = np.square(patch).sum()
    for _ in range(ROUNDS):
        before = error
        for leap in range(N_LEAPS):
            if error > ROUNDING * energy:
                _leap(leap, best, max(patch.shape), bounds, trial)
                new = polish(trial, patch, bounds, QUICK, work)
                error = _keep_better(trial, new, best, error)
        if not before - error > SHARE * before:
            break
    trial[:] = best
    error = _keep_better(trial, polish(trial, patch, bounds, THOROUGH, work), best, error)
    return _raise_frequency(patch, bounds, best, error, EQUAL * error, work)


@kernel(in_order=True)
def _raise_frequency(patch, bounds, best, error, most, work):
    """Replace a very low frequency by a higher one that makes next to no difference.

    A wave of which the patch shows a small part only is a straight line there, whatever its
    frequency: the lower that is, the larger the amplitude, without end.
    """
    side = max(patch.shape)
    narrower, trial = bounds.copy(), np.empty(N_PARAMETERS)
    for cycles in FEWEST_CYCLES:
        if best[F] >= cycles / side:
            break
        narrower[0, F] = cycles / side
        trial[:] = best
        move_inside(trial, narrower)
        new = polish(trial, patch, narrower, THOROUGH, work)
        if new <= error + most:
            best[:] = trial
            return new
    return error


@kernel(in_order=True)
def _keep_better(trial, new, best, error):
    """Keep a trial that has a lower error; returns the error of what is kept."""
    if new < error:
        best[:] = trial
        return new
    return error


@kernel(in_order=True)
def _find_starts(patch, spectrum, bounds, starts, work):
    """Fill `starts` with shapes; returns how many there are."""
    centres = np.empty((2, 2))
    _find_centres(patch, centres)
    n_starts = _find_peaks(spectrum, starts)
    side = max(patch.shape)
    for i in range(N_LOW):
        starts[n_starts, F] = LOW_CYCLES / side
        starts[n_starts, THETA] = math.pi * i / N_LOW
        n_starts += 1
    trial = np.empty(N_PARAMETERS)
    for i in range(n_starts):
        trial[:] = starts[i]
        least = np.inf
        for k in range(2 * len(WIDTHS) ** 2):
            trial[X0], trial[Y0] = centres[k % 2]
            trial[SIGMA_X] = WIDTHS[k // 2 % len(WIDTHS)] * side
            trial[SIGMA_Y] = WIDTHS[k // 2 // len(WIDTHS)] * side
            move_inside(trial, bounds)
            error, _, _ = squared_error(trial[:N_SHAPE], patch, bounds, work)
            if k == 0 or error < least:
                least = error
                starts[i] = trial
    return n_starts


@kernel(in_order=True)
def _find_centres(patch, centres):
    """The centre of the energy, and the middle of the 3 × 3 pixels that have most of it."""
    height, width = patch.shape
    total = 0.0
    centres[0, :] = 0.0
    most = -1.0
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
            if near > most:
                most = near
                centres[1, 0], centres[1, 1] = x, y
    centres[0] /= total


@kernel(in_order=True)
def _find_peaks(spectrum, starts):
    """Frequency and direction of the highest peaks of the spectrum; returns how many."""
    size, half = spectrum.shape
    heights = np.zeros(N_PEAKS)
    highest = spectrum.max()
    count = 0
    for j in range(size):
        for i in range(half):
            power = spectrum[j, i]
            if not power > LEAST_PEAK * highest or (i == 0 and 2 * j > size):
                continue
            if not _is_peak(spectrum, j, i):
                continue
            place = count
            while place > 0 and heights[place - 1] < power:
                place -= 1
            if place == N_PEAKS:
                continue
            count = min(count + 1, N_PEAKS)
            for k in range(count - 1, place, -1):
                heights[k] = heights[k - 1]
                starts[k, F], starts[k, THETA] = starts[k - 1, F], starts[k - 1, THETA]
            heights[place] = power
            u, v = i / size, (j if 2 * j <= size else j - size) / size
            starts[place, F] = math.hypot(u, v)
            starts[place, THETA] = math.atan2(v, u)
    return count


@kernel(in_order=True)
def _is_peak(spectrum, j, i):
    """Whether no neighbour has more power; the half that is left out mirrors the other."""
    size, half = spectrum.shape
    for dj in range(-1, 2):
        for di in range(-1, 2):
            y, x = (j + dj) % size, i + di
            if x < 0 or x >= half:
                y, x = (size - y) % size, -x if x < 0 else size - x
            if spectrum[y, x] > spectrum[j, i]:
                return False
    return True


@kernel(in_order=True)
def _leap(number, best, side, bounds, trial):
    """Put another shape into `trial`: best found, but for what its number says."""
    trial[:] = best
    if number == 0:  # the same envelope, the wave across it
        trial[THETA] += 0.5 * math.pi
        trial[SIGMA_X], trial[SIGMA_Y] = best[SIGMA_Y], best[SIGMA_X]
    elif number == 1:
        trial[THETA] += 0.5 * math.pi
    elif number == 2:
        trial[F] *= 0.5
    elif number == 3:
        trial[F] = 1.5 * trial[F] + 0.1 / side
    elif number <= 5:  # by half a width, or a quarter of a cycle if that is less
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
    else:  # near the highest frequencies a direction and its mirror image are alike
        trial[THETA] = -trial[THETA]
        trial[F] = min(trial[F], 0.95 * highest_frequency(trial[THETA]))
    trial[THETA] = trial[THETA] % math.pi
    move_inside(trial, bounds)
