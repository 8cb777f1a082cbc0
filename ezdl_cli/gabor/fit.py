"""Gabor functions fitted to atoms (Jones and Palmer 1987; Ringach 2002, eq. 1).

    h(x, y) = A · exp(−½ (x'/σx')² − ½ (y'/σy')²) · cos(2π f x' + φ)
    x' = (x − x0) cos θ + (y − y0) sin θ,   y' = −(x − x0) sin θ + (y − y0) cos θ

x counts columns to the right and y rows down, from the middle of the first pixel; lengths are in
pixels, f in cycles a pixel, angles in radians.
"""

import math
from dataclasses import dataclass, fields, replace

import numpy as np

from ..core.input_validation import as_float_array
from .model import COSINE, N_PARAMETERS, N_SHAPE, SIGMA_X, SIGMA_Y, SINE, X0, Y0, F
from .search import search

# The narrowest envelope that pixels can show, and the widest, and the farthest centre, in patches.
NARROWEST, WIDEST, FARTHEST = 0.3, 4.0, 1.0
PADDING = 4
# An atom that is not described so well by a Gabor function is none.
LEAST_R2 = 0.7
# As many of them may make up an atom of several blobs.
MOST_PARTS = 3
# Two waves cross if their directions differ by this at least, at nearly the same frequency.
CROSSING, SAME_FREQUENCY = math.radians(25), 1.6
# Of the energy: how much of it the product of two profiles has in a checkerboard, and how much of
# a profile is of either sign.
SEPARABLE, SIGN_CHANGE = 0.9, 0.2


@dataclass(frozen=True)
class Gabor:
    """A Gabor function in canonical form, and how well it describes an atom.

    If there is none (`reason` says why), the numbers are NaN.
    """

    A: float
    """Amplitude, positive."""
    x0: float
    y0: float
    sigma_x: float
    """Width of the envelope along the wave, σx'."""
    sigma_y: float
    """Width of the envelope across the wave, σy'."""
    theta: float
    """Direction of the wave, from 0 to below π."""
    f: float
    """Frequency, not negative."""
    phi: float
    """Phase folded to [0, π/2]: 0 is even and π/2 odd symmetry about the centre."""
    phase: float
    """The phase φ of the formula, above −π to π."""
    r2: float
    """1 − squared error / squared deviation of the atom from its mean."""
    reason: str
    """Why the atom is no Gabor function; empty if it is one."""

    @property
    def n_x(self):
        """Width along the wave in cycles, σx'·f."""
        return self.sigma_x * self.f

    @property
    def n_y(self):
        """Width across the wave in cycles, σy'·f."""
        return self.sigma_y * self.f

    def render(self, height, width):
        """The function at the pixels of a patch, array (height, width)."""
        y, x = np.mgrid[:height, :width]
        dx, dy = x - self.x0, y - self.y0
        along = dx * math.cos(self.theta) + dy * math.sin(self.theta)
        across = dy * math.cos(self.theta) - dx * math.sin(self.theta)
        with np.errstate(under="ignore"):
            envelope = np.exp(-0.5 * ((along / self.sigma_x) ** 2 + (across / self.sigma_y) ** 2))
            return self.A * envelope * np.cos(2.0 * np.pi * self.f * along + self.phase)


COLUMNS = tuple(field.name for field in fields(Gabor))


def fit_gabor(atom, start=None):
    """The Gabor function nearest to an atom.

    The algorithm of Nelder and Mead descends from several starts, and least squares finish. The
    envelope is between 0.3 pixels and 4 patches wide, its centre no farther outside than a patch,
    and the frequency one that pixels can carry: no more than half a cycle a pixel along an axis.

    Parameters
    ----------
    atom : array (height, width)
    start : Gabor or sequence (x0, y0, sigma_x, sigma_y, theta, f), optional
        Where to descend from, beside the starts that the atom itself suggests.

    Returns
    -------
    Gabor
        `reason` is empty, or why the atom is no Gabor function: "not finite" (the atom, or the
        amplitude that it would take), "constant" or "too small" (no more pixels than parameters),
        without any numbers; "checkerboard" (the product of two waves, or two that cross); "several
        blobs" (the sum of two or three Gabor functions) or "poor fit" if R² is below 0.7.

    Raises
    ------
    ValueError
        If the atom has not two axes, or `start` not six finite numbers.
    """
    atom = as_float_array(atom, "atom").astype(np.float64)
    if atom.ndim != 2:
        raise ValueError(f"an atom must have two axes, not {atom.ndim}")
    reason = _unusable(atom)
    if reason:
        return _no_fit(reason)
    largest = float(np.abs(atom).max())
    patch = atom / largest
    found = _canonical(_fit(patch, _as_shape(start)), patch)
    if not math.isfinite(found.A * largest):
        return _no_fit("not finite")
    if _is_checkerboard(patch):
        reason = "checkerboard"
    elif found.r2 < LEAST_R2:
        reason = _explain(patch, found)
    return replace(found, A=found.A * largest, reason=reason)


