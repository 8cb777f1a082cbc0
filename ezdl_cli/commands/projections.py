"""`ezdl projections`: tables on the sparseness projection, for figures and claims."""

import click

from .. import io
from ..experiments import projection_experiments as experiment
from ..experiments.projection_gradients import gradient_accuracy
from ..experiments.projection_properties import SIZES, projection_properties
from ..experiments.projection_timing import projection_speedups
from ..experiments.solver_evaluations import solver_evaluations
from ._shared.common_options import quiet_option, seed_option
from ._shared.console import echo_stderr
from ._shared.grouped_help import new_group, option, path_argument
from ._shared.parameter_types import FRACTION, Integer, Pair
from ._shared.progress_bar import progress

table_argument = path_argument("table", metavar="TABLE.csv")


def _to_range(context, parameter, pair):
    """Return all exponents from the first of a pair to the last."""
    first, last = pair
    if first > last:
        raise click.BadParameter(f"{first}:{last} must be in increasing order.")
    return range(first, last + 1)


def _exponents_option(first, default):
    """Return an option for a range of exponents of two, from `first` to 30."""
    return option(
        "--exponents",
        Pair(Integer(first, 30), ":", default),
        default,
        f"Dimensions of the vectors, as a range of exponents of two within {first}:30.",
        metavar="FIRST:LAST",
        callback=_to_range,
    )


exponents_option = _exponents_option(2, "2:22")
sparseness_option = option(
    "--sparseness", FRACTION, 0.9, "Sparseness of the projected vectors, between 0 and 1."
)


@new_group("ezdl projections speedups speedups.csv")
def command():
    """Measure the sparseness projection, for figures 1, 2, 4 and 5 of the paper and its claims."""


@command.command("sparseness", epilog="Example: ezdl projections sparseness sparseness.csv")
@table_argument
@option("--points", Integer(2, 2000), 201, "Number of grid points along each axis.")
def sparseness_command(table, points):
    """Compute the sparseness of points on a grid (figure 1)."""
    io.save_table(table, experiment.sparseness_grid(points))


@command.command("auxiliary", epilog="Example: ezdl projections auxiliary auxiliary.csv --seed 0")
@table_argument
@seed_option
def auxiliary_command(table, seed):
    """Compute the auxiliary function of a random vector (figure 2)."""
    io.save_table(table, experiment.auxiliary_curve(seed=seed))


@command.command(
    "evaluations", epilog="Example: ezdl projections evaluations evaluations.csv --exponents 2:20"
)
@table_argument
@exponents_option
@sparseness_option
@option("--vectors", Integer(2, 10**6), 300, "Number of random vectors per dimension.")
@option(
    "--max-entries",
    Integer(1, 1 << 36),
    1 << 25,
    "Maximum number of entries of all vectors of a dimension. There are at least 5 vectors.",
)
@seed_option
@quiet_option
def evaluations_command(table, exponents, sparseness, vectors, max_entries, seed, quiet):
    """Count the function evaluations of four solvers (figure 4)."""
    io.check_target(table)
    with progress(len(exponents), "Counting evaluations", quiet) as advance:
        result = solver_evaluations(exponents, vectors, sparseness, max_entries, seed, advance)
    io.save_table(table, result)


@command.command(
    "speedups", epilog="Example: ezdl projections speedups speedups.csv --exponents 2:22"
)
@table_argument
@exponents_option
@sparseness_option
@option(
    "--initial-sparseness",
    FRACTION,
    0.5,
    "Sparseness of the vectors before the projection, between 0 and 1.",
)
@option(
    "--repeats",
    Integer(1, 10**6),
    5,
    "Number of rounds per dimension in which the algorithms take turns; medians count. Slow "
    "algorithms take part in fewer rounds, fast ones in more.",
)
@seed_option
@quiet_option
def speedups_command(table, exponents, sparseness, initial_sparseness, repeats, seed, quiet):
    """Time projection algorithms on one thread (figure 5).

    Each classic algorithm and the paper's own is timed twice: as published, a scalar transcription,
    and optimised.
    """
    io.check_target(table)
    with progress(len(exponents), "Timing projections", quiet) as advance:
        result = projection_speedups(
            exponents,
            sparseness,
            initial_sparseness,
            repeats,
            seed,
            advance,
            warn=echo_stderr,
        )
    io.save_table(table, result)


@command.command(
    "properties", epilog="Example: ezdl projections properties properties.csv --vectors 1000"
)
@table_argument
@option(
    "--vectors",
    Integer(1, 10**9),
    100_000,
    "Number of random vectors in total, of 2 to 1024 entries.",
)
@seed_option
@quiet_option
def properties_command(table, vectors, seed, quiet):
    """Check properties of projected vectors (appendix)."""
    io.check_target(table)
    with progress(len(SIZES), "Checking projections", quiet) as advance:
        result = projection_properties(vectors, seed, advance)
    io.save_table(table, result)


@command.command("gradient", epilog="Example: ezdl projections gradient gradient.csv")
@table_argument
@_exponents_option(6, "6:22")
@sparseness_option
@option(
    "--repeats", Integer(1, 10**6), 3, "Number of timed runs per dimension; the fastest one counts."
)
@seed_option
@quiet_option
def gradient_command(table, exponents, sparseness, repeats, seed, quiet):
    """Time and check products with the gradient (appendix)."""
    io.check_target(table)
    with progress(len(exponents), "Multiplying with gradients", quiet) as advance:
        result = gradient_accuracy(exponents, sparseness, repeats, seed, advance)
    io.save_table(table, result)
