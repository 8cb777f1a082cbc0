"""`ezdl bench epochs`: time of an epoch of each learner."""

from pathlib import Path

import click

from .. import io
from ..errors import InputError
from ._shared.common_options import quiet_option
from ._shared.console import progress


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
    from ..experiments.timing import epoch_times
    from ..samples.store import Samples

    io.check_target(target)
    io.check_not_among(target, sources)
    rows = []
    with progress(len(sources) * (repeats + 1), "Timing epochs", quiet) as advance:
        for source in sources:
            with io.open_samples(source) as stored:
                try:
                    samples = Samples(stored.array, "it", stored.stream)
                    times = epoch_times(samples, atoms, samples_per_epoch, repeats, advance)
                except ValueError as error:
                    raise InputError(f"{source}: {error}") from None
            size = {"samples": Path(source).name, "n_features": samples.n_features}
            size |= {"n_atoms": atoms, "samples_per_epoch": samples_per_epoch}
            rows += [size | row for row in times]
    io.save_table(target, {name: [row[name] for row in rows] for name in rows[0]})
