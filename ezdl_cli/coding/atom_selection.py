"""Greedy selection of atoms, shared by ORMP for a single sample and for groups of samples."""

import numpy as np

from ..core.array_helpers import machine_epsilon
from ..core.jit import kernel
from ..core.simd import MASK_BITS, large_entry_mask, lowest_bit

# An atom is linearly dependent on the chosen ones if a smaller fraction of its squared norm is
# outside of their span: half of the digits of a double.
DEPENDENT_FRACTION = 1e-8


def dependent_fraction(dtype):
    """Return the fraction for a type, as `largest_gain` has it."""
    return np.dtype(dtype).type(max(DEPENDENT_FRACTION, 100.0 * np.finfo(dtype).eps))


@kernel(inline=True, finite=True)
def largest_gain(powers, orthogonal_squares, squares, gains):
    """Compute the gain of each atom, zero for dependent ones, and return the largest.

    `powers` are the squared responses to the residual, or their sums over a group of samples.
    """
    zero = gains.dtype.type(0)
    threshold = gains.dtype.type(max(DEPENDENT_FRACTION, 100.0 * machine_epsilon(gains)))
    for j in range(gains.size):
        gain = powers[j] / orthogonal_squares[j]
        gains[j] = gain if orthogonal_squares[j] > threshold * squares[j] else zero
    best = zero
    for j in range(gains.size):
        best = max(best, gains[j])
    return best


@kernel(inline=True)
def argmax_gain(gains, best):
    """Return the index of the first gain that equals the largest one up to rounding."""
    floor = gains.dtype.type(best * (1.0 - 2.0 * machine_epsilon(gains)))
    n_masked = gains.size - gains.size % MASK_BITS
    for start in range(0, n_masked, MASK_BITS):
        bits = large_entry_mask(gains, start, floor)
        if bits != 0:
            return start + lowest_bit(bits)
    for i in range(n_masked, gains.size):
        if gains[i] > floor:
            return i
    return 0


@kernel(inline=True)
def append_direction(k, count, length, directions, direction):
    """Turn the products of atom k into those of a new direction, and append it to the others.

    The components along the other directions are subtracted (Gram-Schmidt), four at a time so that
    `direction` is read and written less often.
    """
    n_tiled = count - count % 4
    for i in range(0, n_tiled, 4):
        a, b = directions[i, k], directions[i + 1, k]
        c, d = directions[i + 2, k], directions[i + 3, k]
        for j in range(direction.size):
            direction[j] -= (
                a * directions[i, j]
                + b * directions[i + 1, j]
                + c * directions[i + 2, j]
                + d * directions[i + 3, j]
            )
    for i in range(n_tiled, count):
        a = directions[i, k]
        for j in range(direction.size):
            direction[j] -= a * directions[i, j]
    scale = direction.dtype.type(1.0 / length)
    for j in range(direction.size):
        direction[j] *= scale
    for j in range(direction.size):
        directions[count, j] = direction[j]
