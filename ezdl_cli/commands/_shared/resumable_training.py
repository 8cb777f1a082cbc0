"""Training that can be resumed: checkpoints, snapshots and the final dictionary."""

import json
import shlex
from dataclasses import asdict, replace
from pathlib import Path

from ... import io
from ...errors import InputError
from ...provenance import commit, versions
from .activity_table import without_activity
from .option_errors import reject_option

# Options whose names differ from those of the parameters.
OPTIONS = {"alpha": "--lambda", "n_nonzero": "--nonzeros"}
# Two runs with the same values, and the same samples, train the same dictionary.
IDENTITY = ("algorithm", "parameters", "n_atoms", "n_epochs", "samples_per_epoch", "seed")


class ResumableTraining:
    """Files of a training run: history, checkpoints, snapshots and the final dictionary."""

    def __init__(self, algorithm, source, target, parameters, samples, stored, options, activity):
        self.target = Path(target)
        self.checkpoint = self.target.with_suffix(".checkpoint.npz")
        self.checkpoint_every = options.pop("checkpoint_every")
        self.snapshot_epochs = options.pop("snapshot_epochs")
        self.owns_checkpoint = False
        self._check_snapshots(options["epochs"])
        self._check_targets(source)
        self.matrices = stored.matrices
        self.activity = activity
        self.history = []
        origin = replace(stored.metadata.without_images(), fingerprint=samples.fingerprint())
        self.metadata = io.DictionaryMetadata(
            algorithm=algorithm,
            command=_command_line(algorithm, source, target, parameters, options),
            parameters=asdict(parameters),
            n_atoms=options["atoms"],
            n_epochs=options["epochs"],
            samples_per_epoch=options["samples_per_epoch"],
            seed=options["seed"],
            samples=origin,
            versions=versions(),
            commit=commit(),
        )

    def _check_snapshots(self, n_epochs):
        if max(self.snapshot_epochs, default=0) > n_epochs:
            reject_option("--snapshot-epochs", f"must be at most {n_epochs}, the last epoch")

    def _check_targets(self, source):
        """Refuse to overwrite the samples, and paths that cannot be written."""
        targets = [self.target, *map(self._snapshot, self.snapshot_epochs)]
        # Without --checkpoint-every, an existing checkpoint is removed at the end.
        if self.checkpoint_every or self.checkpoint.exists():
            targets.append(self.checkpoint)
        for path in targets:
            io.check_target(path, ".npz")
            if path.exists() and path.samefile(source):
                raise InputError(f"{path}: would overwrite the samples; choose another name")

    def _snapshot(self, epoch):
        return self.target.with_suffix(f".epoch-{epoch:04d}.npz")

    def resume_or_begin(self, learner, discard_other):
        """Return the epoch to continue with; 1 if an unusable checkpoint is discarded."""
        try:
            return self.resume(learner)
        except InputError as error:
            if not discard_other:
                raise InputError(f"{error}; remove it, or train without --resume") from None
            self.owns_checkpoint = True
            return 1

    def resume(self, learner):
        """Restore a learner from the checkpoint, if there is one; return the next epoch."""
        if not self.checkpoint.exists():
            return 1
        stored = io.load_checkpoint(self.checkpoint)
        if stored.run != self._identity():
            raise InputError(f"{self.checkpoint}: belongs to another run")
        history = stored.dictionary.metadata.history
        unmeasured = self.activity.unmeasured(history)
        if unmeasured:
            raise InputError(f"{self.checkpoint}: has no activity of epoch {unmeasured[0]}")
        try:
            if len(history) >= self.metadata.n_epochs:
                raise ValueError("it has too many epochs")
            stored.restore(learner.W, learner.state)
        except ValueError as error:
            raise InputError(f"{self.checkpoint}: is damaged ({error})") from None
        self.history += history
        self.owns_checkpoint = True
        return len(history) + 1

    def epoch_done(self, epoch, learner, numbers, advance):
        """Record an epoch, and write a snapshot and a checkpoint if they are due."""
        self.history.append({"epoch": epoch, **numbers})
        self.save_snapshot(epoch, learner)
        due = self.checkpoint_every and epoch % self.checkpoint_every == 0
        if due and epoch < self.metadata.n_epochs:
            dictionary = self._dictionary(learner.W, self.history)
            checkpoint = io.Checkpoint(dictionary, self._identity(), learner.state)
            io.save_checkpoint(self.checkpoint, checkpoint)
            self.owns_checkpoint = True
        name, value = next(iter(numbers.items()))
        advance(1, f"{name} {value:.4f}")

    def save_snapshot(self, epoch, learner):
        """Write the dictionary after an epoch if --snapshot-epochs includes it."""
        if epoch in self.snapshot_epochs:
            dictionary = self._dictionary(learner.W, without_activity(self.history))
            io.save_dictionary(self._snapshot(epoch), dictionary)

    def finish(self, W):
        """Write the table of activity and the dictionary; the checkpoint is not needed any more."""
        dictionary = self._dictionary(W, without_activity(self.history))
        self.activity.save(self.target, dictionary, self.history)
        io.save_dictionary(self.target, dictionary)
        if self.owns_checkpoint:
            self.checkpoint.unlink(missing_ok=True)

    def _dictionary(self, W, history):
        metadata = replace(self.metadata, history=history)
        return io.Dictionary(W, metadata, self.matrices)

    def _identity(self):
        """Return what two runs must have in common for one to resume the other, as JSON."""
        identity = {name: getattr(self.metadata, name) for name in IDENTITY}
        identity["samples"] = self.metadata.samples.fingerprint
        return json.loads(json.dumps(identity))


def _command_line(algorithm, source, target, parameters, options):
    """Return the command that trains the same dictionary, with all options."""
    words = ["ezdl", "train", algorithm, str(source), str(target)]
    for name, value in {**options, **asdict(parameters)}.items():
        if value is not None:
            text = "x".join(map(str, value)) if isinstance(value, tuple) else str(value)
            words += [OPTIONS.get(name, f"--{name.replace('_', '-')}"), text]
    return shlex.join(words)
