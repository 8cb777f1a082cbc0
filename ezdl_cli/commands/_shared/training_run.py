"""What a training keeps: its history, checkpoints, snapshots and the final dictionary."""

import json
import shlex
from dataclasses import asdict
from pathlib import Path

import numpy as np

from ... import io
from ...errors import InputError
from ...provenance import commit, versions

# Options that are not called as the parameter is.
OPTIONS = {"alpha": "--lambda", "n_nonzero": "--nonzeros"}


class TrainingRun:
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
