"""Inverse of the Gram matrix of a support, updated when an atom joins or leaves it.

The inverse is symmetric, in double precision, and its rows are padded with zeros to a multiple of
`PADDING` entries.
"""

import numpy as np

from ..core.array_helpers import machine_epsilon
from ..core.jit import kernel

PADDING = 16  # entries: two cache lines of doubles, a multiple of all vector registers
# Fraction of the squared norm of an atom that must be outside of the span of the support. Four
# digits more than the rounding of a double; in float32 the rounding of the Gram matrix decides.
DEPENDENT_FRACTION = 1e-12


@kernel(inline=True)
def _padded(count):
    """Return the next multiple of PADDING: loops of this length need no remainder loop."""
    return (count + PADDING - 1) // PADDING * PADDING


@kernel(inline=True)
def multiply_inverse(count, inverse, x, out):
    """Multiply the symmetric inverse with a vector of `count` entries, along its rows."""
    padded = _padded(count)
    for j in range(padded):
        out[j] = 0.0
    for i in range(count):
        for j in range(padded):
            out[j] += x[i] * inverse[i, j]


@kernel(inline=True)
def extend_inverse(k, count, gram, support, inverse, right_side, column):
    """Extend the inverse by atom k; returns False if it is dependent or the support is full."""
    # Coefficients of the atom's projection onto the support, and what is left of its norm.
    for i in range(count):
        right_side[i] = gram[k, support[i]]
    multiply_inverse(count, inverse, right_side, column)
    remainder = np.float64(gram[k, k])
    for i in range(count):
        remainder -= column[i] * right_side[i]
    threshold = max(DEPENDENT_FRACTION, 100.0 * machine_epsilon(gram))
    if count == len(inverse) or not remainder > threshold * gram[k, k]:
        return False
    # Inverse of a bordered matrix: add the outer product of (coefficients, -1) / remainder.
    padded = _padded(count + 1)
    for j in range(count, padded):
        column[j] = 0.0
    column[count] = -1.0
    if count % PADDING == 0:
        for i in range(count):
            for j in range(count, padded):
                inverse[i, j] = 0.0
    for j in range(padded):
        inverse[count, j] = 0.0
    _add_outer(count + 1, inverse, 1.0 / remainder, column)
    return True


@kernel(inline=True)
def _add_outer(count, inverse, factor, x):
    """Add factor x xᵀ to a symmetric matrix; x is zero beyond its `count` entries."""
    padded = _padded(count)
    for i in range(count):
        scaled = factor * x[i]
        for j in range(padded):
            inverse[i, j] += scaled * x[j]


@kernel(inline=True)
def shrink_inverse(i, count, support, values, signs, inverse, column):
    """Remove the i-th atom of the support, and return the new size of the support."""
    # Swap it with the last one.
    last = count - 1
    for j in range(count):
        inverse[i, j], inverse[last, j] = inverse[last, j], inverse[i, j]
    for j in range(count):
        inverse[j, i], inverse[j, last] = inverse[j, last], inverse[j, i]
    support[i], values[i], signs[i] = support[last], values[last], signs[last]
    # Undo the bordering of `extend_inverse`.
    pivot = inverse[last, last]
    for j in range(_padded(count)):
        column[j] = inverse[last, j]
    column[last] = 0.0
    _add_outer(last, inverse, -1.0 / pivot, column)
    for j in range(last):
        inverse[j, last] = 0.0
    return last


@kernel(inline=True)
def rebuild_inverse(count, gram, support, values, signs, inverse, right_side, column):
    """Recompute the inverse without accumulated rounding; returns the size of the support."""
    kept = 0
    for i in range(count):
        if extend_inverse(support[i], kept, gram, support, inverse, right_side, column):
            support[kept], values[kept], signs[kept] = support[i], values[i], signs[i]
            kept += 1
    return kept
