"""`ezdl bench epochs`: time per epoch of each learner."""

from pathlib import Path

import click

from .. import io
from ..learn import DEFAULT_N_ATOMS, DEFAULT_SAMPLES_PER_EPOCH
from ._shared.common_options import quiet_option
from ._shared.grouped_help import GroupedCommand, option, path_argument
from ._shared.option_errors import check_n_atoms, option_errors, reject_option
from ._shared.parameter_types import Integer
from ._shared.progress_bar import progress


@click.command(
    "epochs",
    cls=GroupedCommand,
    epilog="Example: ezdl bench epochs 8x8.npy 16x16.npy times.csv",
)
@path_argument("sources", metavar="SAMPLES...", nargs=-1, required=True)
@path_argument("target", metavar="TABLE.csv")
@option("--atoms", Integer(min=2), DEFAULT_N_ATOMS, "Number of atoms of each dictionary.")
@option(
    "--samples-per-epoch",
    Integer(1, 10**8),
    DEFAULT_SAMPLES_PER_EPOCH,
    "Number of samples per epoch.",
)
@option("--repeats", Integer(min=1), 3, "Number of timed epochs per learner; the fastest counts.")
@quiet_option
def epochs_command(sources, target, atoms, samples_per_epoch, repeats, quiet):
    """Time an epoch of each learner on one thread, for each file of SAMPLES.

    SPAMS is timed on the same number of samples if it is installed (spams-bin). TABLE.csv has one
    row per learner and file.
    """
    from ..experiments.timing import epoch_times
    from ..samples.store import Samples

    io.check_target(target)
    io.check_not_among(target, sources)
    rows = []
    with progress(len(sources) * (repeats + 1), "Timing epochs", quiet) as advance:
        for source in sources:
            with io.open_samples(source) as stored, option_errors(source):
                samples = Samples(stored.array, "it", stored.stream)
                check_n_atoms(atoms, samples, source)
                _check_learners(atoms, samples.n_features)
                times = epoch_times(samples, atoms, samples_per_epoch, repeats, advance)
            size = {"samples": Path(source).name, "n_features": samples.n_features}
            size |= {"n_atoms": atoms, "samples_per_epoch": samples_per_epoch}
            rows += [size | row for row in times]
    io.save_table(target, {name: [row[name] for row in rows] for name in rows[0]})


def _check_learners(n_atoms, n_features):
    """Reject --atoms if one of the learners cannot have as many, or as few."""
    from ..experiments.timing import TIMED_LEARNERS

    for _, parameters in TIMED_LEARNERS:
        try:
            parameters.check(n_atoms, n_features)
        except ValueError as error:
            if str(error).startswith(("pooling ", "n_nonzero ")):
                reject_option("--atoms", f"must suit all learners, not {n_atoms} ({error})")
            raise
