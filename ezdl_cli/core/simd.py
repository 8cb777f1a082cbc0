"""LLVM intrinsics: operations on SIMD vectors that Numba cannot express, and a way to forbid them.

The compiler vectorises plain loops by itself, except in two cases: loops that select the few large
entries of an array, and matrix products whose sums must stay in registers.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

CACHE_LINE = 64  # bytes; also the size of the vectors of a tile, one AVX-512 or two AVX registers
TILE_ROWS = 4  # rows that are multiplied together: their sums fit into the 16 registers of AVX2
MASK_BITS = 32  # entries that are compared together, one bit each of a 32-bit integer

_INT32 = ir.IntType(32)


@intrinsic
def prefetch(typing_context, array, index):
    """Load the cache line of `array[index]`; indices out of range are allowed."""

    def generate(context, builder, signature, arguments):
        view = _array(context, builder, signature, arguments, 0)
        address = builder.bitcast(builder.gep(view.data, [arguments[1]]), cgutils.voidptr_t)
        function = builder.module.declare_intrinsic(
            "llvm.prefetch",
            [cgutils.voidptr_t],
            ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, _INT32, _INT32, _INT32]),
        )
        for_reading, all_cache_levels, data_cache = _INT32(0), _INT32(3), _INT32(1)
        builder.call(function, [address, for_reading, all_cache_levels, data_cache])
        return context.get_dummy_value()

    return types.void(array, index), generate


@intrinsic
def forbid_simd(typing_context):
    """Keep the compiler from vectorising the calling function, for comparisons of scalar code."""

    def generate(context, builder, signature, arguments):
        builder.function.attributes.add("noimplicitfloat")
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def large_entry_mask(typing_context, array, first, floor):
    """Return which of the MASK_BITS entries from `first` on have a magnitude above `floor`.

    One bit per entry, the lowest for the first; never set for NaN. `floor` has the type of the
    entries.
    """

    def generate(context, builder, signature, arguments):
        view = _array(context, builder, signature, arguments, 0)
        vector = ir.VectorType(context.get_data_type(array.dtype), MASK_BITS)
        address = builder.gep(view.data, [arguments[1]])
        pointer = builder.bitcast(address, vector.as_pointer())
        entries = builder.load(pointer, align=_itemsize(array))
        upper = _broadcast(builder, vector, arguments[2])
        lower = _broadcast(builder, vector, builder.fneg(arguments[2]))
        # Two comparisons are cheaper than computing magnitudes first.
        large = builder.or_(
            builder.fcmp_ordered(">", entries, upper), builder.fcmp_ordered("<", entries, lower)
        )
        return builder.bitcast(large, _INT32)

    return types.uint32(array, first, array.dtype), generate


@intrinsic
def lowest_bit(typing_context, bits):
    """Return the index of the lowest bit of a uint32 or uint64 that is set; undefined for zero."""

    def generate(context, builder, signature, arguments):
        index = builder.cttz(arguments[0], ir.IntType(1)(1))
        return index if bits.bitwidth == 64 else builder.zext(index, ir.IntType(64))

    return types.int64(bits), generate


def _tile(n_rows):
    """Return an intrinsic for the product of `n_rows` rows of X (m, d) with a panel.

    See `linear_algebra` for panels (p, d, width). The intrinsic writes the products to
    ``out[row : row + n_rows, panel * width : (panel + 1) * width]``.
    """

    @intrinsic
    def multiply(typing_context, X, row, panels, panel, out):
        def generate(context, builder, signature, arguments):
            x_view, panels_view, out_view = (
                _array(context, builder, signature, arguments, i) for i in (0, 2, 4)
            )
            scalar = context.get_data_type(X.dtype)
            vector = ir.VectorType(scalar, CACHE_LINE // _itemsize(X))
            d = builder.extract_value(panels_view.shape, 1)
            n_columns = builder.extract_value(out_view.shape, 1)
            first, panel_index = arguments[1], arguments[3]
            # Addresses of the rows of X, and of the first line of the panel.
            row_indices = [builder.add(first, first.type(i)) for i in range(n_rows)]
            starts = [builder.gep(x_view.data, [builder.mul(d, index)]) for index in row_indices]
            line = builder.bitcast(panels_view.data, vector.as_pointer())
            line = builder.gep(line, [builder.mul(d, panel_index)])
            # One vector of sums for each row; LLVM keeps them in registers.
            zero = ir.Constant(vector, [scalar(0.0)] * vector.count)
            sums = [cgutils.alloca_once_value(builder, zero) for _ in range(n_rows)]
            with cgutils.for_range(builder, d) as loop:
                entries = builder.load(builder.gep(line, [loop.index]), align=CACHE_LINE)
                for start, total in zip(starts, sums, strict=True):
                    factor = builder.load(builder.gep(start, [loop.index]))
                    product = builder.fmul(
                        _broadcast(builder, vector, factor), entries, flags=("contract",)
                    )
                    builder.store(
                        builder.fadd(builder.load(total), product, flags=("contract",)), total
                    )
            # Store the sums.
            column = builder.mul(panel_index, panel_index.type(vector.count))
            for index, total in zip(row_indices, sums, strict=True):
                address = builder.gep(
                    out_view.data, [builder.add(builder.mul(n_columns, index), column)]
                )
                address = builder.bitcast(address, vector.as_pointer())
                builder.store(builder.load(total), address, align=_itemsize(X))
            return context.get_dummy_value()

        return types.void(X, row, panels, panel, out), generate

    return multiply


multiply_tile = _tile(TILE_ROWS)
multiply_row = _tile(1)


def _array(context, builder, signature, arguments, index):
    """Return the array structure of an argument."""
    return context.make_array(signature.args[index])(context, builder, arguments[index])


def _itemsize(array):
    """Return the size of the entries of an array type in bytes."""
    return array.dtype.bitwidth // 8


def _broadcast(builder, vector, value):
    """Return a vector whose entries all have the same value."""
    undefined = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(undefined, value, _INT32(0))
    zeros = ir.Constant(ir.VectorType(_INT32, vector.count), [_INT32(0)] * vector.count)
    return builder.shuffle_vector(first, undefined, zeros)
