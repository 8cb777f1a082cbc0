"""`ezdl projections`: the tables behind figures 1, 2, 4 and 5."""

import click

from .. import io
from ..experiments import projection_experiments as experiment
from ._shared.options import SHARE, quiet, seed
from ._shared.progress import progress


class Exponents(click.ParamType):
    """A range such as 2:22, both ends included."""

    name = "FIRST:LAST"

    def convert(self, value, parameter, context):
        if isinstance(value, range):
            return value
        try:
            first, last = (int(part) for part in value.split(":"))
        except ValueError:
            self.fail(f"{value!r} is not a range such as 2:22", parameter, context)
        if not 2 <= first <= last <= 30:
            self.fail(f"{value!r} must rise, within 2:30", parameter, context)
        return range(first, last + 1)


table = click.argument("table", metavar="TABLE.csv", type=click.Path())
exponents = click.option(
    "--exponents",
    type=Exponents(),
    default="2:22",
    show_default=True,
    help="Range of n, as exponents of two.",
)
sparseness = click.option(
    "--sparseness",
    type=SHARE,
    default=0.9,
    show_default=True,
    help="What is projected to.",
)


@click.group(epilog="Example: ezdl projections speedups speedups.csv")
def command():
    """Measure the projections, for figures 1, 2, 4 and 5."""


@command.command("sparseness", epilog="Example: ezdl projections sparseness sparseness.csv")
@table
@click.option("--points", type=click.IntRange(2, 2000), default=201, show_default=True)
def sparseness_command(table, points):
    """The sparseness measure in two dimensions (figure 1)."""
    io.save_table(table, experiment.sparseness_grid(points))


@command.command("auxiliary", epilog="Example: ezdl projections auxiliary auxiliary.csv --seed 0")
@table
@seed
def auxiliary_command(table, seed):
    """The auxiliary function of a random vector (figure 2)."""
    io.save_table(table, experiment.auxiliary_curve(seed=seed))


@command.command(
    "evaluations", epilog="Example: ezdl projections evaluations evaluations.csv --exponents 2:20"
)
@table
@exponents
@sparseness
@click.option("--vectors", type=click.IntRange(2, 10**6), default=300, show_default=True)
@click.option("--max-entries", type=click.IntRange(1, 1 << 36), default=1 << 25, show_default=True)
@seed
@quiet
def evaluations_command(table, exponents, sparseness, vectors, max_entries, seed, quiet):
    """Evaluations that four solvers need (figure 4).

    For each n so many vectors are drawn, or as many as have --max-entries together, but not fewer
    than 5.
    """
    io.check_target(table)
    with progress(len(exponents), "Counting evaluations", quiet) as advance:
        result = experiment.solver_evaluations(
            exponents, vectors, sparseness, max_entries, seed, advance
        )
    io.save_table(table, result)


@command.command(
    "speedups", epilog="Example: ezdl projections speedups speedups.csv --exponents 2:22"
)
@table
@exponents
@sparseness
@click.option(
    "--initial-sparseness",
    type=SHARE,
    default=0.5,
    show_default=True,
    help="What the vectors are projected to first.",
)
@click.option("--repeats", type=click.IntRange(1, 10**6), default=5, show_default=True)
@seed
@quiet
def speedups_command(table, exponents, sparseness, initial_sparseness, repeats, seed, quiet):
    """Speed-ups over Hoyer's algorithm, one thread (figure 5)."""
    io.check_target(table)
    with progress(len(exponents), "Timing projections", quiet) as advance:
        result = experiment.projection_speedups(
            exponents,
            sparseness,
            initial_sparseness,
            repeats,
            seed,
            advance,
            say=lambda line: click.echo(line, err=True),
        )
    io.save_table(table, result)
