"""The only reader and writer of result files. A file has its name only once it is complete."""

import csv
import os
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from .errors import InputError


@contextmanager
def complete_file(path):
    """Path of a temporary file in the same folder, which takes the final name at the end.

    If the block fails, the temporary file is removed and an older file stays as it was.
    """
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path}: is a folder; give the name of a file")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}; make it first")
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        _sync(temporary)
        os.replace(temporary, path)
        _sync(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def _sync(path):
    """Make sure that a file or folder is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def load_array(path):
    """Array of numbers in a .npy file, memory-mapped and read-only; never unpickles."""
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (ValueError, EOFError, OSError) as error:
        raise InputError(f"{path}: cannot be read as a .npy file ({_one_line(error)})") from None
    if not isinstance(array, np.ndarray):
        array.close()
        raise InputError(f"{path}: is an archive; a single array in a .npy file is needed")
    return array


@contextmanager
def new_array(path, dtype, shape):
    """Writable, memory-mapped .npy file that is complete at the end of the block."""
    with complete_file(path) as temporary:
        array = np.lib.format.open_memmap(temporary, mode="w+", dtype=dtype, shape=shape)
        yield array
        array.flush()
        del array


def save_table(path, table):
    """Write columns of equal length, a dict from name to values, as CSV with a header."""
    with complete_file(path) as temporary, open(temporary, "w", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(table)
        writer.writerows(zip(*(map(_cell, column) for column in table.values()), strict=True))


def _cell(value):
    """A value as text: numbers with all their digits, whole ones without a point."""
    if isinstance(value, str):
        return value
    if np.isnan(value):
        return ""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def load_table(path, numbers=(), words=()):
    """Columns of a CSV file: a dict from name to float array, or to string array.

    A column of numbers and empty cells is one of floats, NaN where it is empty.

    Parameters
    ----------
    path : path of the file
    numbers, words : sequences of str
        Columns that must be there, and hold the one or the other.

    Raises
    ------
    InputError
        If it cannot be read, has no rows, or a column is missing or holds something else.
    """
    try:
        with open(path, newline="") as stream:
            header, *rows = list(csv.reader(stream))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (ValueError, csv.Error, OSError) as error:
        raise InputError(f"{path}: cannot be read as a CSV table ({_one_line(error)})") from None
    missing = [name for name in (*numbers, *words) if name not in header]
    if missing:
        raise InputError(f"{path}: has no column {', '.join(missing)}; it has {', '.join(header)}")
    if not rows or any(len(row) != len(header) for row in rows):
        raise InputError(f"{path}: is damaged or empty: every row must have {len(header)} cells")
    table = {}
    for name, cells in zip(header, zip(*rows, strict=True), strict=True):
        table[name] = np.array(cells) if name in words else _column(cells)
        if name in numbers and table[name].dtype.kind != "f":
            raise InputError(f"{path}: column {name} must hold numbers")
    return table


def _column(cells):
    """Cells as floats if all that are not empty are numbers, else as strings."""
    try:
        numbers = np.array([float(cell) if cell else np.nan for cell in cells])
    except ValueError:
        return np.array(cells)
    return np.array(cells) if np.isnan(numbers).all() else numbers


def save_figure(path, encode, table):
    """Write a figure as PDF and PNG, and the table that was drawn as CSV, side by side.

    Parameters
    ----------
    path : path of the PDF; the others have the same name with another ending
    encode : callable
        From "pdf" or "png" to the bytes of the file.
    table : dict
        What was drawn.
    """
    path = Path(path)
    if path.suffix.lower() != ".pdf":
        raise InputError(f"{path}: the name of a figure must end with .pdf")
    save_table(path.with_suffix(".csv"), table)
    for target, kind in ((path.with_suffix(".png"), "png"), (path, "pdf")):
        with complete_file(target) as temporary:
            temporary.write_bytes(encode(kind))


def _one_line(error):
    return " ".join(str(error).split())
