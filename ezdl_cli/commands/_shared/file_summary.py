"""What a file contains, as the content of a JSON document: `io/schemas/file_summary.json`."""

import math
from collections import Counter
from pathlib import Path

from ... import io
from ...errors import InputError
from ...io.manifests import MANIFEST

KNOWN = "a .npy, .npz or .csv file, a manifest.json, or a folder with one"
DICTIONARY, CHECKPOINT, COLLECTION = "dictionary", "checkpoint", "image collection"
PATCHES, WHITENED, ARRAYS, TABLE = "patch store", "whitened samples", "arrays", "table"


def summarise(path):
    """Return what a file contains and how it was produced; raise InputError for other files."""
    file = Path(path)
    if not path or not file.exists():
        raise InputError(f"{path}: no such file or folder")
    kind = MANIFEST if file.is_dir() or file.name == MANIFEST else file.suffix.lower()
    if kind == ".json" and file.with_suffix(".npy").exists():  # metadata of a patch store
        file, kind = file.with_suffix(".npy"), ".npy"
    if kind not in _READERS:
        raise InputError(f"{path}: not a file that ezdl can describe; pass {KNOWN}")
    return {"file": str(file), **_READERS[kind](file)}


def _npz(path):
    arrays, metadata = io.list_arrays(path)
    kind = metadata.get("kind")
    if kind == io.DICTIONARY:
        return _dictionary(DICTIONARY, io.load_dictionary(path))
    if kind == io.CHECKPOINT:
        return _dictionary(CHECKPOINT, io.load_checkpoint(path).dictionary)
    shapes = {name: _array(*array) for name, array in arrays.items()}
    if {"samples", *io.MATRICES} <= set(arrays):
        with io.open_samples(path) as stored:
            return {"kind": WHITENED, "arrays": shapes, "metadata": stored.metadata.to_json()}
    return {"kind": ARRAYS, "arrays": shapes}


def _dictionary(kind, dictionary):
    n_atoms, n_pixels = dictionary.pixels.shape
    return {
        "kind": kind,
        "n_atoms": n_atoms,
        "n_pixels": n_pixels,
        "dtype": str(dictionary.W.dtype),
        "n_components": dictionary.W.shape[1] if dictionary.matrices else None,
        "grid": dictionary.grid,
        "metadata": dictionary.metadata.to_json(),
    }


def _npy(path):
    with io.open_samples(path) as stored:
        arrays = {"array": _array(stored.array.shape, stored.array.dtype)}
        if stored.metadata.patch_size is None:
            return {"kind": ARRAYS, "arrays": arrays}
        return {"kind": PATCHES, "arrays": arrays, "metadata": stored.metadata.to_json()}


def _array(shape, dtype):
    return {"shape": list(shape), "dtype": str(dtype)}


def _collection(path):
    manifest = io.load_manifest(path if path.is_dir() else path.parent)
    entries = manifest.entries
    sizes = [(entry.width, entry.height) for entry in entries if entry.width and entry.height]
    return {
        "kind": COLLECTION,
        "complete": not manifest.incomplete,
        "n_images": len(entries),
        "folders": Counter(Path(entry.file).parent.as_posix() for entry in entries),
        "smallest": min(sizes, key=math.prod, default=None),
        "largest": max(sizes, key=math.prod, default=None),
        "source": manifest.source,
        "licences": sorted({entry.licence for entry in entries if entry.licence}),
    }


def _table(path):
    table = io.load_table(path)
    n_rows = len(next(iter(table.values())))
    return {
        "kind": TABLE,
        "n_rows": n_rows,
        "columns": {name: _column(column) for name, column in table.items()},
    }


def _column(column):
    """Return the range of a column of numbers, or the number of distinct strings."""
    if column.dtype.kind != "f":
        return {"type": "text", "n_distinct": len(set(column))}
    known = column[column == column]  # empty cells are NaN
    return {"type": "numbers", "minimum": float(known.min()), "maximum": float(known.max())}


_READERS = {".npz": _npz, ".npy": _npy, ".csv": _table, MANIFEST: _collection}
