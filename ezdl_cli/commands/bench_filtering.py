"""`ezdl bench filtering`: time of separable and direct filtering with the atoms of a dictionary."""

import click

from .. import io
from ..errors import InputError
from ._shared.common_options import quiet_option
from ._shared.dictionary_columns import PARAMETERS, dictionary_columns
from ._shared.grouped_help import GroupedCommand, option, path_argument
from ._shared.image_experiments import atom_side
from ._shared.option_errors import reject_option
from ._shared.output_paths import check_outputs
from ._shared.parameter_types import Integer
from ._shared.progress_bar import progress


@click.command(
    "filtering",
    cls=GroupedCommand,
    epilog="Example: ezdl bench filtering rank1.npz times.csv",
)
@path_argument("source", metavar="DICT.npz")
@path_argument("target", metavar="TABLE.csv")
@option("--image-size", Integer(1, 4096), 256, "Height and width of the image, in pixels.")
@option("--repeats", Integer(1, 10**6), 5, "Number of timings per method; the fastest counts.")
@quiet_option
def filtering_command(source, target, image_size, repeats, quiet):
    """Time the filter responses of an image to separable atoms, on one thread.

    The atoms of DICT.npz must have rank 1, as those of `ezdl train ezdl --atom-rank 1`. An image of
    white noise is filtered with them by two one-dimensional correlations per atom (separable) and
    by products with entire atoms (direct). TABLE.csv has one row per method; relative_error is the
    largest difference to the direct responses, divided by the largest of these.
    """
    from ..experiments.filtering_times import filtering_times

    check_outputs([target], [source])
    dictionary = io.load_dictionary(source)
    side = atom_side(source, dictionary)
    if image_size < side:
        problem = f"must be at least {side}, the side of the atoms, not {image_size}"
        reject_option("--image-size", problem)
    about = dictionary_columns(source, dictionary, PARAMETERS | {"atom_rank": "atom_rank"})
    about |= {"side": side, "image_size": image_size}
    with progress(repeats + 1, "Timing filters", quiet) as advance:
        try:
            times = filtering_times(dictionary.W, image_size, repeats, advance)
        except ValueError as error:
            raise InputError(f"{source}: {error} (see ezdl bench filtering -h)") from None
    rows = [about | row for row in times]
    io.save_table(target, {name: [row[name] for row in rows] for name in rows[0]})
