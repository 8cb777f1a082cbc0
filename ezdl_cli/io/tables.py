"""Tables as CSV files, and figures with the table that they show."""

import csv
import sys
from contextlib import ExitStack
from itertools import islice, product
from pathlib import Path

import numpy as np

from ..errors import InputError, one_line
from .atomic_files import complete_file
from .paths import check_source, check_target

# Tables are parsed in chunks: cells as strings take ten times the memory of numbers.
CHUNK_ROWS = 1 << 14
# Values of columns that older tables lack.
OLDER_TABLES = {"channels": 1.0, "noisy": "float", "results": "8-bit", "samples_per_epoch": np.nan}
MAX_LINE = 1 << 20  # characters; rows of all tables of the pipeline have less than a thousand


def save_table(path, table):
    """Write columns of equal length, a dict from name to values, as CSV with a header."""
    with complete_file(path) as temporary:
        _write_table(temporary, table)


def _write_table(path, table):
    with open(path, "w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(table)
        writer.writerows(zip(*(map(_cell, column) for column in table.values()), strict=True))


def _cell(value):
    """Return a value as text: numbers with all digits, integers without a decimal point."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, int | np.integer):  # of any size
        return str(int(value))
    if np.isnan(value):
        return ""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def load_table(path, numbers=(), words=(), maybe_words=()):
    """Read the columns of a CSV file as a dict from name to array of floats or strings.

    A column of numbers and empty cells is an array of floats, with NaN for empty cells; any other
    is an array of Python strings (dtype object).

    Parameters
    ----------
    path : path of the file
    numbers, words : sequences of str
        Required columns of floats and of strings.
    maybe_words : sequence of str
        Optional columns of strings.

    Raises
    ------
    InputError
        If it cannot be read, has no rows, or a column is missing or of the wrong type.
    """
    check_source(path)
    try:
        with open(path, newline="", encoding="utf-8-sig") as stream:  # with or without a BOM
            table = _read_table(stream, (*numbers, *words), {*words, *maybe_words})
            wrong = [name for name in numbers if table[name].dtype.kind != "f"]
            if wrong:
                raise ValueError(f"column {wrong[0]} must hold numbers")
    except (ValueError, csv.Error, OSError) as error:
        raise InputError(f"{path}: not a valid CSV table ({one_line(error)})") from None
    return table


def _read_table(stream, required, as_strings):
    """Read an open file; raise ValueError if a row or one of the required columns is missing."""
    lines = csv.reader(bounded_lines(stream))
    header = next(lines, None)
    if header is None:
        raise ValueError("it is empty")
    missing = [name for name in required if name not in header]
    if missing:
        raise ValueError(f"no column {', '.join(missing)}; it has {', '.join(header)}")
    chunks = {name: [] for name in header}
    while rows := list(islice(lines, CHUNK_ROWS)):
        if any(len(row) != len(header) for row in rows) or len(chunks) < len(header):
            raise ValueError(f"every row must have {len(header)} cells, under different names")
        for name, cells in zip(header, zip(*rows, strict=True), strict=True):
            chunks[name].append(_strings(cells) if name in as_strings else _numbers(cells))
    if not header or not chunks[header[0]]:
        raise ValueError("it has no rows")
    mixed = {name for name in header if len({chunk.dtype for chunk in chunks[name]}) > 1}
    if mixed:  # numbers before the first string must be strings as well, as they were written
        stream.seek(0)
        return _read_table(stream, required, as_strings | mixed)
    return {name: _without_nan(np.concatenate(chunks[name])) for name in header}


def _numbers(cells):
    """Return cells as floats, NaN if empty; as strings if that is impossible."""
    try:
        return np.array([float(cell) if cell else np.nan for cell in cells])
    except ValueError:
        return _strings(cells)


def _strings(cells):
    """Return cells as Python strings, equal ones shared.

    An array of numpy's strings would reserve the length of the longest for each.
    """
    return np.array([sys.intern(cell) for cell in cells], dtype=object)


def _without_nan(column):
    """Return a column without any number as one of empty strings."""
    empty = column.dtype.kind == "f" and np.isnan(column).all()
    return np.full(column.size, "", object) if empty else column


def load_tables(paths, numbers=(), words=(), maybe_words=()):
    """Read the rows of several CSV files, as `load_table`; all must have the same columns.

    Those that were added to a kind of table later are filled in where they are missing.
    """
    tables = [load_table(path, numbers, words, maybe_words) for path in paths]
    added = [name for name in OLDER_TABLES if any(name in table for table in tables)]
    for table, name in product(tables, added):
        if name not in table:
            size, value = next(iter(table.values())).size, OLDER_TABLES[name]
            table[name] = np.full(size, value, object if isinstance(value, str) else float)
    for path, table in zip(paths, tables, strict=True):
        if set(table) != set(tables[0]):
            raise InputError(f"{path}: its columns differ from those of {paths[0]}")
    return {name: _concatenate([table[name] for table in tables]) for name in tables[0]}


def _concatenate(columns):
    """Join columns; those of empty strings become NaN next to numbers."""
    if any(column.dtype.kind == "f" for column in columns):
        columns = [
            np.full(column.size, np.nan) if column.dtype.kind == "O" and not any(column) else column
            for column in columns
        ]
    return np.concatenate(columns)


def bounded_lines(stream):
    """Yield the lines of an open file; raise ValueError before reading one that is too long."""
    for line in iter(lambda: stream.readline(MAX_LINE), ""):
        if len(line) == MAX_LINE:
            raise ValueError(f"it has a line of {MAX_LINE} characters or more")
        yield line


def save_figure(path, images, table):
    """Write a figure as PDF, PNG and SVG, and its table as CSV under the same name.

    `path` is that of the PDF; `images` has the bytes of the images, by "pdf", "png" and "svg".
    """
    check_target(path, ".pdf")
    with ExitStack() as files:
        temporary = {
            kind: files.enter_context(complete_file(Path(path).with_suffix(f".{kind}")))
            for kind in ("csv", "svg", "png", "pdf")
        }
        _write_table(temporary["csv"], table)
        for kind, content in images.items():
            temporary[kind].write_bytes(content)
