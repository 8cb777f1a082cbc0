"""Super-resolution: enlargement to an image whose bicubic reduction is the given one."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.parameter_validation import is_integer
from ..parallel import single_threaded_blas
from .bicubic import downscale, downscaling_matrix, enlarge
from .degraded_image import DegradedImage
from .large_images import restore_in_tiles
from .plug_and_play import Schedule, new_denoiser, no_callback, plug_and_play

FACTORS = 2, 3, 4
# Chosen on the crops of docs/restoration.md.
SCHEDULE = Schedule(40.0, 3.0, 36)
DICTIONARY_SCHEDULE = Schedule(30.0, 2.0, 12)
# Level of the noise that the rounds take the input to have at least. That of rounding, 0.3, gains
# nothing, and 1 loses 0.05 dB.
MIN_LEVEL = 0.5
# Difference of the input from the reduction of the result that is left where tiles overlap.
MAX_DIFFERENCE, MAX_CORRECTIONS = 1e-3, 30


def upscale(
    image: ArrayLike,
    factor: int = 2,
    W: ArrayLike | None = None,
    sigma: float = 0.0,
    *,
    white: float | None = None,
    schedule: tuple[float, float, int] | None = None,
    callback: Callable[[float], object] | None = None,
) -> NDArray[np.float64]:
    """Enlarge an image, with sharper details than by interpolation.

    The result is an image whose bicubic reduction is the given one, and whose patches resemble
    other patches nearby.

    Parameters
    ----------
    image : array_like of shape (height, width) or (height, width, 3)
        Grey values or colours.
    factor : {2, 3, 4}, default=2
        Size of the result relative to the image.
    W : array_like of shape (n_atoms, side²), default=None
        Dictionary, one atom per row, whose sparse codes denoise the estimate in each round. If
        None, patches are denoised by the mean and covariance of similar ones, which is better.
    sigma : float, default=0.0
        Standard deviation of white noise in the image, in its units. If it is 0, the reduction of
        the result is the image.
    white : float, default=None
        The value of white. If None, 65535 for uint16, 1 for bool, else 255.
    schedule : (float, float, int), default=None
        First and last noise level that the rounds assume, on the scale from 0 to 255, and the
        number of rounds. If None, it depends on whether W is given.
    callback : callable, default=None
        Function that is called with the share of the work that is done, from 0 to 1.

    Returns
    -------
    enlarged : ndarray of shape (factor · height, factor · width) or with a third axis
        Values in float64, neither rounded nor clipped.

    Raises
    ------
    TypeError
        If an array is sparse.
    ValueError
        If a value is out of range or not finite.

    See Also
    --------
    deblur : Remove blur of a known kernel.

    References
    ----------
    Venkatakrishnan, S. V., Bouman, C. A., & Wohlberg, B. (2013). Plug-and-play priors for model
    based reconstruction. Proceedings of GlobalSIP, 945-948.

    Examples
    --------
    >>> import numpy as np
    >>> import ezdl_cli as ez
    >>> small = np.add.outer(np.arange(16.0), np.arange(16.0))
    >>> ez.upscale(small, factor=2).shape
    (32, 32)
    """
    if not is_integer(factor) or factor not in FACTORS:
        raise ValueError(f"factor must be 2, 3 or 4, not {factor!r}")
    factor = int(factor)  # of NumPy's types, small ones would overflow
    rounds = Schedule.of(schedule, SCHEDULE if W is None else DICTIONARY_SCHEDULE)
    degraded = DegradedImage(image, white)
    noise = degraded.noise_level(sigma)

    def restore(region, advance):
        y = degraded.channels(region)
        move = ReductionStep(y, factor, max(noise, MIN_LEVEL))
        x = plug_and_play(enlarge(y, factor), move, new_denoiser(W), rounds, advance)
        return x if noise > 0.0 else move.exactly(x)

    with single_threaded_blas:
        advance = callback or no_callback
        shape, n_channels = degraded.shape, degraded.n_channels
        x = restore_in_tiles(restore, shape, n_channels, advance, scale=factor)
        if noise == 0.0:
            _correct_overlaps(x, degraded.channels(degraded.region), factor)
        return degraded.merge(x)


def _correct_overlaps(x, y, factor):
    """Change x, whose tiles were blended, so that its reduction is y again."""
    for _ in range(MAX_CORRECTIONS):
        differences = y - downscale(x, factor)
        if np.abs(differences).max() <= MAX_DIFFERENCE:
            break
        x += enlarge(differences, factor)


class ReductionStep:
    """The step towards the data y = D x Fᵀ + n, where D and F reduce rows and columns.

    The singular value decompositions of D and F turn the least squares problem into one of single
    numbers.

    Parameters
    ----------
    y : array (channels, height, width)
    factor : int
    noise : float
        Standard deviation of the noise.
    """

    def __init__(self, y, factor, noise):
        (U, s, self._V), (P, t, self._Q) = (
            np.linalg.svd(downscaling_matrix(n, factor), full_matrices=False) for n in y.shape[1:]
        )
        self._values = np.outer(s, t)
        self._y, self._noise = U.T @ y @ P, noise

    def __call__(self, x, level):
        return self._move(x, self._noise / level)

    def exactly(self, x):
        """Return the image nearest to x whose reduction is y."""
        return self._move(x, 0.0)

    def _move(self, x, ratio):
        residuals = self._y - self._values * (self._V @ x @ self._Q.T)
        steps = self._values / (self._values**2 + ratio**2) * residuals
        return x + self._V.T @ steps @ self._Q
