"""`ezdl train`: learn a dictionary."""

import click

from .. import io
from ..learn import DEFAULT_N_ATOMS, DEFAULT_N_EPOCHS, DEFAULT_SAMPLES_PER_EPOCH
from ..learn.ezdl import UPDATES, EZDLParameters
from ..learn.odl import ODLParameters
from ..learn.rls_dla import RLSDLAParameters
from ..learn.training import initial_dictionary, train
from ..samples.store import Samples
from ._shared.activity_table import ActivityTable
from ._shared.common_options import quiet_option, seed_option
from ._shared.grouped_help import (
    add_parameters,
    flag,
    new_group,
    option,
    path_argument,
    path_option,
)
from ._shared.option_errors import check_n_atoms, option_errors
from ._shared.parameter_options import parameter_options
from ._shared.parameter_types import COUNT, Integer, NumberList, Pair
from ._shared.progress_bar import progress
from ._shared.resumable_training import OPTIONS, ResumableTraining

MAIN, CHECKPOINTS = "Main options", "Checkpoints and snapshots"
ACTIVITY = "Activity of the atoms"
SMALL = Integer(1, 10**4)

length_options = add_parameters(
    path_argument("source", metavar="SAMPLES"),
    path_argument("target", metavar="DICT.npz"),
    option("--atoms", Integer(min=2), DEFAULT_N_ATOMS, "Number of atoms.", group=MAIN),
    option("--epochs", COUNT, DEFAULT_N_EPOCHS, "Number of epochs.", group=MAIN),
    option(
        "--samples-per-epoch",
        Integer(1, 10**8),
        DEFAULT_SAMPLES_PER_EPOCH,
        "Number of samples that are drawn in each epoch.",
        group=MAIN,
    ),
)
general_options = add_parameters(
    option(
        "--checkpoint-every",
        Integer(min=1),
        None,
        "Save DICT.checkpoint.npz every N epochs.",
        group=CHECKPOINTS,
        metavar="N",
    ),
    flag(
        "--resume",
        "Continue from DICT.checkpoint.npz if it exists. The result has the same bytes as that of "
        "an uninterrupted run.",
        group=CHECKPOINTS,
    ),
    flag(
        "--discard-other",
        "With --resume: start over if the checkpoint is damaged or belongs to another run.",
        group=CHECKPOINTS,
    ),
    option(
        "--snapshot-epochs",
        NumberList(Integer(0, 10**7)),
        (),
        "Epochs after which the dictionary is also saved, as DICT.epoch-0010.npz and so on; 0 is "
        "the initial dictionary.",
        group=CHECKPOINTS,
    ),
    seed_option,
    quiet_option,
)


@new_group("ezdl train ezdl patches.npy dictionary.npz --sparseness 0.85")
def command():
    """Learn a dictionary from samples.

    Each algorithm is a subcommand with options of its own.
    """


@command.command("ezdl", epilog="Example: ezdl train ezdl patches.npy dictionary.npz --epochs 20")
@length_options
@parameter_options(
    EZDLParameters,
    {
        MAIN: {
            "sparseness": "Sparseness of the codes (Hoyer's measure), between 0 and 1.",
            "step_size": "Step size in the first epoch; in epoch N it is divided by N.",
        },
        "Inference model": {
            "inference": "Model that computes codes from filter responses: only sparse "
            "(ordinary), smooth on a grid of atoms (topographic), or of low rank on a grid (rank).",
            "grid": "Grid of the atoms, for topographic and rank.",
            "pooling": "Width of the neighbourhood that is averaged, for topographic; odd.",
            "code_rank": "Rank of the codes as matrices on the grid, for rank.",
            "gradient": "Whether atoms follow the gradient of the correlation for fixed codes, as "
            "in the paper (short), or including the gradient of the model (full, for ordinary).",
        },
        "Constraints on atoms": {
            "atom_sparseness": "Give atoms this sparseness, between 0 and 1.",
            "atom_rank": "Give atoms, as square patches, at most this rank; 1 makes them "
            "separable filters.",
        },
        "Noise": {
            "noise": "Standard deviation of the noise added to codes (of unit norm) in the first "
            "epoch.",
            "noise_decay": "Factor applied to the noise after each epoch, between 0 and 1.",
        },
    },
    inference={"type": click.Choice(["ordinary", "topographic", "rank"])},
    grid={
        "type": Pair(Integer(1, 10**7), "x", "16x16"),
        "metavar": "ROWSxCOLUMNS",
        "show_default": "nearly square",
    },
    gradient={"type": click.Choice(list(UPDATES))},
    pooling={"type": SMALL},
    code_rank={"type": SMALL},
)
@path_option(
    "--activity",
    "TABLE.csv",
    "Write how often and how sparsely the atoms were used in some epochs.",
    group=ACTIVITY,
)
@option(
    "--activity-epochs",
    NumberList(Integer(1, 10**7)),
    (),
    "Epochs in the table of --activity.",
    group=ACTIVITY,
    show_default="the first and the last",
)
@general_options
def ezdl_command(**options):
    """Train with Easy Dictionary Learning (EZDL), as in the paper.

    SAMPLES is a file from `ezdl extract` or `ezdl whiten`, or any .npy array with one sample per
    row. Each sample is approximated by a code of fixed sparseness.

    --activity writes one row per epoch, for the codes that its samples got while learning: the
    number of atoms that were never active, the mean sparseness of a code, and the mean sparseness
    of an atom's entries in the codes of 256 consecutive samples.
    """
    _train("ezdl", **options)


