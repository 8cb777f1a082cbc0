"""`ezdl info`: what a file is and how it was made, in words."""

import math
from collections import Counter
from pathlib import Path

import click

from .. import io
from ..errors import InputError, one_line
from ..io.manifests import MANIFEST

LONGEST = 2000
KNOWN = "a .npy, .npz or .csv file, a manifest.json, or a folder with one"


@click.command(epilog="Example: ezdl info dictionary.npz")
@click.argument("path", metavar="FILE", type=click.Path())
def command(path):
    """Say what FILE is and how it was made.

    A dictionary or checkpoint, patches, a whitened set, an array, a table, or a folder of pictures.
    """
    file = Path(path)
    if not path or not file.exists():
        raise InputError(f"{path}: no such file or folder")
    kind = MANIFEST if file.is_dir() or file.name == MANIFEST else file.suffix.lower()
    if kind == ".json" and file.with_suffix(".npy").exists():
        # The facts that stand beside a store of patches.
        file, kind = file.with_suffix(".npy"), ".npy"
    if kind not in DESCRIBED:
        raise InputError(f"{path}: is none of our files; give {KNOWN}")
    what, facts = DESCRIBED[kind](file)
    click.echo(_clean(f"{file}: {what}"))
    lines = [(_clean(label), _clean(text)) for label, text in facts.items() if text]
    width = max((len(label) for label, _ in lines), default=0)
    for label, text in lines:
        click.echo(f"  {label:{width}}  {text}")


def _of_npz(path):
    """A dictionary, a checkpoint, a whitened set, or any arrays."""
    arrays, meta = io.list_arrays(path)
    kind = meta.get("kind")
    if kind in (io.DICTIONARY, io.CHECKPOINT):
        return _of_dictionary(io.load_dictionary(path, kind))
    if {"samples", "whitening", "dewhitening"} <= set(arrays):
        return _of_whitened(arrays, meta)
    what = "an array" if len(arrays) == 1 else f"{len(arrays)} arrays"
    return what, {name: _array(*array) for name, array in arrays.items()}


def _of_dictionary(dictionary):
    meta, (n_atoms, width) = dictionary.meta, dictionary.pixels.shape
    pixels = _size(width)
    facts = {"atoms": f"{_count(n_atoms)} of {pixels}, {dictionary.W.dtype}"}
    if "dewhitening" in dictionary.matrices:
        facts["whitened"] = f"trained on {dictionary.W.shape[1]} components of {pixels}"
    if dictionary.grid:
        facts["layout"] = f"a grid of {_words(dictionary.grid)}"
    return "a checkpoint" if meta["kind"] == io.CHECKPOINT else "a dictionary", {
        **facts,
        "algorithm": _words(meta.get("algorithm")),
        "parameters": _words(meta.get("parameters")),
        "training": _training(meta),
        "correlation": _correlation(meta.get("history")),
        "seed": _words(meta.get("seed")),
        "samples": _samples(meta.get("samples")),
        "versions": _words(meta.get("versions")),
        "commit": _words(meta.get("commit")),
        "command": _words(meta.get("command")),
    }


def _training(meta):
    """How many epochs, and how many are done if that is known and different."""
    wanted, length = meta.get("n_epochs"), meta.get("samples_per_epoch")
    if not _is_number(wanted):
        return ""
    history = meta.get("history")
    done = len(history) if isinstance(history, list) else wanted
    epochs = _count(wanted) if done == wanted else f"{_count(done)} of {_count(wanted)}"
    return f"{epochs} epochs" + (f" of {_count(length)} samples" if _is_number(length) else "")


def _correlation(history):
    """The first and the last correlation of the history."""
    entries = [_dict(entry) for entry in history] if isinstance(history, list) else []
    entries = [entry for entry in entries if _is_number(entry.get("correlation"))]
    ends = entries[:1] + entries[1:][-1:]
    return ", ".join(
        f"{entry['correlation']:.4f}"
        + (f" in epoch {_words(entry['epoch'])}" if "epoch" in entry else "")
        for entry in ends
    )


