"""The only reader and writer of result files. A file has its name only once it is complete."""

import csv
import hashlib
import os
import shutil
import warnings
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np

from .errors import InputError


def check_target(path):
    """Where a file can be written: the path, or what it links to.

    Raises
    ------
    InputError
        If the folder is missing, or there is something else than a file under this name.
    """
    path = Path(path)
    try:
        path = path.resolve() if path.is_symlink() else path
        if path.is_dir():
            raise InputError(f"{path}: is a folder; give the name of a file")
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: is no ordinary file; give another name")
        if not path.parent.is_dir():
            raise InputError(f"{path}: there is no folder {path.parent}; make it first")
    except (OSError, RuntimeError) as error:
        raise InputError(f"{path}: cannot be written ({_one_line(error)})") from None
    return path


@contextmanager
def complete_file(path):
    """Path of a temporary file in the same folder, which takes the final name at the end.

    If the block fails, the temporary file is removed and an older file stays as it was.
    """
    path = check_target(path)
    tag = hashlib.sha256(os.fsencode(path.name)).hexdigest()[:8]
    temporary = path.with_name(f".ezdl-{tag}-{os.getpid()}.tmp")
    try:
        yield temporary
        if path.exists():
            shutil.copymode(path, temporary)
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
        with open(path, "rb") as stream:
            if stream.read(6) != b"\x93NUMPY":
                raise ValueError("it does not start like one; np.save writes such files")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            array = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except Exception as error:  # a damaged header can raise nearly anything
        raise InputError(f"{path}: cannot be read as a .npy file ({_one_line(error)})") from None
    return array


@contextmanager
def new_array(path, dtype, shape):
    """Writable, memory-mapped .npy file that is complete at the end of the block."""
    with complete_file(path) as temporary:
        array = np.lib.format.open_memmap(temporary, mode="w+", dtype=dtype, shape=shape)
        # Take the room on the disk now: a full disk is an error here, and death by signal later.
        with open(temporary, "r+b") as stream:
            os.posix_fallocate(stream.fileno(), 0, max(1, os.fstat(stream.fileno()).st_size))
        yield array
        array.flush()
        del array


def save_table(path, table):
    """Write columns of equal length, a dict from name to values, as CSV with a header."""
    with complete_file(path) as temporary:
        _write_table(temporary, table)


def _write_table(path, table):
    with open(path, "w", newline="") as stream:
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


def save_figure(path, pictures, table):
    """Write a figure as PDF and PNG, and the table that was drawn as CSV, side by side.

    Parameters
    ----------
    path : path of the PDF; the others have the same name with another ending
    pictures : dict
        The bytes of the files, by "pdf" and "png".
    table : dict
        What was drawn.
    """
    path = Path(path)
    if path.suffix.lower() != ".pdf":
        raise InputError(f"{path}: the name of a figure must end with .pdf")
    with ExitStack() as files:
        temporary = {
            kind: files.enter_context(complete_file(path.with_suffix(f".{kind}")))
            for kind in ("csv", "png", "pdf")
        }
        _write_table(temporary["csv"], table)
        for kind, content in pictures.items():
            temporary[kind].write_bytes(content)


def _one_line(error):
    return " ".join(str(error).split())
