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
GROUPED_PANELS = 4  # whose sums `subtract_lines` keeps in registers: 8 of the 16 of AVX2
PAIRED_PANELS = 2  # of `update_gains`, which needs two sets of registers
ITEM_ALIGNMENT = 4  # bytes: arrays of float32 may start anywhere, and slow down little if they do
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
    ``out[row : row + n_rows, panel * width : (panel + 1) * width]``. X and the panels may be
    views, as long as the entries of a line of a panel lie side by side.
    """

    @intrinsic
    def multiply(typing_context, X, row, panels, panel, out):
        def generate(context, builder, signature, arguments):
            x_view, panels_view, out_view = (
                _array(context, builder, signature, arguments, i) for i in (0, 2, 4)
            )
            vector = ir.VectorType(context.get_data_type(X.dtype), CACHE_LINE // _itemsize(X))
            depth = builder.extract_value(panels_view.shape, 1)
            rows, panel_index = _following(builder, arguments[1], n_rows), arguments[3]
            # One vector of sums for each row; LLVM keeps them in registers.
            zero = ir.Constant(vector, [vector.element(0.0)] * vector.count)
            sums = [cgutils.alloca_once_value(builder, zero) for _ in rows]
            with cgutils.for_range(builder, depth) as loop:
                entries = _load(builder, panels_view, (panel_index, loop.index), vector)
                for index, total in zip(rows, sums, strict=True):
                    factor = _load(builder, x_view, (index, loop.index), vector.element)
                    term = _multiply(builder, _broadcast(builder, vector, factor), entries)
                    builder.store(_add(builder, builder.load(total), term), total)
            column = builder.mul(panel_index, panel_index.type(vector.count))
            for index, total in zip(rows, sums, strict=True):
                _store(builder, out_view, (index, column), builder.load(total))
            return context.get_dummy_value()

        return types.void(X, row, panels, panel, out), generate

    return multiply


multiply_tile = _tile(TILE_ROWS)
multiply_row = _tile(1)


@intrinsic
def subtract_lines(typing_context, start, k, factors, count, scale, panels, panel):
    """Subtract the first `count` lines of panels from a row of `start`, and append the result.

    For the GROUPED_PANELS panels from `panel` on: with their columns c of ``start[k]``, computes
    ``scale * (start[k, c] - sum(factors[i] * panels[:, i]))`` and writes it to line `count`.
    """

    def generate(context, builder, signature, arguments):
        start_view, factors_view, panels_view = (
            _array(context, builder, signature, arguments, i) for i in (0, 2, 5)
        )
        _, k, _, count, scale, _, first = arguments
        vector = ir.VectorType(context.get_data_type(panels.dtype), CACHE_LINE // _itemsize(panels))
        indices = _following(builder, first, GROUPED_PANELS)
        totals = []
        for index in indices:
            column = builder.mul(index, index.type(vector.count))
            entries = _load(builder, start_view, (k, column), vector)
            totals.append(cgutils.alloca_once_value(builder, entries))
        # The totals stay in registers, so that there is one load per product.
        with cgutils.for_range(builder, count) as loop:
            factor = builder.fneg(_load(builder, factors_view, (loop.index,), vector.element))
            factor = _broadcast(builder, vector, factor)
            for index, total in zip(indices, totals, strict=True):
                entries = _load(builder, panels_view, (index, loop.index), vector)
                product = _multiply(builder, factor, entries)
                builder.store(_add(builder, builder.load(total), product), total)
        scales = _broadcast(builder, vector, scale)
        for index, total in zip(indices, totals, strict=True):
            entries = builder.fmul(builder.load(total), scales)
            _store(builder, panels_view, (index, count), entries)
        return context.get_dummy_value()

    signature = types.void(start, k, factors, count, panels.dtype, panels, panel)
    return signature, generate


@intrinsic
def update_gains(typing_context, rows, m, factors, panels, line, squares, min_squares, gains):
    """Subtract multiples of a line of the panels from m rows, and return the largest gain.

    With the entries q of the line: ``rows[i] -= factors[i] * q`` and ``squares -= q * q``. Then
    ``gains`` are the sums of the squared rows, divided by `squares`; zero where these are not above
    `min_squares`. The number of columns is a multiple of that of PAIRED_PANELS panels.
    """

    def generate(context, builder, signature, arguments):
        views = [_array(context, builder, signature, arguments, i) for i in (0, 2, 3, 5, 6, 7)]
        rows_view, factors_view, panels_view, squares_view, min_view, gains_view = views
        count, line_index = arguments[1], arguments[4]
        vector = ir.VectorType(context.get_data_type(rows.dtype), CACHE_LINE // _itemsize(rows))
        zero = ir.Constant(vector, [vector.element(0.0)] * vector.count)
        best = cgutils.alloca_once_value(builder, zero)
        width = line_index.type(vector.count)
        n_pairs = builder.sdiv(
            builder.extract_value(squares_view.shape, 0), width.type(width.constant * PAIRED_PANELS)
        )
        with cgutils.for_range(builder, n_pairs) as pairs:
            first = builder.mul(pairs.index, width.type(PAIRED_PANELS))
            indices = _following(builder, first, PAIRED_PANELS)
            columns = [builder.mul(index, width) for index in indices]
            lines = [_load(builder, panels_view, (index, line_index), vector) for index in indices]
            powers = _subtract_from_rows(builder, rows_view, count, factors_view, lines, columns)
            for column, entries, power in zip(columns, lines, powers, strict=True):
                square = _load(builder, squares_view, (column,), vector)
                square = _add(builder, square, _multiply(builder, builder.fneg(entries), entries))
                _store(builder, squares_view, (column,), square)
                minimum = _load(builder, min_view, (column,), vector)
                independent = builder.fcmp_ordered(">", square, minimum)
                gain = builder.select(independent, builder.fdiv(power, square), zero)
                _store(builder, gains_view, (column,), gain)
                builder.store(_maximum(builder, builder.load(best), gain), best)
        return _largest_entry(builder, builder.load(best))

    signature = rows.dtype(rows, m, factors, panels, line, squares, min_squares, gains)
    return signature, generate


def _subtract_from_rows(builder, rows, count, factors, lines, columns):
    """Subtract multiples of lines from `count` rows at columns; return the sums of squares."""
    vector = lines[0].type
    zero = ir.Constant(vector, [vector.element(0.0)] * vector.count)
    totals = [cgutils.alloca_once(builder, vector) for _ in lines]
    for total in totals:
        builder.store(zero, total)
    with cgutils.for_range(builder, count) as loop:
        factor = builder.fneg(_load(builder, factors, (loop.index,), vector.element))
        factor = _broadcast(builder, vector, factor)
        for column, entries, total in zip(columns, lines, totals, strict=True):
            before = _load(builder, rows, (loop.index, column), vector)
            after = _add(builder, before, _multiply(builder, factor, entries))
            _store(builder, rows, (loop.index, column), after)
            square = _multiply(builder, after, after)
            builder.store(_add(builder, builder.load(total), square), total)
    return [builder.load(total) for total in totals]


def _maximum(builder, left, right):
    """Return the larger of two values or, entry by entry, vectors."""
    return builder.select(builder.fcmp_ordered(">", left, right), left, right)


def _largest_entry(builder, value):
    """Return the largest entry of a vector, by halving it."""
    while value.type.count > 1:
        half = value.type.count // 2
        kind = ir.VectorType(_INT32, half)
        parts = [
            builder.shuffle_vector(value, value, ir.Constant(kind, [_INT32(i) for i in indices]))
            for indices in (range(half), range(half, 2 * half))
        ]
        value = _maximum(builder, *parts)
    return builder.extract_element(value, _INT32(0))


def _array(context, builder, signature, arguments, index):
    """Return the array structure of an argument."""
    return context.make_array(signature.args[index])(context, builder, arguments[index])


def _itemsize(array):
    """Return the size of the entries of an array type in bytes."""
    return array.dtype.bitwidth // 8


def _following(builder, first, count):
    """Return `count` integers from `first` on."""
    return [builder.add(first, first.type(i)) for i in range(count)]


def _address(builder, view, indices, kind):
    """Return the address of an entry, as that of a vector or scalar; later indices are zero."""
    address = builder.bitcast(view.data, cgutils.voidptr_t)
    for axis, index in enumerate(indices):
        stride = builder.extract_value(view.strides, axis)
        address = builder.gep(address, [builder.mul(index, stride)])
    return builder.bitcast(address, kind.as_pointer())


def _load(builder, view, indices, kind):
    """Load the vector or scalar at the indices of an array."""
    return builder.load(_address(builder, view, indices, kind), align=ITEM_ALIGNMENT)


def _store(builder, view, indices, value):
    """Store a vector or scalar at the indices of an array."""
    builder.store(value, _address(builder, view, indices, value.type), align=ITEM_ALIGNMENT)


def _multiply(builder, left, right):
    """Multiply, in one operation with a following addition."""
    return builder.fmul(left, right, flags=("contract",))


def _add(builder, left, right):
    """Add, in one operation with a preceding multiplication."""
    return builder.fadd(left, right, flags=("contract",))


def _broadcast(builder, vector, value):
    """Return a vector whose entries all have the same value."""
    undefined = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(undefined, value, _INT32(0))
    zeros = ir.Constant(ir.VectorType(_INT32, vector.count), [_INT32(0)] * vector.count)
    return builder.shuffle_vector(first, undefined, zeros)
