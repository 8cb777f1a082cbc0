"""Gabor functions fitted to atoms (Jones and Palmer 1987; Ringach 2002, eq. 1).

    h(x, y) = A · exp(−½ (x'/σx')² − ½ (y'/σy')²) · cos(2π f x' + φ)
    x' = (x − x0) cos θ + (y − y0) sin θ,   y' = −(x − x0) sin θ + (y − y0) cos θ

x counts columns to the right and y rows down, from the centre of the first pixel; lengths are in
pixels, f in cycles per pixel, angles in radians.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.input_validation import as_float_array
from ..parallel import in_order
from .model import COSINE, SIGMA_X, SIGMA_Y, SINE, X0, Y0, F
from .search import search
from .workspace import N_PARAMETERS, N_SHAPE

# Width of the envelope: at least what pixels can resolve, at most four patches; largest distance of
# the centre from the patch, in patches.
MIN_WIDTH, MAX_WIDTH, MAX_OFFSET = 0.3, 4.0, 1.0
PADDING = 4  # of the Fourier transform, relative to the patch: resolves its peaks
MAX_PEAKS, MIN_PEAK = 5, 0.02  # number of spectral peaks, and their power relative to the highest
CONSTANT = 1e-9  # range of an atom relative to its largest entry; less is rounding
# An atom with a lower R² is not a Gabor function.
MIN_R2 = 0.7
# Number of Gabor functions that an atom of several blobs may consist of.
MAX_PARTS = 3
# Two waves cross if their directions differ by at least this angle, and their frequencies by at
# most this factor.
CROSSING_ANGLE, SIMILAR_FREQUENCY = math.radians(25), 1.6
# An atom is a checkerboard if a product of two profiles has this share of its energy, and either
# sign of each profile has at least this share of the profile's.
SEPARABLE, SIGN_CHANGE = 0.9, 0.2


@dataclass(frozen=True)
class Gabor:
    """A Gabor function in canonical form, and how well it describes an atom.

    All values are NaN if nothing can be fitted, for the given `reason`.
    """

    A: float
    """Amplitude, positive."""
    x0: float
    """Column of the centre, in pixels from the centre of the first one."""
    y0: float
    """Row of the centre, in pixels from the centre of the first one."""
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
    """R², 1 − squared error / sum of squares of the atom about its mean."""
    reason: str
    """Why the atom is not a Gabor function; empty if it is one."""

    @property
    def n_x(self) -> float:
        """Width of the envelope along the wave in cycles, σx'·f."""
        return self.sigma_x * self.f

    @property
    def n_y(self) -> float:
        """Width of the envelope across the wave in cycles, σy'·f."""
        return self.sigma_y * self.f

    def render(self, height: int, width: int) -> NDArray[np.float64]:
        """Compute the values of the function at the pixels of a patch.

        Parameters
        ----------
        height, width : int
            Size of the patch.

        Returns
        -------
        patch : ndarray of shape (height, width)
            Values in float64.
        """
        y, x = np.mgrid[:height, :width]
        dx, dy = x - self.x0, y - self.y0
        along = dx * math.cos(self.theta) + dy * math.sin(self.theta)
        across = dy * math.cos(self.theta) - dx * math.sin(self.theta)
        with np.errstate(under="ignore"):
            envelope = np.exp(-0.5 * ((along / self.sigma_x) ** 2 + (across / self.sigma_y) ** 2))
            return self.A * envelope * np.cos(2.0 * np.pi * self.f * along + self.phase)


COLUMNS = tuple(field.name for field in fields(Gabor))
Start = Gabor | Sequence[float] | NDArray[np.floating]


