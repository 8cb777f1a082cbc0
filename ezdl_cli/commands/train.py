"""`ezdl train`: learn a dictionary."""

from dataclasses import fields

import click

from .. import io
from ..learn import ezdl, odl, rls_dla
from ..learn.learner import DEFAULT_N_ATOMS, DEFAULT_N_EPOCHS, DEFAULT_SAMPLES_PER_EPOCH
from ..learn.training import initial_dictionary, train
from ..samples.store import Samples
from ._shared.common_options import quiet_option, seed_option
from ._shared.console import progress
from ._shared.grouped_help import CommandGroup, option_group, path_argument
from ._shared.option_errors import option_errors
from ._shared.parameter_types import COUNT, Integer, NumberList, Pair
from ._shared.resumable_training import ResumableTraining

main_option = option_group("Main options")
inference_option = option_group("Inference model")
constraint_option = option_group("Constraints on atoms")
noise_option = option_group("Noise")
checkpoint_option = option_group("Checkpoints and snapshots")


def arguments_and_length(function):
    """Add the arguments, the number of atoms and the length of a training."""
    for parameter in (
        main_option(
            "--samples-per-epoch",
            type=Integer(1, 10**8),
            default=DEFAULT_SAMPLES_PER_EPOCH,
            help="Number of samples that are drawn in each epoch.",
        ),
        main_option("--epochs", type=COUNT, default=DEFAULT_N_EPOCHS, help="Number of epochs."),
        main_option(
            "--atoms", type=Integer(min=2), default=DEFAULT_N_ATOMS, help="Number of atoms."
        ),
        path_argument("target", metavar="DICT.npz"),
        path_argument("source", metavar="SAMPLES"),
    ):
        function = parameter(function)
    return function


def general_options(function):
    """Add the options on checkpoints, snapshots, seed and progress."""
    for option in (
        quiet_option,
        seed_option,
        checkpoint_option(
            "--snapshot-epochs",
            type=NumberList(Integer(0, 10**7)),
            default=(),
            help="Epochs after which the dictionary is also saved, as DICT.epoch-0010.npz and so "
            "on; 0 is the initial dictionary.",
        ),
        checkpoint_option(
            "--discard-other",
            is_flag=True,
            help="With --resume: start over if the checkpoint is damaged or belongs to another "
            "run, instead of stopping with an error.",
        ),
        checkpoint_option(
            "--resume",
            is_flag=True,
            help="Continue from DICT.checkpoint.npz if it exists. The result has the same bytes as "
            "that of an uninterrupted run.",
        ),
        checkpoint_option(
            "--checkpoint-every",
            type=Integer(min=1),
            metavar="N",
            help="Save DICT.checkpoint.npz every N epochs.",
        ),
    ):
        function = option(function)
    return function


@click.group(
    cls=CommandGroup, epilog="Example: ezdl train ezdl patches.npy dictionary.npz --sparseness 0.85"
)
def command():
    """Learn a dictionary from samples.

    Each algorithm is a subcommand with options of its own.
    """


@command.command("ezdl", epilog="Example: ezdl train ezdl patches.npy dictionary.npz --epochs 20")
@arguments_and_length
@main_option(
    "--sparseness",
    default=ezdl.EZDLParameters.sparseness,
    help="Sparseness of the codes (Hoyer's measure), between 0 and 1.",
)
@main_option(
    "--step-size",
    default=ezdl.EZDLParameters.step_size,
    help="Step size in the first epoch; in epoch N it is divided by N.",
)
@inference_option(
    "--inference",
    type=click.Choice(["ordinary", "topographic", "rank"]),
    default=ezdl.EZDLParameters.inference,
    help="Model that computes codes from filter responses: only sparse (ordinary), smooth on a "
    "grid of atoms (topographic), or of low rank on a grid (rank).",
)
@inference_option(
    "--grid",
    type=Pair(Integer(1, 10**7), "x", "16x16"),
    metavar="ROWSxCOLUMNS",
    show_default="nearly square",
    help="Grid of the atoms, for topographic and rank.",
)
@inference_option(
    "--pooling",
    type=Integer(1, 10**4),
    default=ezdl.EZDLParameters.pooling,
    help="Width of the neighbourhood that is averaged, for topographic; an odd number of atoms.",
)
@inference_option(
    "--code-rank",
    type=Integer(1, 10**4),
    default=ezdl.EZDLParameters.code_rank,
    help="Rank of the codes as matrices on the grid, for rank.",
)
@constraint_option(
    "--atom-sparseness",
    type=float,
    show_default="not constrained",
    help="Sparseness of the atoms, between 0 and 1.",
)
@constraint_option(
    "--atom-rank",
    type=int,
    show_default="not constrained",
    help="Rank of the atoms as square patches; 1 makes them separable filters.",
)
@noise_option(
    "--noise",
    default=ezdl.EZDLParameters.noise,
    help="Standard deviation of the noise added to codes (of unit norm) in the first epoch.",
)
@noise_option(
    "--noise-decay",
    default=ezdl.EZDLParameters.noise_decay,
    help="Factor applied to the noise after each epoch, between 0 and 1.",
)
@general_options
def ezdl_command(**options):
    """Learn a dictionary with Easy Dictionary Learning, the algorithm of the paper.

    SAMPLES is a file from `ezdl extract` or `ezdl whiten`, or any .npy array with one sample per
    row. Each sample is approximated by a code of fixed sparseness.
    """
    _train("ezdl", ezdl.EZDLParameters, **options)


