"""`ezdl project`: the projection of arrays in files."""

import click

from .. import io
from ..core.input_validation import RowError, as_float_array
from ..core.projection import SOLVERS, project
from ..errors import InputError
from ._shared.options import quiet
from ._shared.progress import progress

ENTRIES_AT_ONCE = 1 << 22


@click.command(epilog="Example: ezdl project vectors.npy sparse.npy --sparseness 0.9")
@click.argument("source", metavar="IN.npy", type=click.Path())
@click.argument("target", metavar="OUT.npy", type=click.Path())
@click.option("--sparseness", type=float, required=True, help="Wanted degree, between 0 and 1.")
@click.option("--norm", type=float, help="L2 norm of the results [nearest of all norms].")
@click.option("--solver", type=click.Choice(list(SOLVERS)), default="auto", show_default=True)
@quiet
def command(source, target, sparseness, norm, solver, quiet):
    """Project each row of IN.npy (last axis) to a sparseness and write OUT.npy.

    float16 and float32 become float32, all other real numbers float64. IN.npy and OUT.npy may be
    the same file.
    """
    array = io.load_array(source)
    try:
        if array.ndim == 0:
            raise ValueError("holds a single value; at least one axis is needed")
        dtype = as_float_array(array[..., :0]).dtype
        at_once = max(1, ENTRIES_AT_ONCE // max(1, array.shape[-1]))
        with io.new_array(target, dtype, array.shape) as out:
            if array.dtype != dtype or not array.flags.c_contiguous:
                # Converted where the result will be, and not in memory.
                out[...] = array
                array = out
            rows = array.reshape(-1, array.shape[-1]) if array.size else array
            result = out.reshape(rows.shape)
            with progress(len(rows), "Projecting rows", quiet) as advance:
                for first in range(0, max(len(rows), 1), at_once):
                    part = slice(first, first + at_once)
                    _project_part(rows[part], result[part], sparseness, norm, solver, first)
                    advance(len(rows[part]))
    except ValueError as error:
        raise InputError(f"{source}: {error}") from None


def _project_part(rows, out, sparseness, norm, solver, first):
    """Project some rows; an error names the row by its place among all."""
    try:
        project(rows, sparseness, norm=norm, solver=solver, out=out)
    except RowError as error:
        raise RowError(first + error.row, error.more, error.reason) from None
