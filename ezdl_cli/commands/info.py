"""`ezdl info`: print what a file is and how it was made."""

import math
from collections import Counter
from pathlib import Path

import click

from .. import io
from ..errors import InputError, one_line
from ..io.manifests import MANIFEST
from ._shared.grouped_help import GroupedCommand, path_argument

MAX_LENGTH = 2000  # of a printed value; metadata of untrusted files can have any length
KNOWN = "a .npy, .npz or .csv file, a manifest.json, or a folder with one"


@click.command(cls=GroupedCommand, epilog="Example: ezdl info dictionary.npz")
@path_argument("path", metavar="FILE")
def command(path):
    """Print what FILE is and how it was made.

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
        raise InputError(f"{path}: not a file of ezdl; give {KNOWN}")
    title, properties = DESCRIPTIONS[kind](file)
    lines = [(_clean(name), _clean(_text(value))) for name, value in properties.items()]
    lines = [(name, text) for name, text in lines if text]
    width = max((len(name) for name, _ in lines), default=0)
    click.echo(_clean(f"{file}: {title}"))
    for name, text in lines:
        click.echo(f"  {name:{width}}  {text}")


def _describe_npz(path):
    arrays, metadata = io.list_arrays(path)
    kind = metadata.get("kind")
    if kind == io.DICTIONARY:
        return "a dictionary", _dictionary(io.load_dictionary(path))
    if kind == io.CHECKPOINT:
        return "a checkpoint", _dictionary(io.load_checkpoint(path).dictionary)
    shapes = {name: _array(*array) for name, array in arrays.items()}
    if {"samples", "whitening", "dewhitening"} <= set(arrays):
        with io.open_samples(path) as stored:
            origin = stored.metadata
        return "whitened samples", {
            **shapes,
            "source": origin.source,
            "patches": origin.patches and _samples(origin.patches),
        }
    return "an array" if len(arrays) == 1 else f"{len(arrays)} arrays", shapes


def _dictionary(dictionary):
    metadata, (n_atoms, n_pixels) = dictionary.metadata, dictionary.pixels.shape
    side = math.isqrt(n_pixels)
    size = f"{side}x{side} pixels" if side * side == n_pixels else f"{_count(n_pixels)} entries"
    n_components = dictionary.W.shape[1] if dictionary.matrices else None
    return {
        "atoms": f"{_count(n_atoms)} of {size}, {dictionary.W.dtype}",
        "whitened": n_components and f"trained on {n_components} components of {size}",
        "layout": dictionary.grid and f"a grid of {_text(dictionary.grid)}",
        "algorithm": metadata.algorithm,
        "parameters": metadata.parameters,
        "training": _training(metadata),
        "correlation": _correlation(metadata.history or []),
        "seed": metadata.seed,
        "samples": _samples(metadata.samples),
        "versions": metadata.versions,
        "commit": metadata.commit,
        "command": metadata.command,
    }


def _training(metadata):
    if metadata.n_epochs is None:
        return ""
    text, done = _count(metadata.n_epochs), metadata.epochs_done
    text = f"{text if done in (None, metadata.n_epochs) else f'{_count(done)} of {text}'} epochs"
    length = metadata.samples_per_epoch
    return text if length is None else f"{text} of {_count(length)} samples"


def _correlation(history):
    """Return the correlation of the first and the last epoch that have one."""
    known = [epoch for epoch in history if epoch.get("correlation") is not None]
    return ", ".join(
        f"{one['correlation']:.4f}" + (f" in epoch {one['epoch']}" if "epoch" in one else "")
        for one in known[:1] + known[1:][-1:]
    )


def _samples(origin):
    """Return the origin of patches or whitened samples as one line."""
    if origin.patches is not None:
        return f"{_text(origin.components)} components of {_samples(origin.patches) or 'samples'}"
    if origin.patch_size is None:
        return ""
    count = "" if origin.n_samples is None else f"{_count(origin.n_samples)} "
    text = f"{count}patches of {origin.patch_size}x{origin.patch_size} pixels"
    text += f" from {origin.source}" if origin.source else ""
    return text if origin.images is None else f"{text} ({_count(len(origin.images))} images)"


def _describe_npy(path):
    with io.open_samples(path) as stored:
        origin, array = stored.metadata, _array(stored.array.shape, stored.array.dtype)
    if origin.patch_size is None:
        return "an array", {"array": array}
    return "a patch store", {
        "array": array,
        "patches": _samples(origin),
        "per image": "" if origin.per_image is None else f"{_count(origin.per_image)} patches",
        "seed": origin.seed,
        "left out": origin.left_out,
        "manifest": origin.manifest_sha256,
    }


def _describe_collection(path):
    manifest = io.load_manifest(path if path.is_dir() else path.parent)
    entries = manifest.entries
    counts = Counter(Path(entry.file).parent.as_posix() for entry in entries)
    sizes = [(entry.width, entry.height) for entry in entries if entry.width and entry.height]
    limits = sorted({min(sizes, key=math.prod), max(sizes, key=math.prod)}) if sizes else ()
    return "an image collection", {
        "state": "not completed; run `ezdl images` again" if manifest.incomplete else "",
        "images": _count(len(entries)),
        "folders": {name: _count(count) for name, count in counts.items() if name != "."},
        "pixels": " to ".join(map(_text, limits)),
        "source": manifest.source,
        "licences": "; ".join(sorted({entry.licence for entry in entries if entry.licence})),
    }


def _describe_table(path):
    table = io.load_table(path)
    if not table:
        raise InputError(f"{path}: is a table without columns")
    n_rows = len(next(iter(table.values())))
    columns = {name: _column(column) for name, column in table.items()}
    return f"a table of {_count(n_rows)} rows", columns


def _column(column):
    """Return the range of a column of numbers, or the number of distinct strings."""
    if column.dtype.kind != "f":
        return f"text, {_count(len(set(column)))} distinct"
    known = column[column == column]  # empty cells are NaN
    return f"numbers, {known.min():.6g} to {known.max():.6g}"


def _array(shape, dtype):
    return f"{' x '.join(map(_count, shape)) or 'a scalar'}, {dtype}"


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


def _count(number):
    """Return a number with spaces between the thousands."""
    return f"{number:,}".replace(",", " ")


def _clean(text):
    """Return text as one printable line of limited length."""
    return one_line(f"{text[:MAX_LENGTH]} ..." if len(text) > MAX_LENGTH else text)


DESCRIPTIONS = {
    ".npz": _describe_npz,
    ".npy": _describe_npy,
    ".csv": _describe_table,
    MANIFEST: _describe_collection,
}
