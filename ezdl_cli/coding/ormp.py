"""Order-recursive matching pursuit, ORMP (Gharavi-Alkhansari and Huang 1998), also called
orthogonal least squares.

Atoms are chosen one after the other, each time the one that leaves the smallest residual when x is
approximated by all chosen atoms. If b are the responses of the atoms to the residual, and e the
squared norms of the parts of the atoms orthogonal to the chosen ones, it is the atom with the
largest b²/e. The directions q by which the span grows are orthonormal, and only their products with
the atoms are stored: a step costs one pass over a row of the Gram matrix and the directions so far.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.array_helpers import smallest_normal
from ..core.input_validation import check_samples_and_atoms
from ..core.jit import kernel
from ..core.linear_algebra import (
    allocate_panels,
    allocate_responses,
    combine_rows,
    filter_responses,
    gram_matrix,
    squared_norm,
)
from ..core.parameter_validation import as_number, check_positive_integer
from ..core.scaling import scale_down, scale_up, scaling_exponents
from ..parallel import for_each_part
from .atom_selection import append_direction, argmax_gain, largest_gain

CHUNK_SAMPLES = 64  # samples whose responses are computed together: they fit into the cache
PART_SAMPLES = 512  # samples of a thread; they take longer than it takes to start a thread


def ormp(
    X: ArrayLike, W: ArrayLike, n_nonzero: int, max_error: float = 0.0
) -> NDArray[np.floating]:
    """Compute sparse codes by order-recursive matching pursuit.

    Parameters
    ----------
    X : array_like of shape (n_samples, n_features)
        Samples, one per row.
    W : array_like of shape (n_atoms, n_features)
        Atoms, one per row, of any norm.
    n_nonzero : int
        Number of nonzeros of each code. There are fewer if a sample is represented exactly with
        fewer, or if all other atoms depend linearly on the chosen ones; never more than
        `n_features`.
    max_error : float, default=0.0
        Squared error ‖x - h W‖² of a sample at which no more atoms are chosen.

    Returns
    -------
    codes : ndarray of shape (n_samples, n_atoms)
        float32 if both X and W are float16 or float32, float64 otherwise; computed in this type.

    Raises
    ------
    TypeError
        If X or W is sparse.
    ValueError
        If the shapes do not match, entries are not finite, a number is out of range, or a code
        exceeds the range of its type.

    See Also
    --------
    lasso : Sparse codes with an L1 penalty.

    References
    ----------
    Gharavi-Alkhansari, M., & Huang, T. S. (1998). A fast orthogonal matching pursuit algorithm.
    Proceedings of ICASSP, 3, 1389-1392.

    Examples
    --------
    >>> import numpy as np
    >>> import ezdl_cli as ez
    >>> ez.ormp([[1.0, 5.0, -2.0]], np.eye(3), n_nonzero=2)
    array([[ 0.,  5., -2.]])
    """
    X, W = check_samples_and_atoms(X, W)
    check_positive_integer("n_nonzero", n_nonzero)
    if not as_number("max_error", max_error) >= 0.0:
        raise ValueError(f"max_error must not be negative, but is {max_error}")
    codes = np.zeros((len(X), len(W)), X.dtype)
    # Scale samples and atoms, so that squares stay within the range of the type.
    of_x, of_w = scaling_exponents(X, axis=1), scaling_exponents(W, axis=1)
    X, W = scale_down(X, of_x), scale_down(W, of_w)
    with np.errstate(over="ignore", under="ignore"):  # infinity and zero are correct limits
        bounds = np.ldexp(float(max_error), -2 * of_x)[:, 0]
    n_atoms, d = W.shape
    panels = allocate_panels(n_atoms, d, W.dtype)
    gram = gram_matrix(W, panels)
    squares = np.diagonal(gram).copy()

    def code(part):
        workspace = OrmpWorkspace.of(*W.shape, int(min(n_nonzero, len(W))), W.dtype)
        responses = allocate_responses(CHUNK_SAMPLES, panels)
        _code_rows(X[part], panels, gram, squares, bounds[part], workspace, responses, codes[part])

    for_each_part(code, len(X), PART_SAMPLES)
    is_scaled = of_x.any() or of_w.any()
    return scale_up(codes, of_x - of_w.T, codes.dtype) if is_scaled else codes


class OrmpWorkspace(NamedTuple):
    """Memory for the code of one sample.

    Attributes
    ----------
    support, values
        The code: indices of the chosen atoms and their coefficients.
    coordinates, triangle
        The approximation and the chosen atoms with respect to the directions.
    directions, direction
        Products of all directions, and of the newest, with all atoms.
    atom
        Entries of the atom that was just chosen.
    residual_responses, powers
        Products of the atoms with the residual, and their squares.
    orthogonal_squares, gains
        The e of the atoms, and the decrease b²/e of the squared error.
    """

    support: np.ndarray
    values: np.ndarray
    coordinates: np.ndarray
    triangle: np.ndarray
    directions: np.ndarray
    direction: np.ndarray
    atom: np.ndarray
    residual_responses: np.ndarray
    powers: np.ndarray
    orthogonal_squares: np.ndarray
    gains: np.ndarray

    @classmethod
    def of(cls, n_atoms, n_features, n_nonzero, dtype):
        """Allocate a workspace for codes of at most `n_nonzero` nonzeros."""
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
def _code_rows(X, panels, gram, squares, bounds, workspace, responses, out):
    """Compute the codes of all rows of X."""
    for first in range(0, len(X), CHUNK_SAMPLES):
        chunk = X[first : first + CHUNK_SAMPLES]
        filter_responses(chunk, panels, responses)
        for i in range(len(chunk)):
            energy = squared_norm(chunk[i])
            u = responses[i][: len(gram)]
            count = ormp_code(u, gram, X[:0], squares, energy, bounds[first + i], workspace)
            for j in range(count):
                out[first + i, workspace.support[j]] = workspace.values[j]


@kernel(inline=True)
def ormp_code(u, gram, D, squares, energy, bound, workspace):
    """Compute the code of one sample, and return the number of its nonzeros.

    Parameters
    ----------
    u : array
        Filter responses of the sample.
    gram : array
        Gram matrix of the atoms. If it is empty, its rows are computed from D when needed.
    D : array (n_features, n_atoms)
        Atoms as columns, or empty.
    squares : array
        Squared norms of the atoms.
    energy, bound : float
        Squared norm of the sample, and the squared norm of the residual that ends the search.
    workspace : OrmpWorkspace
        Receives the code (`support` and `values`) and the responses to the residual.
    """
    support, coordinates, triangle = workspace.support, workspace.coordinates, workspace.triangle
    directions, direction, atom = workspace.directions, workspace.direction, workspace.atom
    responses, powers = workspace.residual_responses, workspace.powers
    orthogonal_squares, gains = workspace.orthogonal_squares, workspace.gains
    # With no atoms chosen, the residual is the sample. Separate loops vectorise better.
    for i in range(u.size):
        responses[i] = u[i]
    for i in range(u.size):
        orthogonal_squares[i] = squares[i]
    for i in range(u.size):
        powers[i] = u[i] * u[i]
    best = largest_gain(powers, orthogonal_squares, squares, gains)
    count = 0
    smallest_gain = smallest_normal(gains)  # below it, the largest gain cannot be found again
    while count < support.size and energy > bound and best >= smallest_gain:
        k = argmax_gain(gains, best)
        # Coordinates of the atom: its products with the directions so far, and the remainder.
        length = np.sqrt(orthogonal_squares[k])
        for i in range(count):
            triangle[i, count] = directions[i, k]
        triangle[count, count] = length
        _gram_row(gram, D, k, atom, direction)
        append_direction(k, count, length, directions, direction)
        # Project the residual onto the complement of the new direction.
        step = responses[k] / length
        _update_responses(step, direction, responses, powers, orthogonal_squares)
        best = largest_gain(powers, orthogonal_squares, squares, gains)
        support[count], coordinates[count] = k, step
        energy -= step * step
        count += 1
    _solve_triangular(triangle, coordinates, count, workspace.values)
    return count


@kernel(inline=True)
def _gram_row(gram, D, k, atom, out):
    """Compute or copy the products of atom k with all atoms."""
    if len(gram) > 0:
        for j in range(out.size):
            out[j] = gram[k, j]
    else:
        for i in range(atom.size):
            atom[i] = D[i, k]
        combine_rows(atom, D, out)


@kernel(inline=True)
def _update_responses(step, direction, responses, powers, orthogonal_squares):
    """Update responses and norms after a new direction, in separate loops that vectorise."""
    for j in range(direction.size):
        responses[j] -= step * direction[j]
    for j in range(direction.size):
        powers[j] = responses[j] * responses[j]
    for j in range(direction.size):
        orthogonal_squares[j] -= direction[j] * direction[j]


@kernel(inline=True)
def _solve_triangular(triangle, coordinates, count, values):
    """Solve an upper triangular system by back substitution."""
    for i in range(count - 1, -1, -1):
        total = coordinates[i]
        for j in range(i + 1, count):
            total -= triangle[i, j] * values[j]
        values[i] = total / triangle[i, i]
