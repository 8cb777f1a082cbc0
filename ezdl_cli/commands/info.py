"""`ezdl info`: print what a file contains and how it was produced."""

import math
from collections import Counter
from pathlib import Path

import click

from .. import io
from ..errors import InputError, one_line
from ..io.manifests import MANIFEST
from ._shared.grouped_help import new_command, path_argument

MAX_LENGTH = 2000  # of a printed value; metadata of untrusted files can have any length
KNOWN = "a .npy, .npz or .csv file, a manifest.json, or a folder with one"


@new_command("ezdl info dictionary.npz")
@path_argument("path", metavar="FILE")
def command(path):
    """Print what FILE contains and how it was produced.

    FILE is a dictionary or checkpoint, a patch store, whitened samples, an array, a table, or a
    folder of images written by `ezdl images`.
    """
    file = Path(path)
    if not path or not file.exists():
        raise InputError(f"{path}: no such file or folder")
    kind = MANIFEST if file.is_dir() or file.name == MANIFEST else file.suffix.lower()
    if kind == ".json" and file.with_suffix(".npy").exists():  # metadata of a patch store
        file, kind = file.with_suffix(".npy"), ".npy"
    if kind not in DESCRIPTIONS:
        raise InputError(f"{path}: not a file that ezdl can describe; pass {KNOWN}")
    title, fields = DESCRIPTIONS[kind](file)
    click.echo(_clean(f"{file}: {title}"))
    lines = [(_clean(name.replace("_", " ")), _clean(_text(fields[name]))) for name in fields]
    width = max((len(name) for name, text in lines if text), default=0)
    for name, text in lines:
        if text:
            click.echo(f"  {name:{width}}  {text}")


def _describe_npz(path):
    arrays, metadata = io.list_arrays(path)
    kind = metadata.get("kind")
    if kind == io.DICTIONARY:
        return "a dictionary", _dictionary(io.load_dictionary(path))
    if kind == io.CHECKPOINT:
        return "a checkpoint", _dictionary(io.load_checkpoint(path).dictionary)
    shapes = {name: _array(*array) for name, array in arrays.items()}
    if {"samples", *io.MATRICES} <= set(arrays):
        with io.open_samples(path) as stored:
            return "whitened samples", shapes | _origin(stored.metadata)
    return "an array" if len(arrays) == 1 else f"{len(arrays)} arrays", shapes


def _dictionary(dictionary):
    n_atoms, n_pixels = dictionary.pixels.shape
    side = math.isqrt(n_pixels)
    size = f"{side}x{side} pixels" if side * side == n_pixels else f"{n_pixels} entries"
    metadata = vars(dictionary.metadata) | {
        "n_atoms": None,
        "samples": _origin(dictionary.metadata.samples),
        "history": _ends(dictionary.metadata.history or []),
    }
    return {
        "atoms": f"{n_atoms} of {size}, {dictionary.W.dtype}",
        "components": dictionary.W.shape[1] if dictionary.matrices else None,
        "grid": dictionary.grid,
        **metadata,
    }


def _ends(history):
    """Return the first and the last epoch of a training history as text."""
    ends = history[:1] + history[1:][-1:]
    return " to ".join(map(_text, ends))


def _origin(metadata):
    """Return what is known of samples, with the number of images instead of their names."""
    known = metadata.to_json()
    if "images" in known:
        known["images"] = len(known["images"])
    if metadata.patches is not None:
        known["patches"] = _origin(metadata.patches)
    return known


def _describe_npy(path):
    with io.open_samples(path) as stored:
        array = {"array": _array(stored.array.shape, stored.array.dtype)}
        if stored.metadata.patch_size is None:
            return "an array", array
        return "a patch store", array | _origin(stored.metadata)


def _describe_collection(path):
    manifest = io.load_manifest(path if path.is_dir() else path.parent)
    entries = manifest.entries
    sizes = [(entry.width, entry.height) for entry in entries if entry.width and entry.height]
    limits = sorted({min(sizes, key=math.prod), max(sizes, key=math.prod)}) if sizes else ()
    return "an image collection", {
        "state": "not completed; run `ezdl images` again" if manifest.incomplete else None,
        "images": len(entries),
        "folders": Counter(Path(entry.file).parent.as_posix() for entry in entries),
        "pixels": " to ".join(map(_text, limits)),
        "source": manifest.source,
        "licences": sorted({entry.licence for entry in entries if entry.licence}),
    }


def _describe_table(path):
    table = io.load_table(path)
    n_rows = len(next(iter(table.values())))
    return f"a table of {n_rows} rows", {name: _column(table[name]) for name in table}


def _column(column):
    """Return the range of a column of numbers, or the number of distinct strings."""
    if column.dtype.kind != "f":
        return f"text, {len(set(column))} distinct"
    known = column[column == column]  # empty cells are NaN
    return f"numbers, {known.min():.6g} to {known.max():.6g}"


def _array(shape, dtype):
    return f"{' x '.join(map(_text, shape)) or 'a scalar'}, {dtype}"


def _text(value):
    """Return a value of JSON as text; "" for None."""
    if value is None:
        return ""
    if isinstance(value, dict):
        known = {name: _text(part) for name, part in value.items()}
        return ", ".join(f"{name} {text}" for name, text in known.items() if text)
    if isinstance(value, list | tuple):
        is_size = len(value) == 2 and all(isinstance(part, int) for part in value)
        return ("x" if is_size else ", ").join(map(_text, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _clean(text):
    """Return text as one printable line of limited length."""
    return one_line(f"{text[:MAX_LENGTH]} ..." if len(text) > MAX_LENGTH else text)


DESCRIPTIONS = {
    ".npz": _describe_npz,
    ".npy": _describe_npy,
    ".csv": _describe_table,
    MANIFEST: _describe_collection,
}