def _of_whitened(arrays, meta):
    names = ("samples", "whitening", "dewhitening")
    return "a whitened set", {
        **{name: _array(*arrays[name]) for name in names},
        "source": _words(meta.get("source")),
        "patches": _samples(meta.get("patches")),
    }


def _of_npy(path):
    """A store of patches, or any array."""
    with io.open_samples(path) as stored:
        about, array = stored.about, _array(stored.array.shape, stored.array.dtype)
    if about.get("patch_size") is None:
        return "an array", {"array": array}
    return "a store of patches", {
        "array": array,
        "patches": _samples(about),
        "an image": f"{_count(about['per_image'])} patches" if "per_image" in about else "",
        "seed": _words(about.get("seed")),
        "left out": _words(about.get("left_out")),
        "manifest": _words(about.get("manifest_sha256")),
    }


def _samples(about):
    """What is known of samples, in a line: patches, or those that were whitened."""
    about = _dict(about)
    if "patches" in about:
        inner = _samples(about["patches"]) or "samples"
        return f"{_words(about.get('components'))} components of {inner}".strip()
    size, images = about.get("patch_size"), about.get("images")
    if not _is_number(size):
        return ""
    count = _count(about["n_samples"]) + " " if "n_samples" in about else ""
    text = f"{count}patches of {_words((size, size))} pixels"
    text += f" from {_words(about['source'])}" if about.get("source") else ""
    return text + (f" ({_count(len(images))} images)" if isinstance(images, list) else "")


def _of_manifest(path):
    manifest = io.load_manifest(path if path.is_dir() else path.parent)
    entries = manifest.entries
    counts = Counter(Path(entry.file).parent.as_posix() for entry in entries)
    sizes = [(entry.width, entry.height) for entry in entries if entry.width and entry.height]
    ends = sorted({min(sizes, key=math.prod), max(sizes, key=math.prod)}) if sizes else ()
    return "a collection of pictures", {
        "state": "not completed; run `ezdl images` again" if manifest.incomplete else "",
        "pictures": _count(len(entries)),
        "folders": _words({name: _count(count) for name, count in counts.items() if name != "."}),
        "pixels": " to ".join(_words(size) for size in ends),
        "source": manifest.source,
        "licences": "; ".join(sorted({entry.licence for entry in entries if entry.licence})),
    }


def _of_table(path):
    """A table: how many rows, and of each column the range or the number of values."""
    table = io.load_table(path)
    if not table:
        raise InputError(f"{path}: is a table without columns")
    n_rows = len(next(iter(table.values())))
    return f"a table of {_count(n_rows)} rows", {
        name: _column(column) for name, column in table.items()
    }


def _column(column):
    if column.dtype.kind != "f":
        return f"words, {_count(len(set(column)))} different"
    known = column[column == column]  # NaN is where a cell is empty
    return f"numbers, {known.min():.6g} to {known.max():.6g}"


def _array(shape, dtype):
    return f"{' x '.join(map(_count, shape)) or 'a single one'}, {dtype}"


def _size(width):
    side = math.isqrt(width)
    return f"{side}x{side} pixels" if side * side == width else f"{_count(width)} entries"


def _words(value):
    """Anything that JSON can hold, in a line; nothing for what is not known."""
    if value is None:
        return ""
    if isinstance(value, dict):
        known = {name: _words(part) for name, part in value.items()}
        return ", ".join(f"{name} {text}" for name, text in known.items() if text)
    if isinstance(value, list | tuple):
        numbers = len(value) == 2 and all(map(_is_number, value))
        return ("x" if numbers else ", ").join(_words(part) for part in value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _count(number):
    """A number with gaps between the thousands."""
    return f"{number:,}".replace(",", " ") if _is_number(number) else _words(number)


def _is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


def _dict(value):
    return value if isinstance(value, dict) else {}


def _clean(text):
    """Text in one line, and not too long: files of others may hold anything."""
    text = str(text)
    return one_line(f"{text[:LONGEST]} ..." if len(text) > LONGEST else text)


DESCRIBED = {".npz": _of_npz, ".npy": _of_npy, ".csv": _of_table, MANIFEST: _of_manifest}
