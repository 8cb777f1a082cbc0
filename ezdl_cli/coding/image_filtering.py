"""Filter responses of all patches of an image to the atoms of a dictionary.

The response of a patch to an atom is their scalar product. An atom of rank 1 is the outer product
of a column and a row (paper, sect. 3.2): its responses are computed by a horizontal and a vertical
correlation, with 2p instead of p² multiplications per pixel for atoms of p × p pixels. Responses to
all other atoms are products of matrices: BLAS is faster than loops over the pixels of an atom.
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.input_validation import as_float_array, reject_rows
from ..core.jit import kernel
from ..core.linear_algebra import combine_rows
from ..core.patch_shape import patch_side
from ..parallel import in_order, single_threaded_blas

METHODS = ("auto", "separable", "direct")
BLOCK_PATCHES = 1024  # patches of a matrix product: with 16 × 16 pixels of float32 they fill 1 MiB
TASK_ATOMS = 8  # atoms that a thread filters with before it takes others
# Norm of the difference between an atom and its nearest matrix of rank 1, relative to the norm of
# the atom and the precision of its entries. Rounding errors are below 2 for atoms of 16 × 16.
MAX_RANK_ERROR = 16.0


def filter_responses(
    image: ArrayLike,
    W: ArrayLike,
    method: Literal["auto", "separable", "direct"] = "auto",
    out: NDArray[np.floating] | None = None,
) -> NDArray[np.floating]:
    """Compute the responses of all patches of an image to all atoms of a dictionary.

    Parameters
    ----------
    image : array_like of shape (height, width)
        Grey values.
    W : array_like of shape (n_atoms, side²)
        Atoms, one per row.
    method : {"auto", "separable", "direct"}, default="auto"
        "separable" filters with rows and columns, for which all atoms must have rank 1; "direct"
        computes products with entire atoms; "auto" chooses for each atom.
    out : ndarray of shape (n_atoms, height - side + 1, width - side + 1), default=None
        C-contiguous array for the result, of its type.

    Returns
    -------
    responses : ndarray of shape (n_atoms, height - side + 1, width - side + 1)
        `out` if given, else a new array; float32 if image and W are float16 or float32, float64
        otherwise. Entry (j, y, x) is the scalar product of atom j and the patch whose upper left
        pixel is (y, x). It is the same for any number of threads.

    Raises
    ------
    TypeError
        If image or W is sparse.
    ValueError
        If the atoms are not square patches, the image is smaller than an atom, a number is not
        finite, `out` does not fit, or the method is "separable" and an atom has a higher rank.

    Examples
    --------
    >>> import ezdl_cli as ez
    >>> ez.filter_responses([[1.0, 2.0, 4.0], [0.0, 1.0, 3.0]], [[-1.0, 1.0, -1.0, 1.0]])
    array([[[2., 4.]]])
    """
    if not isinstance(method, str) or method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
    image, W = as_float_array(image, "image"), as_float_array(W, "W")
    side = _check(image, W)
    shape = (len(W), *(length - side + 1 for length in image.shape))
    dtype = np.result_type(image, W)
    if out is None:
        out = np.empty(shape, dtype)
    _check_out(out, shape, dtype, (image, W))
    image = np.ascontiguousarray(image, dtype)
    columns, rows, is_separable = _factorise(W, side, method)
    if method == "separable":
        reject_rows(~is_separable, "of W is an atom of rank 2 or higher, which is not separable")
    chosen, others = np.flatnonzero(is_separable), np.flatnonzero(~is_separable)
    _filter_separably(image, columns.astype(dtype), rows.astype(dtype), chosen, out)
    _filter_directly(image, np.ascontiguousarray(W, dtype), side, others, out)
    return out


def _check(image, W):
    """Return the side of the atoms; raise ValueError if image or atoms cannot be used."""
    if image.ndim != 2 or not np.isfinite(image).all():
        raise ValueError("image must have two axes and finite grey values")
    if W.ndim != 2 or W.size == 0 or not np.isfinite(W).all():
        raise ValueError("W must have atoms of finite numbers as rows")
    side = patch_side(W.shape[1])
    height, width = image.shape
    if min(height, width) < side:
        raise ValueError(
            f"an image of {width} × {height} pixels is smaller than an atom of {side} × {side}"
        )
    return side


def _check_out(out, shape, dtype, inputs):
    """Raise ValueError unless the result can be written to `out`."""
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != dtype:
        raise ValueError(f"out must be an array of shape {shape} and type {dtype}")
    if not (out.flags.writeable and out.flags.c_contiguous):
        raise ValueError("out must be writeable and C-contiguous")
    if any(np.may_share_memory(out, array) for array in inputs):
        raise ValueError("out must not share memory with image or W")


def _factorise(W, side, method):
    """Return columns and rows (n_atoms, side) of the nearest atoms of rank 1, and which are equal.

    Nothing is computed for the method "direct", by which no atom counts as separable.
    """
    if method == "direct":
        empty = np.empty((len(W), side), W.dtype)
        return empty, empty, np.zeros(len(W), bool)
    atoms = W.astype(np.float64).reshape(-1, side, side)
    scales = np.abs(atoms).max(axis=(1, 2), keepdims=True)
    atoms /= np.where(scales > 0.0, scales, 1.0)
    # A step of the power method from the longest row: exact for rank 1.
    longest = np.argmax(np.linalg.norm(atoms, axis=2), axis=1)
    rows = atoms[np.arange(len(atoms)), longest]
    columns = _coordinates(atoms, rows)
    rows = _coordinates(atoms.swapaxes(1, 2), columns)
    differences = atoms - columns[:, :, np.newaxis] * rows[:, np.newaxis]
    tolerance = MAX_RANK_ERROR * np.finfo(W.dtype).eps
    errors, norms = (np.linalg.norm(array, axis=(1, 2)) for array in (differences, atoms))
    return columns, rows * scales[:, 0], errors <= tolerance * norms


def _coordinates(matrices, vectors):
    """Return matrix · v / ‖v‖² for each matrix and its vector v, zero if v is."""
    squares = np.einsum("ni,ni->n", vectors, vectors)[:, np.newaxis]
    products = np.einsum("nij,nj->ni", matrices, vectors)
    return products / np.where(squares > 0.0, squares, 1.0)


def _filter_separably(image, columns, rows, chosen, out):
    """Write the responses to the chosen atoms, outer products of columns and rows."""
    side = columns.shape[1]

    def run(atoms):
        ring = np.empty((side, out.shape[2]), out.dtype)
        _correlate_separably(image, columns, rows, atoms, ring, np.empty(side, out.dtype), out)

    tasks = [chosen[i : i + TASK_ATOMS] for i in range(0, len(chosen), TASK_ATOMS)]
    with in_order(run, tasks) as done:
        for _ in done:
            pass


@kernel
def _correlate_separably(image, columns, rows, chosen, ring, weights, out):
    """Correlate with rows, then with columns. `ring` holds the last `side` filtered lines."""
    side = len(ring)
    for atom in chosen:
        for y in range(len(image)):
            _correlate_line(image[y], rows[atom], ring[y % side])
            top = y - side + 1
            if top < 0:
                continue
            # Line top + i is in the ring at (top + i) % side: rotate the column accordingly.
            for i in range(side):
                weights[(top + i) % side] = columns[atom, i]
            combine_rows(weights, ring, out[atom, top])


@kernel(inline=True)
def _correlate_line(line, row, out):
    """Correlate a line of an image with the row of an atom."""
    for x in range(out.size):
        out[x] = 0
    n_tiled = row.size - row.size % 8
    # Eight entries at a time: `out` is read and written once for eight of them.
    for k in range(0, n_tiled, 8):
        a, b, c, d = row[k], row[k + 1], row[k + 2], row[k + 3]
        e, f, g, h = row[k + 4], row[k + 5], row[k + 6], row[k + 7]
        part = line[k:]
        for x in range(out.size):
            out[x] += (
                a * part[x]
                + b * part[x + 1]
                + c * part[x + 2]
                + d * part[x + 3]
                + e * part[x + 4]
                + f * part[x + 5]
                + g * part[x + 6]
                + h * part[x + 7]
            )
    for k in range(n_tiled, row.size):
        for x in range(out.size):
            out[x] += row[k] * line[k + x]


def _filter_directly(image, W, side, chosen, out):
    """Write the responses to the chosen atoms: products with the patches of one block each."""
    if chosen.size == 0:
        return
    patches = np.lib.stride_tricks.sliding_window_view(image, (side, side))
    atoms = W[chosen]

    def run(block):
        lines, columns = block
        X = np.ascontiguousarray(patches[lines, columns].transpose(2, 3, 0, 1))
        X = X.reshape(side * side, -1)
        with np.errstate(over="ignore", invalid="ignore"):
            if len(chosen) == len(out):
                np.matmul(atoms, X, out=out[:, lines, columns].reshape(len(out), -1))
            else:
                responses = (atoms @ X).reshape(len(chosen), -1, columns.stop - columns.start)
                out[chosen, lines, columns] = responses

    with single_threaded_blas, in_order(run, _blocks(*out.shape[1:])) as done:
        for _ in done:
            pass


def _blocks(height, width):
    """Return blocks of complete lines, or of parts of one line, as pairs of slices."""
    n_lines, n_columns = max(1, BLOCK_PATCHES // width), min(width, BLOCK_PATCHES)
    return [
        (slice(y, min(y + n_lines, height)), slice(x, min(x + n_columns, width)))
        for y in range(0, height, n_lines)
        for x in range(0, width, n_columns)
    ]
