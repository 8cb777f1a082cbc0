"""Bicubic reduction and enlargement of images by integer factors.

The reduction is that of Pillow and of MATLAB's `imresize`: the kernel (Keys 1981, a = -1/2) is
stretched by the factor, so that it suppresses what the smaller image cannot represent. At the
borders, the weights of the pixels within the image are divided by their sum, as in Pillow.
"""

import numpy as np

A = -0.5  # parameter of the kernel


def downscale(image, factor):
    """Return an image (..., height, width) reduced by a factor that divides both sides."""
    return _along_both_axes(_downscale_rows, image, factor)


def enlarge(image, factor):
    """Return an image (..., height, width) enlarged by a factor, interpolated."""
    return _along_both_axes(_enlarge_rows, image, factor)


def downscaling_matrix(n, factor):
    """Return the matrix (n, factor · n) that reduces vectors to n entries."""
    return _downscale_rows(np.eye(factor * n), factor)


def _along_both_axes(function, image, factor):
    image = np.asarray(image, np.float64)
    return function(function(image, factor).swapaxes(-1, -2), factor).swapaxes(-1, -2)


def _downscale_rows(x, factor):
    """Reduce the rows (second to last axis) by a factor."""
    # Pixel t has its centre at t + 1/2, the first pixel of the result at factor / 2.
    taps = np.arange(-2 * factor, 3 * factor)
    weights = _kernel((taps + 0.5 - factor / 2) / factor)
    return _weighted_sums(x, taps, weights, x.shape[-2] // factor, factor)


def _enlarge_rows(x, factor):
    """Enlarge the rows (second to last axis) by a factor."""
    n = x.shape[-2]
    result = np.empty((*x.shape[:-2], factor * n, x.shape[-1]))
    for phase in range(factor):
        position = (phase + 0.5) / factor - 0.5  # in units of the pixels of x, from their centres
        taps = np.arange(-2, 4)
        result[..., phase::factor, :] = _weighted_sums(x, taps, _kernel(taps - position), n, 1)
    return result


def _weighted_sums(x, taps, weights, n, step):
    """Return Σ weight · x[i · step + tap] for i < n, divided by the weights within the array."""
    sums, totals = np.zeros((*x.shape[:-2], n, x.shape[-1])), np.zeros((n, 1))
    for tap, weight in zip(taps, weights, strict=True):
        rows = tap + step * np.arange(n)
        inside = (rows >= 0) & (rows < x.shape[-2])
        sums[..., inside, :] += weight * x[..., rows[inside], :]
        totals[inside] += weight
    return sums / totals


def _kernel(t):
    """Return the values of the cubic kernel."""
    t = np.abs(t)
    inner = ((A + 2.0) * t - (A + 3.0)) * t * t + 1.0
    outer = A * (((t - 5.0) * t + 8.0) * t - 4.0)
    return np.where(t < 1.0, inner, np.where(t < 2.0, outer, 0.0))