@command.command("odl", epilog="Example: ezdl train odl patches.npy dictionary.npz --lambda 2")
@arguments_and_length
@main_option(
    "--lambda",
    "alpha",
    default=odl.ODLParameters.alpha,
    help="Weight of the L1 penalty on the codes, for samples of unit variance.",
)
@main_option(
    "--batch-size",
    type=Integer(1, 10**6),
    default=odl.ODLParameters.batch_size,
    help="Number of samples between two updates of the dictionary.",
)
@general_options
def odl_command(**options):
    """Learn a dictionary with Online Dictionary Learning (Mairal et al. 2009).

    SAMPLES is a file from `ezdl extract` or `ezdl whiten`, or any .npy array with one sample per
    row. Each sample is approximated by its lasso code.
    """
    _train("odl", odl.ODLParameters, **options)


@command.command("rls-dla", epilog="Example: ezdl train rls-dla patches.npy dictionary.npz")
@arguments_and_length
@main_option(
    "--nonzeros",
    "n_nonzero",
    type=Integer(min=1),
    default=rls_dla.RLSDLAParameters.n_nonzero,
    help="Number of nonzero coefficients in a code.",
)
@main_option(
    "--forgetting",
    default=rls_dla.RLSDLAParameters.forgetting,
    help="Initial forgetting factor, above 0 and at most 1; it rises to 1 during the training.",
)
@general_options
def rls_dla_command(**options):
    """Learn a dictionary with recursive least squares, RLS-DLA (Skretting and Engan 2010).

    SAMPLES is a file from `ezdl extract` or `ezdl whiten`, or any .npy array with one sample per
    row. Each sample is approximated by order recursive matching pursuit (ORMP).
    """
    _train("rls-dla", rls_dla.RLSDLAParameters, **options)


def _train(algorithm, parameters, source, target, quiet, resume, discard_other, **options):
    """Train with a learner and save the dictionary."""
    parameters = parameters(**{field.name: options.pop(field.name) for field in fields(parameters)})
    n_atoms, n_epochs, seed = options["atoms"], options["epochs"], options["seed"]
    samples_per_epoch = options["samples_per_epoch"]
    io.check_target(target, ".npz")
    with io.open_samples(source) as stored, option_errors(source):
        samples = Samples(stored.array, "the array", stored.stream)
        with option_errors():
            if n_atoms > len(samples):
                raise ValueError(f"atoms must be at most {len(samples)}, the number of samples")
            parameters.check(n_atoms, samples.n_features)
            parameters = parameters.resolve(n_atoms)
        run = ResumableTraining(algorithm, source, target, parameters, samples, stored, options)
        W = initial_dictionary(samples, n_atoms, seed, parameters)
        learner = parameters.learner(W, n_epochs * samples_per_epoch)
        first = run.resume_or_begin(learner, discard_other) if resume else 1
        if first == 1:
            run.save_snapshot(0, learner)
        with progress(n_epochs, "Training", quiet) as advance:
            advance(first - 1)
            train(
                learner,
                samples,
                first,
                n_epochs,
                samples_per_epoch,
                seed,
                lambda epoch, _, numbers: run.epoch_done(epoch, learner, numbers, advance),
            )
        run.finish(learner.W)
