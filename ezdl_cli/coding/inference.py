"""Inference models: from filter responses u to a sparse code h (paper, sect. 3.1 and 3.2).

ordinary      h = Π_σ(u)
topographic   h = Π_σ(G u), where G pools over neighbours on a grid with circular boundary
rank          h = Π_κ(Π_σ(u)), of rank κ when arranged on the grid

The scale of h is arbitrary in EZDL; it has unit norm here.
"""

from typing import NamedTuple

import numpy as np

from ..core.array_helpers import copy_entries, machine_epsilon
from ..core.jit import kernel
from ..core.linear_algebra import allocate_panels, allocate_responses, filter_responses, pack_rows
from ..core.low_rank import keep_rank
from ..core.parameter_validation import check_integer, is_integer
from ..core.target_sparseness import TargetSparseness
from .sparse_projection import FIRST_GUESS, nonzeros, project_to_sparse_code

CHUNK_SAMPLES = 64  # samples whose responses are computed together: they fit into the cache
ORDINARY, TOPOGRAPHIC, RANK = range(3)
MODELS = {"ordinary": ORDINARY, "topographic": TOPOGRAPHIC, "rank": RANK}


class InferenceModel(NamedTuple):
    """An inference model, as the kernels need it."""

    kind: int
    target: TargetSparseness
    rows: int
    columns: int
    pooling: int
    rank: int

    @classmethod
    def of(cls, n_atoms, sparseness, inference="ordinary", grid=None, pooling=3, code_rank=1):
        """Return the model for a number of atoms.

        Parameters
        ----------
        n_atoms : int
        sparseness : float
            σ of the codes.
        inference : {"ordinary", "topographic", "rank"}
        grid : (int, int), optional
            Rows and columns of the arrangement of the atoms. The default is closest to a square.
        pooling : int
            Side of the neighbourhood of the topographic model.
        code_rank : int
            κ of the rank model.

        Raises
        ------
        ValueError
            If a parameter is out of range, or if the grid does not have `n_atoms` positions.
        """
        if not isinstance(inference, str) or inference not in MODELS:
            raise ValueError(f"inference must be one of {', '.join(MODELS)}, not {inference!r}")
        rows, columns = (1, n_atoms) if inference == "ordinary" else _grid(grid, n_atoms)
        if inference == "topographic" and not (
            is_integer(pooling) and pooling % 2 == 1 and 1 <= pooling <= min(rows, columns)
        ):
            raise ValueError(
                f"pooling must be odd and fit the grid of {rows}x{columns}, not {pooling!r}"
            )
        if inference == "rank":
            check_integer("code_rank", code_rank, 1, min(rows, columns))
        # The sparseness of a single response is not defined; its code is its sign.
        target = TargetSparseness.of(max(n_atoms, 2), sparseness)
        return cls(MODELS[inference], target, rows, columns, int(pooling), int(code_rank))


def _grid(grid, n_atoms):
    """Return rows and columns of a grid; None stands for the one that is closest to a square."""
    if grid is None:
        return _square(n_atoms)
    if not _is_pair_of_integers(grid):
        raise ValueError(f"grid must be a pair of integers, not {grid!r}")
    rows, columns = map(int, grid)
    if rows < 1 or columns < 1 or rows * columns != n_atoms:
        raise ValueError(f"grid must have {n_atoms} positions, not {rows}x{columns}")
    return rows, columns


def _is_pair_of_integers(grid):
    try:
        return np.shape(grid) == (2,) and all(map(is_integer, grid))
    except ValueError:  # lists of different lengths
        return False


def _square(n_atoms):
    """Return the grid that is closest to a square."""
    rows = int(np.sqrt(n_atoms))
    while n_atoms % rows:
        rows -= 1
    return rows, n_atoms // rows


class InferenceWorkspace(NamedTuple):
    """Memory for the inference of one code, and the guess of the offset that speeds it up.

    `support` and `values` are the code; the last five arrays are for `keep_rank`.
    """

    guess: np.ndarray
    support: np.ndarray
    values: np.ndarray
    dense: np.ndarray
    pooled: np.ndarray
    residual: np.ndarray
    gram: np.ndarray
    square: np.ndarray
    right: np.ndarray
    columns: np.ndarray

    @classmethod
    def of(cls, model, dtype):
        """Allocate a workspace; a new one per epoch makes results reproducible."""
        n = model.rows * model.columns
        c = model.columns if model.kind == RANK else 1
        return cls(
            np.array([FIRST_GUESS]),
            np.empty(n + 1, np.int64),
            np.empty(n + 1, dtype),
            np.empty(n, dtype),
            np.empty(n, dtype),
            np.empty(n),
            np.empty(c * c),
            np.empty(c * c),
            np.empty(c),
            np.empty(c, np.int64),
        )


