"""Order-recursive matching pursuit (Gharavi-Alkhansari and Huang 1998): codes of few nonzeros.

One atom after the other is chosen, each time the one that leaves the smallest rest when x is
approximated by all that were chosen. With b the responses to the rest, and e the squared norms of
what the atoms have beyond the chosen ones, that is the atom of the largest b²/e. The directions q
in which the approximation grows make an orthonormal set, of which only the products with the atoms
are kept: so a step costs one pass over the Gram matrix's row and the directions so far.
"""

from typing import NamedTuple

import numpy as np

from ..core.jit import kernel
from ..core.vectors import MASK, large_entries, lowest_bit
from .arguments import samples_and_atoms
from .responses import filter_responses, gram_matrix, new_panels, new_responses

AT_ONCE = 64  # samples whose responses are computed together


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
    array (m, n_atoms) of float32 if both are, else float64
    """
    X, W = samples_and_atoms(X, W)
    if not n_nonzero >= 1:
        raise ValueError(f"n_nonzero must be at least 1, not {n_nonzero}")
    if not max_error >= 0.0:
        raise ValueError(f"max_error must not be negative, but is {max_error}")
    codes = np.zeros((len(X), len(W)), X.dtype)
    panels = new_panels(*W.shape, W.dtype)
    gram = gram_matrix(W, panels)
    room = OrmpRoom.of(*W.shape, int(n_nonzero), W.dtype)
    squares = np.diagonal(gram).copy()
    _ormp(X, panels, gram, squares, float(max_error), room, new_responses(AT_ONCE, panels), codes)
    return codes


class OrmpRoom(NamedTuple):
    """Scratch of the code of a sample, and the code itself: its places and values."""

    places: np.ndarray
    values: np.ndarray
    along: np.ndarray
    triangle: np.ndarray
    directions: np.ndarray
    fresh: np.ndarray
    responses: np.ndarray
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
            np.empty(n_atoms, dtype),
            np.empty(n_atoms, dtype),
            np.empty(n_atoms, dtype),
        )


@kernel
def _ormp(X, panels, gram, squares, bound, room, responses, out):
    """Codes of all rows."""
    for first in range(0, len(X), AT_ONCE):
        batch = X[first : first + AT_ONCE]
        filter_responses(batch, panels, responses)
        for i in range(len(batch)):
            energy = squared_norm(batch[i])
            b = responses[i][: len(gram)]
            count = ormp_code(b, gram, squares, energy, bound, room)
            for j in range(count):
                out[first + i, room.places[j]] = room.values[j]


@kernel
def squared_norm(x):
    """Sum of squares, in double precision."""
    total = 0.0
    for k in range(x.size):
        total += np.float64(x[k]) * np.float64(x[k])
    return total


@kernel
def ormp_code(b, gram, squares, energy, bound, room):
    """Code from responses and the Gram matrix with its diagonal; the number of its nonzeros.

    Ends when the squared norm of the rest, `energy` in the beginning, is not above `bound`. Places
    and values are in `room`.
    """
    places, along, triangle = room.places, room.along, room.triangle
    directions, fresh = room.directions, room.fresh
    responses, rests, gains = room.responses, room.squares, room.gains
    dependent = independence(b)
    best = begin(b, squares, dependent, responses, rests, gains)
    count = 0
    while count < places.size and energy > bound and best > 0.0:
        k = place_of(gains, best)
        best, along[count] = take(
            k,
            gram[k],
            count,
            squares,
            dependent,
            directions,
            fresh,
            responses,
            rests,
            gains,
            triangle,
        )
        places[count] = k
        energy -= along[count] * along[count]
        count += 1
    solve(triangle, along, count, room.values)
    return count


@kernel
def independence(b):
    """Share of an atom's squared norm below which it counts as dependent on the chosen ones."""
    return max(1e-8, 100.0 * np.finfo(b.dtype).eps)


@kernel
def begin(b, squares, dependent, responses, rests, gains):
    """Responses and norms before the first choice; the largest gain."""
    for i in range(b.size):
        responses[i] = b[i]
    for i in range(b.size):
        rests[i] = squares[i]
    return _largest_gain(responses, rests, squares, dependent, gains)


@kernel
def place_of(gains, best):
    """The first place with the largest gain, or one that is equal but for rounding."""
    floor = gains.dtype.type(best * (1.0 - np.finfo(gains.dtype).eps))
    whole = gains.size - gains.size % MASK
    for start in range(0, whole, MASK):
        bits = large_entries(gains, start, floor)
        if bits != 0:
            return start + lowest_bit(bits)
    for i in range(whole, gains.size):
        if gains[i] >= best:
            return i
    return 0


@kernel
def take(k, row, count, squares, dependent, directions, fresh, responses, rests, gains, triangle):
    """Choose atom k, whose products with all atoms are `row`; the next gain, and the step."""
    length = np.sqrt(rests[k])
    step = responses[k] / length
    for i in range(count):
        triangle[i, count] = directions[i, k]
    triangle[count, count] = length
    _subtract_parts(k, row, count, directions, fresh)
    # Loop by loop: over many arrays at once the compiler finds no vectors.
    scale = rests.dtype.type(1.0 / length)
    for j in range(fresh.size):
        fresh[j] *= scale
    for j in range(fresh.size):
        directions[count, j] = fresh[j]
    for j in range(fresh.size):
        responses[j] -= step * fresh[j]
    for j in range(fresh.size):
        rests[j] -= fresh[j] * fresh[j]
    return _largest_gain(responses, rests, squares, dependent, gains), step


@kernel(finite=True)
def _largest_gain(responses, rests, squares, dependent, gains):
    """Gains of all atoms, zero for dependent ones; the largest."""
    zero, least = gains.dtype.type(0), gains.dtype.type(dependent)
    for j in range(gains.size):
        gain = responses[j] * responses[j] / rests[j]
        gains[j] = gain if rests[j] > least * squares[j] else zero
    best = zero
    for j in range(gains.size):
        best = max(best, gains[j])
    return best


@kernel
def _subtract_parts(k, row, count, directions, out):
    """The row of atom k less its parts along the directions so far, four at a time."""
    for j in range(out.size):
        out[j] = row[j]
    fours = count - count % 4
    for i in range(0, fours, 4):
        a, b = directions[i, k], directions[i + 1, k]
        c, d = directions[i + 2, k], directions[i + 3, k]
        for j in range(out.size):
            out[j] -= (
                a * directions[i, j]
                + b * directions[i + 1, j]
                + c * directions[i + 2, j]
                + d * directions[i + 3, j]
            )
    for i in range(fours, count):
        a = directions[i, k]
        for j in range(out.size):
            out[j] -= a * directions[i, j]


@kernel
def solve(triangle, along, count, values):
    """Solve an upper triangular system."""
    for i in range(count - 1, -1, -1):
        total = along[i]
        for j in range(i + 1, count):
            total -= triangle[i, j] * values[j]
        values[i] = total / triangle[i, i]