def fit_gabor(atom: ArrayLike, start: Start | None = None) -> Gabor | list[Gabor]:
    """Fit a Gabor function to an atom, or one to each of several atoms.

    The algorithm of Nelder and Mead descends from several starts, followed by least squares. The
    envelope is between 0.3 pixels and 4 patches wide, its centre at most a patch outside, and the
    frequency at most half a cycle per pixel along each axis.

    Parameters
    ----------
    atom : array_like of shape (height, width) or (n_atoms, height, width)
        An atom, or several, which threads share.
    start : Gabor or sequence (x0, y0, sigma_x, sigma_y, theta, f), default=None
        An additional start for each atom; others are derived from the atom.

    Returns
    -------
    gabor : Gabor or list of Gabor
        One for each atom. Its `reason` is empty, or says why the atom is not a Gabor function.
        Without values: "not finite" (the atom, or the fitted amplitude), "constant", or "too small"
        (no more pixels than parameters). With values: "checkerboard" (a product of two waves, or
        two that cross) or, if R² is below 0.7, "several blobs" (a sum of two or three Gabor
        functions) or "poor fit".

    Raises
    ------
    TypeError
        If the array is sparse.
    ValueError
        If there are not two or three axes, or `start` does not hold six finite numbers.

    References
    ----------
    Jones, J. P., & Palmer, L. A. (1987). An evaluation of the two-dimensional Gabor filter model of
    simple receptive fields in cat striate cortex. Journal of Neurophysiology, 58(6), 1233-1258.

    Ringach, D. L. (2002). Spatial structure and symmetry of simple-cell receptive fields in macaque
    primary visual cortex. Journal of Neurophysiology, 88(1), 455-463.

    Examples
    --------
    >>> import numpy as np
    >>> import ezdl_cli as ez
    >>> y, x = np.mgrid[-4:5, -4:5]
    >>> atom = np.exp(-0.5 * (x**2 + y**2) / 2.0**2) * np.cos(2.0 * np.pi * 0.2 * x)
    >>> found = ez.fit_gabor(atom)
    >>> round(found.sigma_x, 6), round(found.f, 6), round(found.r2, 6), found.reason
    (2.0, 0.2, 1.0, '')
    """
    atom, start = as_float_array(atom, "atom").astype(np.float64), _as_shape(start)
    if atom.ndim == 2:
        return _fit_atom(atom, start)
    if atom.ndim != 3:
        raise ValueError(f"an atom must have two axes, several atoms three, not {atom.ndim}")
    with in_order(lambda one: _fit_atom(one, start), atom) as fits:
        return list(fits)


def _fit_atom(atom, start):
    """Return the Gabor function nearest to an atom."""
    reason = _reason_not_to_fit(atom)
    if reason:
        return _without_values(reason)
    largest = float(np.abs(atom).max())
    patch = atom / largest
    found = _canonical(_fit(patch, start), patch)
    if not math.isfinite(found.A * largest):
        return _without_values("not finite")
    if _is_checkerboard(patch):
        reason = "checkerboard"
    elif found.r2 < MIN_R2:
        reason = _explain(patch, found)
    return replace(found, A=found.A * largest, reason=reason)


def _without_values(reason):
    return Gabor(*[math.nan] * (len(COLUMNS) - 1), reason)


def _reason_not_to_fit(atom):
    """Return why nothing can be fitted to an atom, or an empty string."""
    if not np.isfinite(atom).all():
        return "not finite"
    largest = np.abs(atom).max(initial=0.0)
    if largest == 0.0 or np.ptp(atom / largest) <= CONSTANT:
        return "constant"
    return "too small" if atom.size <= N_PARAMETERS else ""


def _as_shape(start):
    """Return the six values of a start, NaN if there is none."""
    if start is None:
        return np.full(N_SHAPE, np.nan)
    if isinstance(start, Gabor):
        start = (start.x0, start.y0, start.sigma_x, start.sigma_y, start.theta, start.f)
    try:
        shape = np.array(start, np.float64)
    except (TypeError, ValueError):
        shape = np.empty(0)
    if shape.shape != (N_SHAPE,) or not np.isfinite(shape).all():
        raise ValueError("start must be a Gabor, or x0, y0, sigma_x, sigma_y, theta, f")
    return shape


