"""Products of the rows of a matrix, summed in eight lanes.

The compiler must not reorder a sum, so that it would add one number after the other. Here the order
is fixed in a way that suits vector registers: eight partial sums, which are added at the end. The
result has the same bits on all machines.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ..core.jit import kernel

LANES = 8  # doubles of a cache line: one AVX-512, two AVX or four SSE registers
TILE_ROWS = 3  # 3 × 3 products need nine registers for sums, and six for entries
VECTOR = ir.VectorType(ir.DoubleType(), LANES)
ZERO = ir.Constant(VECTOR, [0.0] * LANES)


@kernel(in_order=True)
def multiply_rows(rows, products):
    """Compute the products of all pairs of rows i ≥ j as `products[i, j]`.

    The number of rows must be a multiple of TILE_ROWS, that of columns a multiple of LANES.
    """
    for i in range(0, len(rows), TILE_ROWS):
        for j in range(0, i, TILE_ROWS):
            _multiply_tile(rows, i, j, products)
        _multiply_triangle(rows, i, i, products)


@kernel(in_order=True)
def squared_norm(row, product):
    """Return the sum of squares of a row (1, n); `product` is workspace for one entry."""
    _multiply_row(row, 0, 0, product)
    return product[0, 0]


def _products_of(pairs):
    """Return an intrinsic for the products of rows i + a and j + b, for all pairs (a, b)."""

    @intrinsic
    def multiply(typing_context, rows, i, j, out):
        def generate(context, builder, signature, arguments):
            view, out_view = (
                context.make_array(signature.args[k])(context, builder, arguments[k])
                for k in (0, 3)
            )
            n, n_columns = (builder.extract_value(v.shape, 1) for v in (view, out_view))
            indices = [
                tuple(builder.add(arguments[1 + k], n.type(pair[k])) for k in range(2))
                for pair in pairs
            ]
            sums = [cgutils.alloca_once_value(builder, ZERO) for _ in pairs]
            with cgutils.for_range(builder, builder.udiv(n, n.type(LANES))) as loop:
                for (first, second), total in zip(indices, sums, strict=True):
                    x = _load(builder, view, builder.mul(first, n), loop.index)
                    y = _load(builder, view, builder.mul(second, n), loop.index)
                    product = builder.fmul(x, y)
                    builder.store(builder.fadd(builder.load(total), product), total)
            for (first, second), total in zip(indices, sums, strict=True):
                position = builder.add(builder.mul(first, n_columns), second)
                value = _sum_lanes(builder, builder.load(total))
                builder.store(value, builder.gep(out_view.data, [position]))
            return context.get_dummy_value()

        return types.void(rows, i, j, out), generate

    return multiply


def _load(builder, view, start, index):
    """Return a vector of a row that starts at an entry of the matrix."""
    row = builder.bitcast(builder.gep(view.data, [start]), VECTOR.as_pointer())
    return builder.load(builder.gep(row, [index]), align=8)


def _sum_lanes(builder, vector):
    """Return the sum of the entries of a vector: of pairs, of pairs of pairs, and so on."""
    values = [builder.extract_element(vector, ir.IntType(32)(k)) for k in range(LANES)]
    while len(values) > 1:
        values = [builder.fadd(a, b) for a, b in zip(values[::2], values[1::2], strict=True)]
    return values[0]


_multiply_tile = _products_of([(a, b) for a in range(TILE_ROWS) for b in range(TILE_ROWS)])
_multiply_triangle = _products_of([(a, b) for a in range(TILE_ROWS) for b in range(a + 1)])
_multiply_row = _products_of([(0, 0)])
