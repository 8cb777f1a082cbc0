"""`ezdl train`: learn a dictionary."""

import click

from .. import io
from ..errors import InputError
from ..learn import ezdl, odl, rls_dla
from ..learn.training import initial_dictionary, train
from ..samples.store import Samples
from ._shared.options import EPOCHS, Grid, quiet, seed
from ._shared.progress import progress
from ._shared.training_run import TrainingRun


@click.group(epilog="Example: ezdl train ezdl patches.npy dictionary.npz --sparseness 0.85")
def command():
    """Learn a dictionary from samples: patches, whitened sets, or any array of numbers."""


def training_options(function):
    """The arguments and options of all learners."""
    for option in reversed(
        [
            click.argument("source", metavar="SAMPLES", type=click.Path()),
            click.argument("target", metavar="DICT.npz", type=click.Path()),
            click.option("--atoms", type=click.IntRange(min=2), default=256, show_default=True),
            click.option("--epochs", type=click.IntRange(1, 10**7), default=100, show_default=True),
            click.option(
                "--samples-per-epoch",
                type=click.IntRange(1, 10**8),
                default=30_000,
                show_default=True,
            ),
            seed,
            click.option(
                "--checkpoint-every",
                type=click.IntRange(min=1),
                metavar="N",
                help="Keep DICT.checkpoint.npz every N epochs, from which --resume goes on.",
            ),
            click.option(
                "--resume", is_flag=True, help="Go on from the checkpoint if there is one."
            ),
            click.option(
                "--discard-other",
                is_flag=True,
                help="With --resume: begin anew if the checkpoint is damaged or of another run.",
            ),
            click.option(
                "--snapshot-epochs",
                type=EPOCHS,
                default=(),
                help="Keep DICT.epoch-0010.npz and so on after these epochs, such as 1,2,5,10; 0 "
                "is before the first.",
            ),
            quiet,
        ]
    ):
        function = option(function)
    return function


@command.command("ezdl", epilog="Example: ezdl train ezdl patches.npy dictionary.npz --epochs 20")
@training_options
@click.option("--sparseness", type=float, default=0.85, show_default=True, help="Of the codes.")
@click.option(
    "--inference",
    type=click.Choice(["ordinary", "topographic", "rank"]),
    default="ordinary",
    show_default=True,
)
@click.option("--grid", type=Grid(), help="Layout of the atoms, such as 16x16 [nearly square].")
@click.option(
    "--pooling",
    type=click.IntRange(1, 10**4),
    default=3,
    show_default=True,
    help="Width, for topographic.",
)
@click.option(
    "--code-rank", type=click.IntRange(1, 10**4), default=1, show_default=True, help="For rank."
)
@click.option("--atom-sparseness", type=float, help="Make the atoms sparse.")
@click.option("--atom-rank", type=int, help="Make the atoms of low rank; 1: separable.")
@click.option("--step-size", type=float, default=1.0, show_default=True)
@click.option("--noise", type=float, default=0.0, show_default=True, help="On codes, at first.")
@click.option("--noise-decay", type=float, default=0.9, show_default=True, help="An epoch.")
def ezdl_command(source, target, quiet, **options):
    """Easy Dictionary Learning: the paper's own algorithm."""
    names = ezdl.EZDLParameters.__dataclass_fields__
    parameters = ezdl.EZDLParameters(**{name: options.pop(name) for name in names})
    _train("ezdl", source, target, parameters, quiet, **options)


@command.command("odl", epilog="Example: ezdl train odl patches.npy dictionary.npz --lambda 2")
@training_options
@click.option("--lambda", "alpha", type=float, default=2.0, show_default=True, help="Penalty.")
@click.option(
    "--batch-size",
    type=click.IntRange(1, 10**6),
    default=512,
    show_default=True,
    help="Samples between two updates of the dictionary.",
)
def odl_command(source, target, quiet, alpha, batch_size, **options):
    """Online Dictionary Learning (Mairal et al. 2009)."""
    _train("odl", source, target, odl.ODLParameters(alpha, batch_size), quiet, **options)


@command.command("rls-dla", epilog="Example: ezdl train rls-dla patches.npy dictionary.npz")
@training_options
@click.option(
    "--nonzeros", type=click.IntRange(min=1), default=4, show_default=True, help="Of a code."
)
@click.option(
    "--forgetting",
    type=float,
    default=0.99,
    show_default=True,
    help="Weight of the past in the beginning; rises to 1.",
)
def rls_dla_command(source, target, quiet, nonzeros, forgetting, **options):
    """Recursive Least Squares Dictionary Learning Algorithm (Skretting and Engan 2010)."""
    _train(
        "rls-dla", source, target, rls_dla.RLSDLAParameters(nonzeros, forgetting), quiet, **options
    )


def _train(algorithm, source, target, parameters, quiet, resume, discard_other, **options):
    """Train with a learner and write the dictionary."""
    io.check_dictionary_target(target)
    with io.open_samples(source) as stored:
        try:
            samples = Samples(stored.array, "it", stored.stream)
            if options["atoms"] > len(samples):
                raise ValueError(f"has {len(samples)} samples, fewer than {options['atoms']} atoms")
            parameters = parameters.resolve(options["atoms"])
            run = TrainingRun(algorithm, source, target, parameters, samples, stored, options)
            W = initial_dictionary(samples, options["atoms"], options["seed"], parameters)
            learner = parameters.learner(W, options["epochs"] * options["samples_per_epoch"])
            first = run.resume_or_begin(learner, discard_other) if resume else 1
            if first == 1:
                run.keep_snapshot(0, learner)
            with progress(options["epochs"], "Training", quiet) as advance:
                advance(first - 1)
                train(
                    learner,
                    samples,
                    first,
                    options["epochs"],
                    options["samples_per_epoch"],
                    options["seed"],
                    lambda epoch, _, numbers: run.epoch_done(epoch, learner, numbers, advance),
                )
        except InputError:
            raise
        except ValueError as error:
            raise InputError(f"{source}: {error}") from None
        run.finish(learner.W)
