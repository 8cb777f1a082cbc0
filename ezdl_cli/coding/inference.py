"""Inference models: from filter responses u to a sparse code h (paper, sect. 3.1 and 3.2).

ordinary      h = Π_σ(u)
topographic   h = Π_σ(G u), where G averages over neighbours on a grid with circular boundary
rank          h = Π_κ(Π_σ(u)), of rank κ when laid out on the grid

The scale of h is free in EZDL; it has unit norm here.
"""

from typing import NamedTuple

import numpy as np

from ..core.jit import kernel
from ..core.linear_algebra import allocate_panels, allocate_responses, filter_responses, pack_rows
from ..core.low_rank import keep_rank
from ..core.target_sparseness import TargetSparseness
from .sparse_projection import FIRST_GUESS, nonzeros, project_to_sparse_code

AT_ONCE = 64  # samples whose responses are computed together
ORDINARY, TOPOGRAPHIC, RANK = range(3)
MODELS = {"ordinary": ORDINARY, "topographic": TOPOGRAPHIC, "rank": RANK}


class InferenceModel(NamedTuple):
    """An inference model as the kernels want it."""

    kind: int
    target: TargetSparseness
    rows: int
    columns: int
    pooling: int
    rank: int

    @classmethod
    def of(cls, n_atoms, sparseness, inference="ordinary", grid=None, pooling=3, code_rank=1):
        """The model for a number of atoms.

        Raises
        ------
        ValueError
            If a parameter is out of range, or the grid does not have that many places.
        """
        if inference not in MODELS:
            raise ValueError(f"inference must be one of {', '.join(MODELS)}, not {inference!r}")
        rows, columns = (1, n_atoms) if inference == "ordinary" else (grid or _square(n_atoms))
        if rows < 1 or columns < 1 or rows * columns != n_atoms:
            raise ValueError(f"a grid of {rows}x{columns} does not have {n_atoms} places")
        if inference == "topographic" and not (
            pooling % 2 == 1 and 1 <= pooling <= min(rows, columns)
        ):
            raise ValueError(f"pooling must be odd and fit the grid of {rows}x{columns}")
        if inference == "rank" and not 1 <= code_rank <= min(rows, columns):
            raise ValueError(f"the rank of codes must be 1 to {min(rows, columns)}")
        # A single response has no sparseness; its code is its sign.
        target = TargetSparseness.of(max(n_atoms, 2), sparseness)
        return cls(MODELS[inference], target, rows, columns, int(pooling), int(code_rank))


def _square(n_atoms):
    """The grid that is nearest to a square."""
    rows = int(np.sqrt(n_atoms))
    while n_atoms % rows:
        rows -= 1
    return rows, n_atoms // rows


class InferenceWorkspace(NamedTuple):
    """Room that the inference of one code needs, and the guess that speeds it up."""

    guess: np.ndarray
    support: np.ndarray
    values: np.ndarray
    dense: np.ndarray
    pooled: np.ndarray
    rest: np.ndarray
    gram: np.ndarray
    square: np.ndarray
    right: np.ndarray
    columns: np.ndarray

    @classmethod
    def of(cls, model, dtype):
        """Room for a model; the same start for every epoch, so that results repeat."""
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
    """Codes (m, n_atoms) of samples (m, d), of unit norm, as learning infers them."""
    X, W = np.ascontiguousarray(X), np.ascontiguousarray(W)
    codes = np.zeros((len(X), len(W)), W.dtype)
    panels = allocate_panels(*W.shape, W.dtype)
    pack_rows(W, panels)
    _encode(
        X,
        panels,
        model,
        InferenceWorkspace.of(model, W.dtype),
        allocate_responses(AT_ONCE, panels),
        codes,
    )
    return codes


@kernel(inline=True)
def _encode(X, panels, model, scratch, responses, out):
    """Codes of all rows; each starts from the same guess, so that none depends on another."""
    for first in range(0, len(X), AT_ONCE):
        batch = X[first : first + AT_ONCE]
        filter_responses(batch, panels, responses)
        for i in range(len(batch)):
            scratch.guess[0] = FIRST_GUESS
            count = infer_code(responses[i][: out.shape[1]], model, scratch)
            for c in range(count):
                out[first + i, scratch.support[c]] = scratch.values[c]


@kernel(inline=True)
def scale_codes(X, W, codes):
    """Scale codes so that h W comes nearest to x; in place."""
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
def infer_code(u, model, scratch):
    """Code of filter responses: the number of its nonzeros, in `scratch.places` and `.values`."""
    places, values, dense = scratch.support, scratch.values, scratch.dense
    if model.kind == TOPOGRAPHIC:
        _pool(u, model.rows, model.columns, model.pooling, scratch.pooled, dense)
        u = scratch.pooled
    count = project_to_sparse_code(u, model.target, scratch.guess, places, values, dense)
    if model.kind != RANK or count == 0:
        return count
    dense[:] = 0
    for i in range(count):
        dense[places[i]] = values[i]
    grid = dense.reshape(model.rows, model.columns)
    rooms = (scratch.rest, scratch.gram, scratch.square, scratch.right, scratch.columns)
    keep_rank(grid, model.rank, *rooms)
    _drop_rounding(dense)
    return nonzeros(dense, places, values)


@kernel(inline=True)
def _drop_rounding(dense):
    """Scale to unit norm, and make what is rounding beside the norm exactly zero."""
    squares = 0.0
    for i in range(dense.size):
        squares += dense[i] * dense[i]
    scale = 1.0 / np.sqrt(squares) if squares > 0.0 else 0.0
    least = 8.0 * np.finfo(dense.dtype).eps
    for i in range(dense.size):
        value = dense[i] * scale
        dense[i] = value if abs(value) > least else 0.0


@kernel(inline=True)
def _pool(u, rows, columns, size, out, down):
    """Sum over neighbourhoods of size × size on a grid with circular boundary."""
    half = size // 2
    down[:] = u
    for shift in range(1, half + 1):
        places = shift * columns
        _add(down[places:], u[:-places])
        _add(down[:places], u[-places:])
        _add(down[:-places], u[places:])
        _add(down[-places:], u[:places])
    out[:] = down
    for shift in range(1, half + 1):  # as if the rows were one; their ends come right below
        _add(out[shift:], down[:-shift])
        _add(out[:-shift], down[shift:])
    for i in range(rows):
        line, sums = down[i * columns : (i + 1) * columns], out[i * columns : (i + 1) * columns]
        for end in range(-half, half):  # negative places count from the other end
            total = line[end]
            for shift in range(1, half + 1):
                total += line[end - shift] + line[end + shift]
            sums[end] = total


@kernel(inline=True)
def _add(total, x):
    for i in range(x.size):
        total[i] += x[i]
