"""`ezdl train`: learn a dictionary."""

import json
import shlex
from dataclasses import asdict
from pathlib import Path

import click
import numpy as np

from .. import io
from ..errors import InputError
from ..learn import ezdl, odl, rls_dla
from ..learn.training import initial_dictionary, train
from ..provenance import commit, versions
from ..samples import Samples
from .options import EPOCHS, Grid, quiet, seed
from .progress import progress

# Options that are not called as the parameter is.
OPTIONS = {"alpha": "--lambda", "n_nonzero": "--nonzeros"}


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
    names = ezdl.Parameters.__dataclass_fields__
    parameters = ezdl.Parameters(**{name: options.pop(name) for name in names})
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
    _train("odl", source, target, odl.Parameters(alpha, batch_size), quiet, **options)


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
    _train("rls-dla", source, target, rls_dla.Parameters(nonzeros, forgetting), quiet, **options)


def _train(algorithm, source, target, parameters, quiet, resume, discard_other, **options):
    """Train with a learner and write the dictionary."""
    io.check_dictionary_target(target)
    with io.open_samples(source) as stored:
        try:
            samples = Samples(stored.array, "it", stored.stream)
            if options["atoms"] > len(samples):
                raise ValueError(f"has {len(samples)} samples, fewer than {options['atoms']} atoms")
            parameters = parameters.settled(options["atoms"])
            run = Run(algorithm, source, target, parameters, samples, stored, options)
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


class Run:
    """What is kept of a training: history, checkpoints, snapshots and the result."""

    def __init__(self, algorithm, source, target, parameters, samples, stored, options):
        self.target = Path(target)
        self.checkpoint = self.target.with_suffix(".checkpoint.npz")
        self.every = options.pop("checkpoint_every")
        self.snapshots = options.pop("snapshot_epochs")
        self.owns_checkpoint = False
        self._check_names(source)
        names = ("whitening", "dewhitening")
        self.matrices = {n: stored.matrices[n] for n in names if n in stored.matrices}
        io.check_matrices(self.matrices, samples.n_features)
        self.history = []
        self.about = {
            "algorithm": algorithm,
            "command": _command_line(algorithm, source, target, parameters, options),
            "parameters": asdict(parameters),
            "n_atoms": options["atoms"],
            "n_epochs": options["epochs"],
            "samples_per_epoch": options["samples_per_epoch"],
            "seed": options["seed"],
            "samples": {"fingerprint": samples.fingerprint(), **_in_short(stored.about)},
            "versions": versions(),
            "commit": commit(),
        }

    def _check_names(self, source):
        """Refuse to write over the samples, or where nothing can be written."""
        names = [self.target, *map(self._snapshot, self.snapshots)]
        # Without --checkpoint-every, one that is there is removed at the end.
        names += [self.checkpoint] if self.every or self.checkpoint.exists() else []
        for name in names:
            io.check_dictionary_target(name)
            if name.exists() and name.samefile(source):
                raise InputError(f"{name}: would be written over the samples; give another name")

    def _snapshot(self, epoch):
        return self.target.with_suffix(f".epoch-{epoch:04d}.npz")

    def resume_or_begin(self, learner, discard_other):
        """The epoch to go on with; the first if a checkpoint that is no use is to be discarded."""
        try:
            return self.resume(learner)
        except InputError:
            if not discard_other:
                raise
            self.owns_checkpoint = True
            return 1

    def resume(self, learner):
        """Bring a learner to where the checkpoint has it; the epoch to go on with."""
        if not self.checkpoint.exists():
            return 1
        kept = io.load_dictionary(self.checkpoint, io.CHECKPOINT)
        if kept.meta.get("run") != self._identity():
            raise InputError(
                f"{self.checkpoint}: is of another run; remove it, or train without --resume"
            )
        history = kept.meta.get("history")
        if not self._is_whole(kept, history, learner):
            raise InputError(f"{self.checkpoint}: is damaged; remove it, or train without --resume")
        self.history, self.owns_checkpoint = history, True
        learner.W[:] = kept.W
        for name, array in learner.state.items():
            array[:] = kept.state[name]
        return len(history) + 1

    def _is_whole(self, kept, history, learner):
        """Whether a checkpoint holds what one of this run must hold."""
        try:
            epochs = [entry["epoch"] for entry in history]
        except (TypeError, KeyError):
            return False
        in_order = epochs == list(range(1, len(epochs) + 1))
        found, wanted = {"W": kept.W, **kept.state}, {"W": learner.W, **learner.state}
        alike = found.keys() == wanted.keys() and all(
            found[name].shape == array.shape
            and found[name].dtype == array.dtype
            and np.isfinite(found[name]).all()
            for name, array in wanted.items()
        )
        return (
            in_order
            and 0 < len(epochs) < self.about["n_epochs"]
            and alike
            and (np.linalg.norm(kept.W, axis=1) < 1.001).all()
        )

    def epoch_done(self, epoch, learner, numbers, advance):
        """Keep what an epoch gave."""
        if numbers.get("nonzeros") == 0.0:
            raise ValueError("no sample has a code other than zero; take a smaller --lambda")
        self.history.append({"epoch": epoch, **numbers})
        self.keep_snapshot(epoch, learner)
        if self.every and epoch % self.every == 0 and epoch < self.about["n_epochs"]:
            self._save(self.checkpoint, learner.W, io.CHECKPOINT, learner.state)
            self.owns_checkpoint = True
        name, value = next(iter(numbers.items()))
        advance(1, f"{name} {value:.4f}")

    def keep_snapshot(self, epoch, learner):
        """Keep the dictionary of an epoch, if that is wanted."""
        if epoch in self.snapshots:
            self._save(self._snapshot(epoch), learner.W, io.DICTIONARY)

    def finish(self, W):
        """Write the dictionary; the checkpoint is not needed any more."""
        self._save(self.target, W, io.DICTIONARY)
        if self.owns_checkpoint:
            self.checkpoint.unlink(missing_ok=True)

    def _save(self, path, W, kind, state=None):
        meta = {"kind": kind, **self.about, "history": self.history}
        if kind == io.CHECKPOINT:
            meta["run"] = self._identity()
        io.save_dictionary(path, io.Dictionary(W, meta, self.matrices, state or {}))

    def _identity(self):
        """What two runs must have in common to be the same."""
        names = ("algorithm", "parameters", "n_atoms", "n_epochs", "samples_per_epoch", "seed")
        identity = {name: self.about[name] for name in names}
        identity["samples"] = self.about["samples"]["fingerprint"]
        return json.loads(json.dumps(identity))


def _in_short(about):
    """What is known of samples, without the lists of images."""
    short = {name: value for name, value in about.items() if not isinstance(value, list)}
    return {k: _in_short(v) if isinstance(v, dict) else v for k, v in short.items()}


def _command_line(algorithm, source, target, parameters, options):
    """The command that makes the same dictionary, in full."""
    words = ["ezdl", "train", algorithm, str(source), str(target)]
    for name, value in {**options, **asdict(parameters)}.items():
        if value is not None:
            text = "x".join(map(str, value)) if isinstance(value, tuple) else str(value)
            words += [OPTIONS.get(name, f"--{name.replace('_', '-')}"), text]
    return shlex.join(words)
