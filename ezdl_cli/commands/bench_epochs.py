"""`ezdl bench epochs`: time of an epoch of each learner."""

from pathlib import Path

import click

from .. import io
from ..errors import InputError
from ._shared.common_options import quiet_option
from ._shared.console import progress

COLUMNS = ("samples", "n_features", "n_atoms", "samples_per_epoch", "learner", "seconds")


@click.command("epochs", epilog="Example: ezdl bench epochs 8x8.npy 16x16.npy times.csv")
@click.argument("sources", metavar="SAMPLES...", type=click.Path(), nargs=-1, required=True)
@click.argument("target", metavar="TABLE.csv", type=click.Path())
@click.option("--atoms", type=click.IntRange(min=2), default=256, show_default=True)
@click.option(
    "--samples-per-epoch", type=click.IntRange(1, 10**8), default=30_000, show_default=True
)
@click.option("--repeats", type=click.IntRange(min=1), default=3, show_default=True)
@quiet_option
def epochs_command(sources, target, atoms, samples_per_epoch, repeats, quiet):
    """Time an epoch of each learner, on one thread; the fastest of several counts.

    SPAMS is timed as well if it is installed (spams-bin), with as many samples.
    """
    from ..bench.groups.bench_learning import COMPARED, epoch_times
    from ..samples.store import Samples

    io.check_target(target)
    io.check_not_among(target, sources)
    rows = []
    with progress(len(sources) * (repeats + 1), "Timing epochs", quiet) as advance:
        for source in sources:
            with io.open_samples(source) as stored:
                try:
                    samples = Samples(stored.array, "it", stored.stream)
                    times = epoch_times(
                        samples, COMPARED, atoms, samples_per_epoch, repeats, advance
                    )
                except ValueError as error:
                    raise InputError(f"{source}: {error}") from None
            about = (Path(source).name, samples.n_features, atoms, samples_per_epoch)
            rows += [(*about, learner, seconds) for learner, seconds in times.items()]
    io.save_table(target, dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))