def _fit(patch, start):
    """Return the eight parameters of the nearest Gabor function."""
    parameters = np.empty(N_PARAMETERS)
    peaks, bounds = _spectral_peaks(patch), _bounds(*patch.shape)
    search(np.ascontiguousarray(patch), peaks, start, bounds, parameters)
    return parameters


def _spectral_peaks(patch):
    """Return the frequencies (n, 2) along x and y of the highest peaks of the power spectrum."""
    size = PADDING * max(patch.shape)
    half = np.square(np.abs(np.fft.rfft2(patch, (size, size))))
    # The other half is a point reflection of this one.
    power = np.hstack([half, np.roll(half[::-1, -2:0:-1], 1, axis=0)])
    shifts = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    highest_nearby = np.max([np.roll(power, shift, (0, 1)) for shift in shifts], axis=0)
    is_peak = (half > MIN_PEAK * half.max()) & (half >= highest_nearby[:, : half.shape[1]])
    is_peak[size // 2 + 1 :, 0] = False  # reflections of others
    y, x = np.nonzero(is_peak)
    order = np.argsort(-half[y, x], kind="stable")[:MAX_PEAKS]
    y, x = y[order], x[order]
    return np.column_stack([x, np.where(2 * y <= size, y, y - size)]) / size


def _bounds(height, width):
    """Return the lower and upper bounds of a shape, (2, 6)."""
    bounds = np.array([[-np.inf] * N_SHAPE, [np.inf] * N_SHAPE])
    bounds[:, X0] = -MAX_OFFSET * width, (1 + MAX_OFFSET) * width
    bounds[:, Y0] = -MAX_OFFSET * height, (1 + MAX_OFFSET) * height
    bounds[:, SIGMA_X] = bounds[:, SIGMA_Y] = MIN_WIDTH, MAX_WIDTH * max(height, width)
    bounds[:, F] = 0.0, 1.0
    return bounds


def _canonical(parameters, patch):
    """Return the Gabor function with a positive amplitude, θ in [0, π) and a folded phase."""
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
    """Return whether a patch is nearly a product of two profiles that both change sign."""
    left, values, right = np.linalg.svd(patch, full_matrices=False)
    if values[0] ** 2 < SEPARABLE * np.square(values).sum():
        return False
    return all(
        SIGN_CHANGE <= np.square(profile[profile > 0.0]).sum() <= 1.0 - SIGN_CHANGE
        for profile in (left[:, 0], right[0])
    )


def _explain(patch, first):
    """Return why an atom is not a Gabor function: it may be the sum of a few of them."""
    residual = patch - first.render(*patch.shape)
    # A further function hardly ever explains more of the energy than the first.
    if MAX_PARTS * (1.0 - np.square(residual).sum() / np.square(patch).sum()) < MIN_R2:
        return "poor fit"
    for number in range(2, MAX_PARTS + 1):
        part = _canonical(_fit(residual, _as_shape(None)), residual)
        residual = residual - part.render(*patch.shape)
        if 1.0 - np.square(residual).sum() / np.square(patch - patch.mean()).sum() >= MIN_R2:
            return "checkerboard" if number == 2 and _cross(first, part) else "several blobs"
    return "poor fit"


def _cross(first, second):
    """Return whether two overlapping waves of similar frequency cross."""
    turn = abs(first.theta - second.theta)
    ratio = max(first.f, second.f) / max(min(first.f, second.f), 1e-9)
    apart = math.hypot(first.x0 - second.x0, first.y0 - second.y0)
    reach = max(first.sigma_x, first.sigma_y) + max(second.sigma_x, second.sigma_y)
    return (
        min(turn, math.pi - turn) >= CROSSING_ANGLE
        and ratio <= SIMILAR_FREQUENCY
        and apart <= reach
    )
