"""`ezdl project`: project the rows of an array in a file."""

import click

from .. import io
from ..core.input_validation import RowError, as_float_array
from ..core.projection import SOLVERS, project
from ._shared.common_options import quiet_option
from ._shared.grouped_help import new_command, option, path_argument
from ._shared.option_errors import option_errors
from ._shared.progress_bar import progress

CHUNK_ENTRIES = 1 << 22  # 32 MiB of float64


@new_command("ezdl project vectors.npy sparse.npy --sparseness 0.9")
@path_argument("source", metavar="IN.npy")
@path_argument("target", metavar="OUT.npy")
@option(
    "--sparseness",
    float,
    None,
    "Sparseness of the result (Hoyer's measure), between 0 and 1.",
    required=True,
)
@option("--norm", float, None, "L2 norm of each row.", show_default="that of the nearest point")
@option(
    "--solver",
    click.Choice(list(SOLVERS)),
    "auto",
    "Root-finding algorithm; all give the same result up to rounding.",
)
@quiet_option
def command(source, target, sparseness, norm, solver, quiet):
    """Project each row (last axis) of IN.npy to a given sparseness and write OUT.npy.

    float16 and float32 give float32, all other real types float64. IN.npy and OUT.npy may be the
    same file.
    """
    io.check_target(target, ".npy")
    array = io.load_array(source)
    with option_errors(source):
        if array.ndim == 0:
            raise ValueError("contains a single number; an array with rows is needed")
        dtype = as_float_array(array[..., :0]).dtype
        with io.new_array(target, dtype, array.shape) as out:
            if array.dtype != dtype or not array.flags.c_contiguous:
                out[...] = array  # converted in the memory-mapped file, not in memory
                array = out
            rows = array.reshape(-1, array.shape[-1]) if array.size else array
            _project_rows(rows, out.reshape(rows.shape), sparseness, norm, solver, quiet)


def _project_rows(rows, out, sparseness, norm, solver, quiet):
    """Project rows chunk by chunk; errors give the number of the row in the file."""
    n_rows = max(1, CHUNK_ENTRIES // max(1, rows.shape[-1]))
    with progress(len(rows), "Projecting rows", quiet) as advance:
        for first in range(0, max(len(rows), 1), n_rows):
            chunk = slice(first, first + n_rows)
            try:
                project(rows[chunk], sparseness, norm=norm, solver=solver, out=out[chunk])
            except RowError as error:
                raise RowError(first + error.row, error.more, error.reason) from None
            advance(len(rows[chunk]))
