"""Dictionaries in .npz files."""

import math
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .metadata import DictionaryMetadata
from .npy import decoding
from .npz import META, NpzFile, new_npz
from .paths import check_target

DICTIONARY = "ezdl dictionary"
MATRICES = ("whitening", "dewhitening")
# Inference models whose atoms lie on a grid.
WITH_GRID = ("topographic", "rank")
# Learned from the built-in photographs; `make dictionary` trains it again.
DEFAULT = Path(__file__).resolve().parent.parent / "dictionaries" / "default.npz"


@dataclass(frozen=True)
class Dictionary:
    """A dictionary and how it was trained."""

    W: np.ndarray
    """(n_atoms, d), one atom per row"""
    metadata: DictionaryMetadata = field(default_factory=DictionaryMetadata)
    matrices: dict = field(default_factory=dict)
    """`whitening` (k, d) and `dewhitening` (d, k) if it was trained on whitened samples."""

    @property
    def pixels(self):
        """Atoms as pixels, (n_atoms, height · width)."""
        back = self.matrices.get("dewhitening")
        return self.W if back is None else self.W @ back.T.astype(self.W.dtype)

    @property
    def filters(self):
        """Filters on pixels whose responses are those of the atoms, (n_atoms, height · width)."""
        whitening = self.matrices.get("whitening")
        return self.W if whitening is None else self.W @ whitening.astype(self.W.dtype)

    @property
    def grid(self):
        """Rows and columns of the atoms' layout, or None if there is none."""
        parameters = self.metadata.parameters
        grid = parameters.get("grid") if parameters.get("inference") in WITH_GRID else None
        return tuple(grid) if grid and math.prod(grid) == len(self.W) else None


def save_dictionary(path, dictionary):
    """Write a dictionary."""
    check_target(path, ".npz")
    with new_npz(path, dictionary_arrays(dictionary, DICTIONARY)):
        pass


def dictionary_arrays(dictionary, kind):
    """Return the content of an .npz file with a dictionary."""
    meta = {"kind": kind, **dictionary.metadata.to_json()}
    return {"W": dictionary.W, META: meta, **dictionary.matrices}


def load_dictionary(path):
    """Read a dictionary; raise InputError if the file is damaged or something else."""
    with decoding(path, f"an {DICTIONARY} (.npz)"), open(path, "rb") as stream:
        return read_dictionary(NpzFile(stream), DICTIONARY)


def read_dictionary(file, kind):
    """Read a dictionary from an open `NpzFile`; raise ValueError if it is not of this kind."""
    meta = file.metadata()
    if meta.get("kind") != kind:
        raise ValueError(f"it is an {meta['kind']}" if "kind" in meta else "it has no metadata")
    W = file.read("W")
    if W.ndim != 2 or W.dtype.kind != "f" or not np.isfinite(W).all() or W.size == 0:
        raise ValueError("its atoms are not rows of finite numbers")
    matrices = read_matrices(file, n_features=W.shape[1])
    return Dictionary(W, DictionaryMetadata.from_json(meta), matrices)


def read_matrices(file, n_features):
    """Read the matrices of whitened samples; raise ValueError if they do not fit the samples."""
    matrices = {name: file.read(name) for name in MATRICES if name in file}
    for name, matrix in matrices.items():
        shape = matrix.shape if name == "dewhitening" else matrix.shape[::-1]
        fits = matrix.ndim == 2 and matrix.dtype.kind == "f" and shape[1] == n_features
        if not fits or not np.isfinite(matrix).all():
            raise ValueError(f"its matrix {name} has the wrong shape or is not finite")
    return matrices


def default_dictionary() -> NDArray[np.float32]:
    """Return the dictionary that ships with the package: 256 atoms of 8 × 8 pixels.

    Returns
    -------
    W : ndarray of shape (256, 64)
        One atom per row, of unit norm, in float32.

    Examples
    --------
    >>> import ezdl_cli as ez
    >>> ez.default_dictionary().shape
    (256, 64)
    """
    return _shipped_atoms().copy()


@cache
def _shipped_atoms():
    return load_dictionary(DEFAULT).W
