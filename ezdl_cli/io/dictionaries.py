"""Dictionaries in .npz files, and the checkpoints of their training."""

import json
import math
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..errors import InputError, one_line
from .npz import new_npz
from .paths import check_source, check_target

DICTIONARY, CHECKPOINT = "ezdl dictionary", "ezdl checkpoint"
MATRICES = ("whitening", "dewhitening")
STATE = "state_"
MAX_BYTES = 1 << 30
# Inference models whose atoms have places on a grid.
WITH_GRID = ("topographic", "rank")
# Learned from the built-in photographs; `make dictionary` makes it anew.
DEFAULT = Path(__file__).resolve().parent.parent / "dictionaries" / "default.npz"


@dataclass(frozen=True)
class Dictionary:
    """A dictionary and how it was made."""

    W: np.ndarray
    """(n_atoms, d), one atom a row"""
    meta: dict
    """What is known of it; `kind` says what the file is."""
    matrices: dict = field(default_factory=dict)
    """`whitening` (k, d) and `dewhitening` (d, k) if it was trained on whitened samples."""
    state: dict = field(default_factory=dict)
    """What the learner of a checkpoint remembers beside its dictionary, arrays by name."""

    @property
    def pixels(self):
        """The atoms as pixels, (n_atoms, height · width)."""
        back = self.matrices.get("dewhitening")
        return self.W if back is None else self.W @ back.T.astype(self.W.dtype)

    @property
    def grid(self):
        """Rows and columns of the atoms' layout, or None if they have none that is known."""
        parameters = self.meta.get("parameters")
        if not isinstance(parameters, dict) or parameters.get("inference") not in WITH_GRID:
            return None
        grid = parameters.get("grid")
        fits = isinstance(grid, list | tuple) and len(grid) == 2
        fits = fits and all(isinstance(k, int) and k > 0 for k in grid)
        return tuple(grid) if fits and math.prod(grid) == len(self.W) else None


def check_dictionary_target(path):
    """Refuse a name under which no dictionary can be written."""
    if Path(path).suffix.lower() != ".npz":
        raise InputError(f"{path}: the name of a dictionary must end with .npz")
    check_target(path)


def save_dictionary(path, dictionary):
    """Write a dictionary or a checkpoint."""
    check_dictionary_target(path)
    meta = np.array(json.dumps(dictionary.meta))
    state = {STATE + name: array for name, array in dictionary.state.items()}
    with new_npz(path, {"W": dictionary.W, "meta": meta, **dictionary.matrices, **state}):
        pass


def load_dictionary(path, kind=DICTIONARY):
    """Read a dictionary or a checkpoint.

    Raises
    ------
    InputError
        If it cannot be read, or is something else.
    """
    check_source(path)
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(info.file_size for info in archive.infolist()) > MAX_BYTES:
                raise ValueError("it is too large")
        with np.load(path, allow_pickle=False) as file:
            W = file["W"]
            meta = json.loads(str(file["meta"]))
            matrices = {name: file[name] for name in MATRICES if name in file}
            names = [name for name in file.files if name.startswith(STATE)]
            state = {name.removeprefix(STATE): file[name] for name in names}
        if meta["kind"] != kind:
            raise ValueError(f"it is an {meta['kind']}")
        if W.ndim != 2 or W.dtype.kind != "f" or not np.isfinite(W).all() or W.size == 0:
            raise ValueError("its atoms are no rows of finite numbers")
        check_matrices(matrices, W.shape[1])
    except Exception as error:  # a damaged file can raise nearly anything
        raise InputError(f"{path}: cannot be read as an {kind} ({one_line(error)})") from None
    return Dictionary(W, meta, matrices, state)


def check_matrices(matrices, n_features):
    """Raise ValueError if whitening matrices do not fit samples of so many features."""
    for name, matrix in matrices.items():
        shape = matrix.shape if name == "dewhitening" else matrix.shape[::-1]
        fits = matrix.ndim == 2 and matrix.dtype.kind == "f" and shape[1] == n_features
        if not fits or not np.isfinite(matrix).all():
            raise ValueError(f"its matrix {name} does not fit")


def default_dictionary():
    """The dictionary that ships with the package: 256 atoms of 8 × 8 pixels.

    Returns
    -------
    array (256, 64) of float32, one atom a row, of unit norm
    """
    return load_dictionary(DEFAULT).W
