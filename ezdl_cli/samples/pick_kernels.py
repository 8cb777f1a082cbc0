"""Kernels that copy the samples of a batch, normalised or scaled."""

import math

import numpy as np

from ..core.jit import kernel
from ..core.simd import CACHE_LINE, prefetch

MAX_SHIFT = 1022  # binary exponent of the largest scale; 2^±1022 are normal numbers
PREFETCH_ROWS = 16  # rows between requesting a row from memory and using it


@kernel
def pick_normalised(samples, indices, out):
    """Copy rows of uint8, normalised to zero mean and unit variance; integer sums are exact."""
    n = samples.shape[1]
    flat = samples.reshape(samples.size)
    for i in range(indices.size):
        _prefetch_ahead(flat, indices, i, n)
        row = samples[indices[i]]
        total = 0
        squares = 0
        for j in range(n):
            value = np.int32(row[j])
            total += value
            squares += value * value
        # n² times the variance.
        spread = n * squares - total * total
        mean = total / n
        scale = n / np.sqrt(spread) if spread > 0 else 0.0
        for j in range(n):
            out[i, j] = (row[j] - mean) * scale


@kernel
def pick_scaled_rows(samples, indices, out):
    """Copy rows, each times the power of two that brings its largest entry to between ½ and 1."""
    n = samples.shape[1]
    flat = samples.reshape(samples.size)
    for i in range(indices.size):
        _prefetch_ahead(flat, indices, i, n)
        row = samples[indices[i]]
        largest = row[0] - row[0]
        for j in range(n):
            largest = max(largest, abs(row[j]))
        _, exponent = math.frexp(np.float64(largest))
        scale = math.ldexp(1.0, min(max(-exponent, -MAX_SHIFT), MAX_SHIFT))
        for j in range(n):
            out[i, j] = row[j] * scale


@kernel(inline=True)
def _prefetch_ahead(flat, indices, i, n):
    """Request a row of n entries that is due soon: rows are scattered in memory."""
    ahead = indices[min(i + PREFETCH_ROWS, indices.size - 1)] * n
    for line in range(0, n, CACHE_LINE // flat.itemsize):
        prefetch(flat, ahead + line)
