"""A hint to the processor that an entry will be read soon: it cannot be said in Python."""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def prefetch(typing_context, array, index):
    """Bring the cache line of `array[index]` near; any index is allowed."""

    def generate(context, builder, signature, arguments):
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        address = builder.bitcast(builder.gep(view.data, [arguments[1]]), cgutils.voidptr_t)
        word = ir.IntType(32)
        hint = builder.module.declare_intrinsic(
            "llvm.prefetch",
            [cgutils.voidptr_t],
            ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, word, word, word]),
        )
        read, keep, data = word(0), word(3), word(1)
        builder.call(hint, [address, read, keep, data])
        return context.get_dummy_value()

    return types.void(array, index), generate
