"""Order-recursive matching pursuit (Gharavi-Alkhansari and Huang 1998): codes of few nonzeros.

One atom after the other is chosen, each time the one that leaves the smallest rest when x is
approximated by all that were chosen. With b the responses to the rest, and e the squared norms of
what the atoms have beyond the chosen ones, that is the atom of the largest b²/e. The directions q
in which the approximation grows make an orthonormal set, of which only the products with the atoms
are kept: so a step costs one pass over the Gram matrix's row and the directions so far.
"""

from typing import NamedTuple

import numpy as np

from ..core.input_validation import check_positive_integer, check_samples_and_atoms
from ..core.jit import kernel
from ..core.linear_algebra import (
    allocate_panels,
    allocate_responses,
    combine_rows,
    filter_responses,
    gram_matrix,
    squared_norm,
)
from ..core.scaling import scale_down, scale_up, scaling_exponents
from ..core.simd import MASK_BITS, large_entry_mask, lowest_bit

AT_ONCE = 64  # samples whose responses are computed together
DEPENDENT = 1e-8  # share of an atom's squared norm that must lie outside of the others' span


def ormp(X, W, n_nonzero, max_error=0.0):
    """Codes by order-recursive matching pursuit, also known as optimised OMP.

    Parameters
    ----------
    X : array (m, d)
        Samples, one a row.
    W : array (n_atoms, d)
        Atoms, one a row, of any length.
    n_nonzero : int
        Nonzeros of a code. There are fewer if a sample needs no more, or if all other atoms depend
        on the chosen ones: never more than d.
    max_error : float
        No more atoms are chosen when ‖x - h W‖² is not above it.

    Returns
    -------
    array (m, n_atoms) of float32 if both are, else float64; computed in that type

    Raises
    ------
    ValueError
        If the arrays do not fit or are not finite, a number is out of range, or a code is too large
        for its type.
    """
    X, W = check_samples_and_atoms(X, W)
    check_positive_integer("n_nonzero", n_nonzero)
    if not max_error >= 0.0:
        raise ValueError(f"max_error must not be negative, but is {max_error}")
    codes = np.zeros((len(X), len(W)), X.dtype)
    of_x, of_w = scaling_exponents(X, axis=1), scaling_exponents(W, axis=1)
    X, W = scale_down(X, of_x), scale_down(W, of_w)
    with np.errstate(over="ignore", under="ignore"):  # above all samples, or next to nothing
        bounds = np.ldexp(float(max_error), -2 * of_x)[:, 0]
    panels = allocate_panels(*W.shape, W.dtype)
    gram = gram_matrix(W, panels)
    room = OrmpWorkspace.of(*W.shape, int(min(n_nonzero, len(W))), W.dtype)
    squares = np.diagonal(gram).copy()
    _ormp(X, panels, gram, squares, bounds, room, allocate_responses(AT_ONCE, panels), codes)
    extreme = of_x.any() or of_w.any()
    return scale_up(codes, of_x - of_w.T, codes.dtype) if extreme else codes


class OrmpWorkspace(NamedTuple):
    """Scratch of the code of a sample, and the code itself: its places and values."""

    support: np.ndarray
    values: np.ndarray
    along: np.ndarray
    triangle: np.ndarray
    directions: np.ndarray
    fresh: np.ndarray
    atom: np.ndarray
    residual_responses: np.ndarray
    powers: np.ndarray
    squares: np.ndarray
    gains: np.ndarray

    @classmethod
    def of(cls, n_atoms, n_features, n_nonzero, dtype):
        """Room for codes of so many nonzeros, or as many as there can be."""
        size = min(n_atoms, n_features, n_nonzero)
        return cls(
            np.empty(size, np.int64),
            np.empty(size),
            np.empty(size),
            np.empty((size, size)),
            np.empty((size, n_atoms), dtype),
            np.empty(n_atoms, dtype),
            np.empty(n_features, dtype),
            np.empty(n_atoms, dtype),
            np.empty(n_atoms, dtype),
            np.empty(n_atoms, dtype),
            np.empty(n_atoms, dtype),
        )


@kernel(inline=True)
def _ormp(X, panels, gram, squares, bounds, room, responses, out):
    """Codes of all rows."""
    for first in range(0, len(X), AT_ONCE):
        batch = X[first : first + AT_ONCE]
        filter_responses(batch, panels, responses)
        for i in range(len(batch)):
            energy = squared_norm(batch[i])
            b = responses[i][: len(gram)]
            count = ormp_code(b, gram, X[:0], squares, energy, bounds[first + i], room)
            for j in range(count):
                out[first + i, room.support[j]] = room.values[j]


