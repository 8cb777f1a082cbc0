"""What the processor can do and Python cannot say, as a few operations on its vectors.

The compiler finds vectors in plain loops by itself, but not here: where a loop picks out the few
entries that are large, and where sums must stay in registers while a product of matrices runs.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

CACHE_LINE = 64  # bytes of a line of the cache, and of the vectors of a tile
TILE_ROWS = 4
MASK_BITS = 32  # entries that are compared at once

_WORD = ir.IntType(32)


@intrinsic
def prefetch(typing_context, array, index):
    """Bring the cache line of `array[index]` near; any index is allowed."""

    def generate(context, builder, signature, arguments):
        view = _view(context, builder, signature, arguments, 0)
        address = builder.bitcast(builder.gep(view.data, [arguments[1]]), cgutils.voidptr_t)
        hint = builder.module.declare_intrinsic(
            "llvm.prefetch",
            [cgutils.voidptr_t],
            ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, _WORD, _WORD, _WORD]),
        )
        read, keep, data = _WORD(0), _WORD(3), _WORD(1)
        builder.call(hint, [address, read, keep, data])
        return context.get_dummy_value()

    return types.void(array, index), generate


@intrinsic
def large_entry_mask(typing_context, array, first, floor):
    """A bit for each of the MASK entries from `first` on: whether its magnitude is above `floor`.

    `floor` has the type of the entries; NaN is never above.
    """

    def generate(context, builder, signature, arguments):
        view = _view(context, builder, signature, arguments, 0)
        vector = ir.VectorType(context.get_data_type(array.dtype), MASK_BITS)
        address = builder.gep(view.data, [arguments[1]])
        entries = builder.load(builder.bitcast(address, vector.as_pointer()), align=_bytes(array))
        above = _spread(builder, vector, arguments[2])
        below = _spread(builder, vector, builder.fneg(arguments[2]))
        large = builder.or_(
            builder.fcmp_ordered(">", entries, above), builder.fcmp_ordered("<", entries, below)
        )
        return builder.bitcast(large, _WORD)

    return types.uint32(array, first, array.dtype), generate


@intrinsic
def lowest_bit(typing_context, bits):
    """Place of the lowest bit that is set; there must be one."""

    def generate(context, builder, signature, arguments):
        return builder.zext(builder.cttz(arguments[0], ir.IntType(1)(1)), ir.IntType(64))

    return types.int64(types.uint32), generate


def _tile(n_rows):
    """A product of `n_rows` rows of X (m, d) with one of the panels (p, d, width)."""

    @intrinsic
    def multiply(typing_context, X, row, panels, panel, out):
        def generate(context, builder, signature, arguments):
            rows, lines, sums_to = (
                _view(context, builder, signature, arguments, i) for i in (0, 2, 4)
            )
            scalar = context.get_data_type(X.dtype)
            vector = ir.VectorType(scalar, CACHE_LINE // _bytes(X))
            d = builder.extract_value(lines.shape, 1)
            width = builder.extract_value(sums_to.shape, 1)
            first, place = arguments[1], arguments[3]
            numbers = [builder.add(first, first.type(i)) for i in range(n_rows)]
            starts = [builder.gep(rows.data, [builder.mul(d, number)]) for number in numbers]
            line = builder.bitcast(lines.data, vector.as_pointer())
            line = builder.gep(line, [builder.mul(d, place)])
            zero = ir.Constant(vector, [scalar(0.0)] * vector.count)
            sums = [cgutils.alloca_once_value(builder, zero) for _ in range(n_rows)]
            with cgutils.for_range(builder, d) as loop:
                entries = builder.load(builder.gep(line, [loop.index]), align=CACHE_LINE)
                for start, total in zip(starts, sums, strict=True):
                    factor = builder.load(builder.gep(start, [loop.index]))
                    product = builder.fmul(
                        _spread(builder, vector, factor), entries, flags=("contract",)
                    )
                    builder.store(
                        builder.fadd(builder.load(total), product, flags=("contract",)), total
                    )
            column = builder.mul(place, place.type(vector.count))
            for number, total in zip(numbers, sums, strict=True):
                address = builder.gep(
                    sums_to.data, [builder.add(builder.mul(width, number), column)]
                )
                address = builder.bitcast(address, vector.as_pointer())
                builder.store(builder.load(total), address, align=_bytes(X))
            return context.get_dummy_value()

        return types.void(X, row, panels, panel, out), generate

    return multiply


multiply_tile = _tile(TILE_ROWS)
multiply_row = _tile(1)


def _view(context, builder, signature, arguments, index):
    """An argument that is an array."""
    return context.make_array(signature.args[index])(context, builder, arguments[index])


def _bytes(array):
    return array.dtype.bitwidth // 8


def _spread(builder, vector, value):
    """A vector with the same value in all places."""
    nothing = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(nothing, value, _WORD(0))
    everywhere = ir.Constant(ir.VectorType(_WORD, vector.count), [_WORD(0)] * vector.count)
    return builder.shuffle_vector(first, nothing, everywhere)