def encode(X, W, model):
    """Compute the codes (m, n_atoms) of samples (m, d) as in learning, with unit norm."""
    X, W = np.ascontiguousarray(X), np.ascontiguousarray(W)
    codes = np.zeros((len(X), len(W)), W.dtype)
    panels = allocate_panels(*W.shape, W.dtype)
    pack_rows(W, panels)
    responses = allocate_responses(CHUNK_SAMPLES, panels)
    _encode_rows(X, panels, model, InferenceWorkspace.of(model, W.dtype), responses, codes)
    return codes


@kernel(inline=True)
def _encode_rows(X, panels, model, workspace, responses, out):
    """Compute the codes of all rows, each from the same guess: none depends on another."""
    for first in range(0, len(X), CHUNK_SAMPLES):
        chunk = X[first : first + CHUNK_SAMPLES]
        filter_responses(chunk, panels, responses)
        for i in range(len(chunk)):
            workspace.guess[0] = FIRST_GUESS
            count = infer_code(responses[i][: out.shape[1]], model, workspace)
            for c in range(count):
                out[first + i, workspace.support[c]] = workspace.values[c]


@kernel(inline=True)
def scale_codes(X, W, codes):
    """Scale codes in place, so that the approximations h W are nearest to the samples."""
    approximation = np.empty(W.shape[1])
    for i in range(len(X)):
        approximation[:] = 0.0
        for j in range(len(W)):
            if codes[i, j] != 0.0:
                for k in range(approximation.size):
                    approximation[k] += codes[i, j] * W[j, k]
        product, squares = 0.0, 0.0
        for k in range(approximation.size):
            product += approximation[k] * X[i, k]
            squares += approximation[k] * approximation[k]
        scale = product / squares if squares > 0.0 else 0.0
        for j in range(len(W)):
            codes[i, j] *= scale


@kernel(inline=True)
def infer_code(u, model, workspace):
    """Compute the code of filter responses, and return the number of its nonzeros.

    They are in `workspace.support` and `workspace.values`.
    """
    support, values, dense = workspace.support, workspace.values, workspace.dense
    if model.kind == TOPOGRAPHIC:
        _pool(u, model.rows, model.columns, model.pooling, workspace.pooled, dense)
        u = workspace.pooled
    count = project_to_sparse_code(u, model.target, workspace.guess, support, values, dense)
    if model.kind != RANK or count == 0:
        return count
    # Arrange the code on the grid, and reduce its rank there.
    dense[:] = 0
    for i in range(count):
        dense[support[i]] = values[i]
    grid = dense.reshape(model.rows, model.columns)
    memory = (
        workspace.residual,
        workspace.gram,
        workspace.square,
        workspace.right,
        workspace.columns,
    )
    keep_rank(grid, model.rank, *memory)
    _normalise_and_clean(dense)
    return nonzeros(dense, support, values)


@kernel(inline=True)
def _normalise_and_clean(dense):
    """Scale to unit norm, and set entries to zero that are only rounding compared with it."""
    squares = 0.0
    for i in range(dense.size):
        squares += dense[i] * dense[i]
    scale = 1.0 / np.sqrt(squares) if squares > 0.0 else 0.0
    threshold = 8.0 * machine_epsilon(dense)
    for i in range(dense.size):
        value = dense[i] * scale
        dense[i] = value if abs(value) > threshold else 0.0


@kernel(inline=True)
def _pool(u, rows, columns, size, out, vertical):
    """Sum over neighbourhoods of size × size on a grid with circular boundary.

    The sum instead of the mean: the scale of u does not change its projection to unit norm.
    """
    half = size // 2
    # Vertically, with wrapped rows as separate slices so that all loops vectorise.
    copy_entries(u, vertical)
    for shift in range(1, half + 1):
        distance = shift * columns
        _add(vertical[distance:], u[:-distance])
        _add(vertical[:distance], u[-distance:])
        _add(vertical[:-distance], u[distance:])
        _add(vertical[-distance:], u[:distance])
    # Horizontally, as if all rows were one: wrong at the ends of the rows, which follow.
    copy_entries(vertical, out)
    for shift in range(1, half + 1):
        _add(out[shift:], vertical[:-shift])
        _add(out[:-shift], vertical[shift:])
    for i in range(rows):
        line = vertical[i * columns : (i + 1) * columns]
        sums = out[i * columns : (i + 1) * columns]
        for end in range(-half, half):  # negative indices count from the other end
            total = line[end]
            for shift in range(1, half + 1):
                total += line[end - shift] + line[end + shift]
            sums[end] = total


@kernel(inline=True)
def _add(total, x):
    """Add x to `total` in place."""
    for i in range(x.size):
        total[i] += x[i]
