"""Checkpoints of training runs in .npz files: a dictionary and the state of its learner."""

from dataclasses import dataclass

import numpy as np

from .dictionaries import Dictionary, dictionary_arrays, read_dictionary
from .npy import decoding
from .npz import META, NpzFile, new_npz
from .paths import check_target

CHECKPOINT = "ezdl checkpoint"
STATE = "state_"
MAX_NORM = 1.001  # atoms have unit norm or are zero, up to rounding in single precision


@dataclass(frozen=True)
class Checkpoint:
    """A training run after some of its epochs."""

    dictionary: Dictionary
    run: dict
    """What two runs must have in common for one to resume the other, as JSON."""
    state: dict
    """Arrays that the learner needs besides the dictionary, by name."""

    def restore(self, W, state):
        """Copy the stored arrays into those of a learner; raise ValueError if they do not fit."""
        stored, own = {"W": self.dictionary.W, **self.state}, {"W": W, **state}
        if _shapes(stored) != _shapes(own):
            raise ValueError("its arrays are not those of the learner")
        for name, array in own.items():
            array[...] = stored[name]


def _shapes(arrays):
    return {name: (array.shape, array.dtype) for name, array in arrays.items()}


def save_checkpoint(path, checkpoint):
    """Write a checkpoint."""
    check_target(path, ".npz")
    arrays = dictionary_arrays(checkpoint.dictionary, CHECKPOINT)
    arrays[META]["run"] = checkpoint.run
    state = {STATE + name: array for name, array in checkpoint.state.items()}
    with new_npz(path, arrays | state):
        pass


def load_checkpoint(path):
    """Read a checkpoint; raise InputError if the file is damaged or something else."""
    with decoding(path, f"an {CHECKPOINT}"), open(path, "rb") as stream:
        file = NpzFile(stream)
        dictionary = read_dictionary(file, CHECKPOINT)
        names = [name for name in file.names if name.startswith(STATE)]
        state = {name.removeprefix(STATE): file.read(name) for name in names}
        history = dictionary.metadata.history or []
        if [one.get("epoch") for one in history] != list(range(1, len(history) + 1)) or not history:
            raise ValueError("its epochs are incomplete")
        if np.linalg.norm(dictionary.W, axis=1).max() > MAX_NORM:
            raise ValueError("its atoms are longer than one")
        if not all(np.isfinite(array).all() for array in state.values()):
            raise ValueError("its state is not finite")
        return Checkpoint(dictionary, file.metadata().get("run", {}), state)