@command.command("odl", epilog="Example: ezdl train odl patches.npy dictionary.npz --lambda 2")
@length_options
@parameter_options(
    ODLParameters,
    {
        MAIN: {
            "alpha": "Weight of the L1 penalty on the codes, for samples of unit variance.",
            "batch_size": "Number of samples between two updates of the dictionary.",
        }
    },
    alpha={"name": OPTIONS["alpha"]},
    batch_size={"type": Integer(1, 10**6)},
)
@general_options
def odl_command(**options):
    """Train with Online Dictionary Learning (ODL).

    SAMPLES is a file from `ezdl extract` or `ezdl whiten`, or any .npy array with one sample per
    row. Each sample is approximated by its lasso code (Mairal et al. 2009).
    """
    _train("odl", **options)


@command.command("rls-dla", epilog="Example: ezdl train rls-dla patches.npy dictionary.npz")
@length_options
@parameter_options(
    RLSDLAParameters,
    {
        MAIN: {
            "n_nonzero": "Number of nonzero coefficients in a code.",
            "forgetting": "Initial forgetting factor, above 0 and at most 1; it rises to 1.",
            "forgetting_samples": "Number of samples over which the forgetting factor rises to 1; "
            "30000000 in the paper.",
        }
    },
    n_nonzero={"name": OPTIONS["n_nonzero"]},
    forgetting_samples={"type": Integer(1, 10**15), "show_default": "all samples of the training"},
)
@general_options
def rls_dla_command(**options):
    """Train with the Recursive Least Squares algorithm (RLS-DLA).

    SAMPLES is a file from `ezdl extract` or `ezdl whiten`, or any .npy array with one sample per
    row. Each sample is approximated by order recursive matching pursuit (ORMP; Skretting and Engan
    2010).
    """
    _train("rls-dla", **options)


def _train(algorithm, source, target, parameters, quiet, resume, discard_other, **options):
    """Train with a learner and save the dictionary."""
    n_atoms, n_epochs, seed = options["atoms"], options["epochs"], options["seed"]
    samples_per_epoch = options["samples_per_epoch"]
    io.check_target(target, ".npz")
    with io.open_samples(source) as stored, option_errors(source):
        samples = Samples(stored.array, "the array", stored.stream)
        check_n_atoms(n_atoms, samples, source)
        with option_errors():
            parameters.check(n_atoms, samples.n_features)
            parameters = parameters.resolve(n_atoms)
        activity = ActivityTable.from_options(options, source, target)
        run = ResumableTraining(
            algorithm, source, target, parameters, samples, stored, options, activity
        )
        W = initial_dictionary(samples, n_atoms, seed, parameters)
        learner = parameters.learner(W, n_epochs * samples_per_epoch)
        if activity.epochs:
            learner.activity_epochs = activity.epochs
        first = run.resume_or_begin(learner, discard_other) if resume else 1
        if first == 1:
            run.save_snapshot(0, learner)
        with progress(n_epochs, "Training", quiet) as advance:

            def epoch_done(epoch, learner, statistics):
                if statistics.get("nonzeros") == 0.0:
                    _explain_zero_codes(samples)
                run.epoch_done(epoch, learner, statistics, advance)

            advance(first - 1)
            train(learner, samples, first, n_epochs, samples_per_epoch, seed, epoch_done)
        run.finish(learner.W)


def _explain_zero_codes(samples):
    """Raise ValueError for the reason why all codes are zero."""
    if any(chunk.any() for chunk in samples.chunks()):
        raise ValueError("alpha must be smaller: all codes are zero")
    raise ValueError("all samples are zero")
