"""Deblurring: the image that a known kernel has blurred."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import fft

from ..parallel import cores, single_threaded_blas
from .blurred_noise import estimate_blurred_noise
from .blurring import normalised_kernel
from .degraded_image import DegradedImage
from .large_images import OVERLAP, restore_in_tiles
from .plug_and_play import Schedule, new_denoiser, no_callback, plug_and_play

# Chosen on the crops of docs/restoration.md.
SCHEDULE = Schedule(50.0, 5.0, 20)
DICTIONARY_SCHEDULE = Schedule(20.0, 4.0, 12)
# Level of the noise that the image is taken to have at least: that of rounding to 8 bits.
MIN_LEVEL = 0.3
# The same relative to the level of a round: conjugate gradients would converge slowly otherwise.
# 0.05 loses 0.1 to 0.3 dB with little noise.
MIN_RATIO = 0.02
# Conjugate gradients end when the norm of the residual, preconditioned, has fallen by this factor.
TOLERANCE = 1e-3
MAX_ITERATIONS = 40
BOUNDARIES = "unknown", "periodic"
PERIODS = 2  # sides of the kernel by which periodic images are continued


def deblur(
    image: ArrayLike,
    kernel: ArrayLike,
    sigma: float | None = None,
    W: ArrayLike | None = None,
    *,
    boundary: Literal["unknown", "periodic"] = "unknown",
    white: float | None = None,
    schedule: tuple[float, float, int] | None = None,
    callback: Callable[[float], object] | None = None,
) -> NDArray[np.float64]:
    """Remove the blur of a known kernel from an image.

    By default, what lies beyond the borders of the image is unknown and estimated as well, so that
    no assumption on it causes ringing.

    Parameters
    ----------
    image : array_like of shape (height, width) or (height, width, 3)
        Grey values or colours.
    kernel : array_like of shape (rows, columns)
        The blurred image of a point, at most as large as the image; it is divided by its sum.
        The centre is the entry in row (rows - 1) // 2, column (columns - 1) // 2.
    sigma : float, default=None
        Standard deviation of white noise in the image, in its units. If None, it is estimated
        from frequencies that the kernel removes.
    W : array_like of shape (n_atoms, side²), default=None
        Dictionary, one atom per row, whose sparse codes denoise the estimate in each round. If
        None, patches are denoised by the mean and covariance of similar ones, which is better.
    boundary : {"unknown", "periodic"}, default="unknown"
        What lies beyond the borders. Images that were blurred by multiplication in the Fourier
        domain are periodic: their opposite borders were mixed.
    white : float, default=None
        The value of white. If None, 65535 for uint16, 1 for bool, else 255.
    schedule : (float, float, int), default=None
        First and last noise level that the rounds assume, on the scale from 0 to 255, and the
        number of rounds. If None, it depends on whether W is given.
    callback : callable, default=None
        Function that is called with the share of the work that is done, from 0 to 1.

    Returns
    -------
    deblurred : ndarray of the shape of the image
        Values in float64, neither rounded nor clipped.

    Raises
    ------
    TypeError
        If an array is sparse.
    ValueError
        If a value is out of range or not finite, the kernel is larger than the image, or the image
        is too small to estimate the noise.

    See Also
    --------
    denoise : Remove noise only.

    References
    ----------
    Zoran, D., & Weiss, Y. (2011). From learning models of natural image patches to whole image
    restoration. Proceedings of ICCV, 479-486.

    Almeida, M. S. C., & Figueiredo, M. A. T. (2013). Deconvolving images with unknown boundaries
    using the alternating direction method of multipliers. IEEE Transactions on Image Processing,
    22(8), 3074-3086.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.signal import convolve2d
    >>> import ezdl_cli as ez
    >>> sharp = np.kron([[50.0, 200.0], [200.0, 50.0]], np.ones((20, 20)))
    >>> kernel = np.outer([1, 2, 1], [1, 2, 1]) / 16
    >>> blurred = convolve2d(sharp, kernel, mode="valid")
    >>> deblurred = ez.deblur(blurred, kernel, sigma=0.0)
    >>> errors = [np.abs(image - sharp[1:-1, 1:-1]).mean() for image in (blurred, deblurred)]
    >>> bool(errors[1] < 0.5 * errors[0])
    True
    """
    kernel = normalised_kernel(kernel)
    rounds = Schedule.of(schedule, SCHEDULE if W is None else DICTIONARY_SCHEDULE)
    if not isinstance(boundary, str) or boundary not in BOUNDARIES:
        raise ValueError(f"boundary must be one of {', '.join(BOUNDARIES)}, not {boundary!r}")
    degraded = DegradedImage(image, white)
    if any(side > size for side, size in zip(kernel.shape, degraded.shape, strict=True)):
        raise ValueError(
            f"a kernel of {kernel.shape[1]} × {kernel.shape[0]} pixels is larger than the image of "
            f"{degraded.shape[1]} × {degraded.shape[0]}"
        )
    if sigma is None:
        with single_threaded_blas:
            sigma = estimate_blurred_noise(image, kernel, white)
    noise = degraded.noise_level(sigma)
    margin = PERIODS * max(kernel.shape) if boundary == "periodic" else 0
    inner = tuple(slice(margin, margin + size) for size in degraded.shape)
    if margin:
        widths = [(margin, margin)] * 2 + [(0, 0)] * (np.ndim(image) - 2)
        degraded = DegradedImage(np.pad(image, widths, mode="wrap"), white)

    def restore(region, advance):
        move = BlurStep(degraded.channels(region), kernel, max(noise, MIN_LEVEL))
        x = plug_and_play(move.start, move, new_denoiser(W), rounds, advance)
        return x[:, *move.inner]

    with single_threaded_blas:
        advance, overlap = callback or no_callback, max(OVERLAP, *kernel.shape)
        shape, n_channels = degraded.shape, degraded.n_channels
        x = restore_in_tiles(restore, shape, n_channels, advance, overlap=overlap)
        return degraded.merge(x)[inner]


class BlurStep:
    """The step towards the data y = M (k * x) + n.

    The canvas, on which x is, extends beyond the image, so that all that y depends on is within it;
    M cuts the image out of it. Without M, the Fourier transform would solve the least squares
    problem; with it, it preconditions conjugate gradients.

    Parameters
    ----------
    y : array (channels, height, width)
    kernel : array (rows, columns)
    noise : float
        Standard deviation of the noise.

    Attributes
    ----------
    start : array
        The image and its mirror image beyond the borders, on the canvas.
    inner : tuple of slices
        The part of the canvas that is the image.
    """

    def __init__(self, y, kernel, noise):
        centre = [(side - 1) // 2 for side in kernel.shape]
        margins = [_margins(n, side) for n, side in zip(y.shape[1:], kernel.shape, strict=True)]
        self.start = np.pad(y, [(0, 0), *margins], mode="symmetric")
        self.inner = tuple(
            slice(before, before + n) for (before, _), n in zip(margins, y.shape[1:], strict=True)
        )
        self._canvas = self.start.shape[1:]
        self._mask = np.pad(np.ones(y.shape[1:]), margins)
        canvas = np.zeros(self._canvas)
        canvas[: kernel.shape[0], : kernel.shape[1]] = kernel
        self._transfer = fft.rfft2(np.roll(canvas, [-c for c in centre], (0, 1)))
        self._adjoint, self._power = self._transfer.conj(), np.abs(self._transfer) ** 2
        self._data = self._filter(self._mask * self.start, self._adjoint)
        self._noise = noise

    def __call__(self, x, level):
        ratio = max(self._noise / level, MIN_RATIO) ** 2
        inverse = 1.0 / (self._power + ratio)

        def operator(z):
            blurred = self._mask * self._filter(z, self._transfer)
            return self._filter(blurred, self._adjoint) + ratio * z

        residual = self._data + ratio * x - operator(x)
        return x + _conjugate_gradients(operator, residual, lambda r: self._filter(r, inverse))

    def _filter(self, x, transfer):
        workers = cores()
        waves = fft.rfft2(x, workers=workers) * transfer
        return fft.irfft2(waves, s=self._canvas, workers=workers)


def _margins(n, side):
    """Return how far the canvas extends before and after n pixels, for a side of the kernel."""
    before = side - 1 - (side - 1) // 2
    return before, fft.next_fast_len(n + side - 1, real=True) - n - before


def _conjugate_gradients(operator, residual, precondition):
    """Return the solution of operator(z) = residual, for each channel."""
    z = np.zeros_like(residual)
    direction = step = precondition(residual)
    first = product = _products(residual, step)
    for _ in range(MAX_ITERATIONS):
        if (product <= TOLERANCE**2 * first).all():
            break
        image = operator(direction)
        # A channel without any residual has no direction.
        length = product / np.maximum(_products(direction, image), np.finfo(np.float64).tiny)
        z = z + length * direction
        residual = residual - length * image
        step = precondition(residual)
        previous, product = product, _products(residual, step)
        direction = step + product / np.maximum(previous, np.finfo(np.float64).tiny) * direction
    return z


def _products(a, b):
    """Return the inner product of each channel."""
    return (a * b).sum(axis=(1, 2), keepdims=True)