@kernel(inline=True)
def ormp_code(b, gram, D, squares, energy, bound, room):
    """Code of a sample with responses b; the number of its nonzeros.

    `gram` is the Gram matrix, or empty: then its rows are computed from D (d, n_atoms) when they
    are needed; `squares` is its diagonal. Ends when the squared norm of the rest, `energy` in the
    beginning, is not above `bound`. Places and values are in `room`, and the responses to the rest.
    """
    places, along, triangle = room.support, room.along, room.triangle
    directions, fresh, atom = room.directions, room.fresh, room.atom
    responses, powers, rests, gains = room.residual_responses, room.powers, room.squares, room.gains
    for i in range(b.size):
        responses[i] = b[i]
    for i in range(b.size):
        rests[i] = squares[i]
    for i in range(b.size):
        powers[i] = b[i] * b[i]
    best = largest_gain(powers, rests, squares, gains)
    count = 0
    while count < places.size and energy > bound and best > 0.0:
        k = argmax_gain(gains, best)
        length = np.sqrt(rests[k])
        for i in range(count):
            triangle[i, count] = directions[i, k]
        triangle[count, count] = length
        _gram_row(gram, D, k, atom, fresh)
        new_direction(k, count, length, directions, fresh)
        step = responses[k] / length
        _go_along(step, fresh, responses, powers, rests)
        best = largest_gain(powers, rests, squares, gains)
        places[count], along[count] = k, step
        energy -= step * step
        count += 1
    _solve(triangle, along, count, room.values)
    return count


@kernel(inline=True)
def _gram_row(gram, D, k, atom, out):
    """Products of atom k with all atoms."""
    if len(gram) > 0:
        for j in range(out.size):
            out[j] = gram[k, j]
    else:
        for i in range(atom.size):
            atom[i] = D[i, k]
        combine_rows(atom, D, out)


@kernel(inline=True, finite=True)
def largest_gain(powers, rests, squares, gains):
    """What each atom would gain, zero for dependent ones; the largest.

    `powers` are the squares of the responses to the rest, or their sums over a group of samples.
    """
    zero = gains.dtype.type(0)
    least = gains.dtype.type(max(DEPENDENT, 100.0 * np.finfo(gains.dtype).eps))
    for j in range(gains.size):
        gain = powers[j] / rests[j]
        gains[j] = gain if rests[j] > least * squares[j] else zero
    best = zero
    for j in range(gains.size):
        best = max(best, gains[j])
    return best


@kernel(inline=True)
def argmax_gain(gains, best):
    """The first place with the largest gain, or one that is equal but for rounding."""
    floor = gains.dtype.type(best * (1.0 - 2.0 * np.finfo(gains.dtype).eps))
    whole = gains.size - gains.size % MASK_BITS
    for start in range(0, whole, MASK_BITS):
        bits = large_entry_mask(gains, start, floor)
        if bits != 0:
            return start + lowest_bit(bits)
    for i in range(whole, gains.size):
        if gains[i] > floor:
            return i
    return 0


@kernel(inline=True)
def new_direction(k, count, length, directions, fresh):
    """Make the row of atom k a new direction: less its parts along the others, four at a time."""
    fours = count - count % 4
    for i in range(0, fours, 4):
        a, b = directions[i, k], directions[i + 1, k]
        c, d = directions[i + 2, k], directions[i + 3, k]
        for j in range(fresh.size):
            fresh[j] -= (
                a * directions[i, j]
                + b * directions[i + 1, j]
                + c * directions[i + 2, j]
                + d * directions[i + 3, j]
            )
    for i in range(fours, count):
        a = directions[i, k]
        for j in range(fresh.size):
            fresh[j] -= a * directions[i, j]
    scale = fresh.dtype.type(1.0 / length)
    for j in range(fresh.size):
        fresh[j] *= scale
    for j in range(fresh.size):
        directions[count, j] = fresh[j]


@kernel(inline=True)
def _go_along(step, direction, responses, powers, rests):
    """What becomes of responses and norms; loop by loop, or the compiler finds no vectors."""
    for j in range(direction.size):
        responses[j] -= step * direction[j]
    for j in range(direction.size):
        powers[j] = responses[j] * responses[j]
    for j in range(direction.size):
        rests[j] -= direction[j] * direction[j]


@kernel(inline=True)
def _solve(triangle, along, count, values):
    """Solve an upper triangular system."""
    for i in range(count - 1, -1, -1):
        total = along[i]
        for j in range(i + 1, count):
            total -= triangle[i, j] * values[j]
        values[i] = total / triangle[i, i]
