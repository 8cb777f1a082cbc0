"""Approximations h W of sparse codes, with the sums in vector registers.

Compiled loops would write the sum to memory after each atom, and wait until it can be read again.
Each entry is summed in the order of the atoms, as such loops do, and has the same bits.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ..core.jit import kernel
from ..core.simd import CACHE_LINE

BLOCK_LINES = 4  # cache lines of a block: as many sums in registers hide the latency of additions


@kernel(inline=True)
def sum_atoms(W, support, values, count, out):
    """Compute the sum of `count` atoms with the given indices and coefficients."""
    n_block = BLOCK_LINES * CACHE_LINE // W.itemsize
    n_blocks = out.size // n_block
    for b in range(n_blocks):
        _sum_block(W, support, values, count, b * n_block, out)
    for k in range(n_blocks * n_block, out.size):
        out[k] = 0
    for c in range(count):
        atom, value = support[c], values[c]
        for k in range(n_blocks * n_block, out.size):
            out[k] += value * W[atom, k]


@intrinsic
def _sum_block(typing_context, W, support, values, count, column, out):
    """Compute BLOCK_LINES cache lines of the sum, from a column on."""

    def generate(context, builder, signature, arguments):
        W_view, support_view, values_view, out_view = (
            context.make_array(signature.args[k])(context, builder, arguments[k])
            for k in (0, 1, 2, 5)
        )
        count, column = arguments[3], arguments[4]
        scalar = context.get_data_type(W.dtype)
        vector = ir.VectorType(scalar, CACHE_LINE * 8 // W.dtype.bitwidth)
        zero = ir.Constant(vector, [0.0] * vector.count)
        sums = [cgutils.alloca_once_value(builder, zero) for _ in range(BLOCK_LINES)]
        # The memory of the sums is that of the function: clear it for each block.
        for total in sums:
            builder.store(zero, total)
        d = builder.extract_value(W_view.shape, 1)
        with cgutils.for_range(builder, count) as loop:
            atom = builder.load(builder.gep(support_view.data, [loop.index]))
            factor = _broadcast(
                builder, vector, builder.load(builder.gep(values_view.data, [loop.index]))
            )
            start = builder.add(builder.mul(atom, d), column)
            line = _lines(builder, W_view, start, vector)
            for i, total in enumerate(sums):
                entries = builder.load(builder.gep(line, [d.type(i)]), align=_size(W))
                product = builder.fmul(factor, entries, flags=("contract",))
                added = builder.fadd(builder.load(total), product, flags=("contract",))
                builder.store(added, total)
        line = _lines(builder, out_view, column, vector)
        for i, total in enumerate(sums):
            address = builder.gep(line, [d.type(i)])
            builder.store(builder.load(total), address, align=_size(W))
        return context.get_dummy_value()

    return types.void(W, support, values, count, column, out), generate


def _lines(builder, view, start, vector):
    """Return the address of an entry as a pointer to vectors."""
    return builder.bitcast(builder.gep(view.data, [start]), vector.as_pointer())


def _size(array):
    """Return the size of the entries of an array type in bytes."""
    return array.dtype.bitwidth // 8


def _broadcast(builder, vector, value):
    """Return a vector whose entries all have the same value."""
    undefined, int32 = ir.Constant(vector, ir.Undefined), ir.IntType(32)
    first = builder.insert_element(undefined, value, int32(0))
    zeros = ir.Constant(ir.VectorType(int32, vector.count), [int32(0)] * vector.count)
    return builder.shuffle_vector(first, undefined, zeros)