def _no_fit(reason):
    """No Gabor function at all, and why."""
    return Gabor(*[math.nan] * (len(COLUMNS) - 1), reason)


def _unusable(atom):
    """Why nothing can be fitted to an atom, or nothing."""
    if not np.isfinite(atom).all():
        return "not finite"
    largest = np.abs(atom).max(initial=0.0)
    if largest == 0.0 or np.ptp(atom / largest) <= 1e-9:
        return "constant"
    return "too small" if atom.size <= N_PARAMETERS else ""


def _as_shape(start):
    """Six numbers of a start, NaN if there is none."""
    if start is None:
        return np.full(N_SHAPE, np.nan)
    if isinstance(start, Gabor):
        start = (start.x0, start.y0, start.sigma_x, start.sigma_y, start.theta, start.f)
    shape = np.array(start, np.float64)
    if shape.shape != (N_SHAPE,) or not np.isfinite(shape).all():
        raise ValueError("start must be a Gabor, or x0, y0, sigma_x, sigma_y, theta, f")
    return shape


def _fit(patch, start):
    """The eight parameters of the nearest Gabor function."""
    height, width = patch.shape
    size = PADDING * max(patch.shape)
    spectrum = np.square(np.abs(np.fft.rfft2(patch, (size, size))))
    parameters = np.empty(N_PARAMETERS)
    search(np.ascontiguousarray(patch), spectrum, start, _bounds(height, width), parameters)
    return parameters


def _bounds(height, width):
    """Lowest and highest entries of a shape, (2, 6)."""
    widest = WIDEST * max(height, width)
    lowest = {X0: -FARTHEST * width, Y0: -FARTHEST * height, SIGMA_X: NARROWEST, F: 0.0}
    highest = {X0: (1 + FARTHEST) * width, Y0: (1 + FARTHEST) * height, SIGMA_X: widest, F: 1.0}
    bounds = np.empty((2, N_SHAPE))
    for row, ends, free in ((0, lowest, -np.inf), (1, highest, np.inf)):
        bounds[row] = [ends.get(k, free) for k in range(N_SHAPE)]
        bounds[row, SIGMA_Y] = ends[SIGMA_X]
    return bounds


def _canonical(parameters, patch):
    """A Gabor function with a positive amplitude, θ in [0, π) and a folded phase."""
    x0, y0, sigma_x, sigma_y, theta, f = parameters[:N_SHAPE].tolist()
    a, b = float(parameters[COSINE]), float(parameters[SINE])
    if math.floor(theta / math.pi) % 2:  # half a turn mirrors x'
        b = -b
    theta %= math.pi
    theta = 0.0 if theta >= math.pi else theta
    phi = math.atan2(abs(b), abs(a))
    found = (math.hypot(a, b), x0, y0, sigma_x, sigma_y, theta, f, phi, math.atan2(b, a))
    error = np.square(patch - Gabor(*found, 0.0, "").render(*patch.shape)).sum()
    return Gabor(*found, float(1.0 - error / np.square(patch - patch.mean()).sum()), "")


def _is_checkerboard(patch):
    """Whether a patch is nearly the product of two profiles, each of which changes its sign."""
    left, values, right = np.linalg.svd(patch, full_matrices=False)
    if values[0] ** 2 < SEPARABLE * np.square(values).sum():
        return False
    return all(
        SIGN_CHANGE <= np.square(profile[profile > 0.0]).sum() <= 1.0 - SIGN_CHANGE
        for profile in (left[:, 0], right[0])
    )


def _explain(patch, first):
    """Why an atom is no Gabor function: whether a few of them, one on top of the other, are it."""
    rest = patch - first.render(*patch.shape)
    # One that is added takes hardly ever more of the energy than the first.
    if MOST_PARTS * (1.0 - np.square(rest).sum() / np.square(patch).sum()) < LEAST_R2:
        return "poor fit"
    for number in range(2, MOST_PARTS + 1):
        part = _canonical(_fit(rest, _as_shape(None)), rest)
        rest = rest - part.render(*patch.shape)
        if 1.0 - np.square(rest).sum() / np.square(patch - patch.mean()).sum() >= LEAST_R2:
            return "checkerboard" if number == 2 and _cross(first, part) else "several blobs"
    return "poor fit"


def _cross(first, second):
    """Whether two waves of nearly the same frequency cross at the same place."""
    turn = abs(first.theta - second.theta)
    ratio = max(first.f, second.f) / max(min(first.f, second.f), 1e-9)
    apart = math.hypot(first.x0 - second.x0, first.y0 - second.y0)
    reach = max(first.sigma_x, first.sigma_y) + max(second.sigma_x, second.sigma_y)
    return min(turn, math.pi - turn) >= CROSSING and ratio <= SAME_FREQUENCY and apart <= reach
