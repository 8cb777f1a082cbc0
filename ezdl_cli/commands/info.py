"""`ezdl info`: print what a file contains and how it was produced."""

import math

import click

from ..errors import one_line
from ._shared import file_summary
from ._shared.file_summary import summarise
from ._shared.grouped_help import new_command, path_argument
from ._shared.json_output import echo_json, json_option

MAX_LENGTH = 2000  # of a printed value; metadata of untrusted files can have any length


@new_command("ezdl info dictionary.npz")
@path_argument("path", metavar="FILE")
@json_option
def command(path, as_json):
    """Print what FILE contains and how it was produced.

    FILE is a dictionary or checkpoint, a patch store, whitened samples, an array, a table, or a
    folder of images written by `ezdl images`.
    """
    summary = summarise(path)
    if as_json:
        echo_json(summary)
        return
    title, fields = DESCRIPTIONS[summary["kind"]](summary)
    click.echo(_clean(f"{summary['file']}: {title}"))
    lines = [(_clean(name.replace("_", " ")), _clean(_text(fields[name]))) for name in fields]
    width = max((len(name) for name, text in lines if text), default=0)
    for name, text in lines:
        if text:
            click.echo(f"  {name:{width}}  {text}")


def _describe_dictionary(summary):
    n_pixels, metadata = summary["n_pixels"], summary["metadata"]
    side = math.isqrt(n_pixels)
    size = f"{side}x{side} pixels" if side * side == n_pixels else f"{n_pixels} entries"
    return f"a {summary['kind']}", {
        "atoms": f"{summary['n_atoms']} of {size}, {summary['dtype']}",
        "components": summary["n_components"],
        "grid": summary["grid"],
        **metadata,
        "n_atoms": None,
        "samples": _origin(metadata["samples"]),
        "history": _ends(metadata["history"] or []),
    }


def _ends(history):
    """Return the first and the last epoch of a training history as text."""
    ends = history[:1] + history[1:][-1:]
    return " to ".join(map(_text, ends))


def _origin(metadata):
    """Return what is known of samples, with the number of images instead of their names."""
    known = dict(metadata)
    if "images" in known:
        known["images"] = len(known["images"])
    if "patches" in known:
        known["patches"] = _origin(known["patches"])
    return known


def _describe_arrays(summary):
    arrays = summary["arrays"]
    title = "an array" if len(arrays) == 1 else f"{len(arrays)} arrays"
    return title, {name: _array(**array) for name, array in arrays.items()}


def _describe_samples(summary):
    _, arrays = _describe_arrays(summary)
    kind = summary["kind"]
    title = kind if kind == file_summary.WHITENED else f"a {kind}"
    return title, arrays | _origin(summary["metadata"])


def _array(shape, dtype):
    return f"{' x '.join(map(_text, shape)) or 'a scalar'}, {dtype}"


def _describe_collection(summary):
    limits = dict.fromkeys(filter(None, (summary["smallest"], summary["largest"])))
    return "an image collection", {
        "state": None if summary["complete"] else "not completed; run `ezdl images` again",
        "images": summary["n_images"],
        "folders": summary["folders"],
        "pixels": " to ".join(map(_text, limits)),
        "source": summary["source"],
        "licences": summary["licences"],
    }


def _describe_table(summary):
    columns = {name: _column(**column) for name, column in summary["columns"].items()}
    return f"a table of {summary['n_rows']} rows", columns


def _column(type, n_distinct=None, minimum=None, maximum=None):
    if type == "text":
        return f"text, {n_distinct} distinct"
    return f"numbers, {minimum:.6g} to {maximum:.6g}"


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
    file_summary.DICTIONARY: _describe_dictionary,
    file_summary.CHECKPOINT: _describe_dictionary,
    file_summary.PATCHES: _describe_samples,
    file_summary.WHITENED: _describe_samples,
    file_summary.ARRAYS: _describe_arrays,
    file_summary.TABLE: _describe_table,
    file_summary.COLLECTION: _describe_collection,
}
