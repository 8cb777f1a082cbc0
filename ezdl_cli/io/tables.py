"""Tables as CSV files, and figures with the table that was drawn."""

import csv
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import numpy as np

from ..errors import InputError, one_line
from .atomic_files import complete_file
from .paths import check_source

ROWS_AT_ONCE = 1 << 14
LONGEST_LINE = 1 << 20


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
    """A value as text: numbers with all their digits, whole ones without a point."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, int | np.integer):  # of any size
        return str(int(value))
    if np.isnan(value):
        return ""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def load_table(path, numbers=(), words=(), maybe_words=()):
    """Columns of a CSV file: a dict from name to array of floats, or of strings (objects).

    A column of numbers and empty cells is one of floats, NaN where it is empty.

    Parameters
    ----------
    path : path of the file
    numbers, words : sequences of str
        Columns that must be there, and hold the one or the other.
    maybe_words : sequence of str
        Columns that hold words if they are there.

    Raises
    ------
    InputError
        If it cannot be read, has no rows, or a column is missing or holds something else.
    """
    check_source(path)
    try:
        with open(path, newline="", encoding="utf-8-sig") as stream:  # with or without a mark
            return _read_table(path, stream, numbers, words, maybe_words)
    except InputError:
        raise
    except (ValueError, csv.Error, OSError) as error:
        raise InputError(f"{path}: cannot be read as a CSV table ({one_line(error)})") from None


def _read_table(path, stream, numbers, words, maybe_words):
    """Columns of an open file, some rows at a time: cells take ten times more than numbers."""
    lines = csv.reader(bounded_lines(stream))
    header = next(lines, None)
    if header is None:
        raise ValueError("it is empty")
    missing = [name for name in (*numbers, *words) if name not in header]
    if missing:
        raise InputError(f"{path}: has no column {', '.join(missing)}; it has {', '.join(header)}")
    as_words = {*words, *maybe_words}
    parts, known = [[] for _ in header], {}
    for rows in iter(lambda: list(islice(lines, ROWS_AT_ONCE)), []):
        if any(len(row) != len(header) for row in rows):
            parts = []
            break
        for name, part, cells in zip(header, parts, zip(*rows, strict=True), strict=True):
            part.append(_words(cells, known) if name in as_words else _column(cells, known))
    if not parts or not parts[0]:
        raise InputError(f"{path}: is damaged or empty: every row must have {len(header)} cells")
    mixed = [name for name, part in zip(header, parts, strict=True) if _is_mixed(part)]
    if mixed:  # words after many numbers, which must be words as they stood
        stream.seek(0)
        return _read_table(path, stream, numbers, words, (*maybe_words, *mixed))
    table = {}
    for name, part in zip(header, parts, strict=True):
        table[name] = _together(part)
        if name in numbers and table[name].dtype.kind != "f":
            raise InputError(f"{path}: column {name} must hold numbers")
    return table


def _is_mixed(parts):
    """Whether some parts of a column are numbers and others have words."""
    numbers = [part.dtype.kind == "f" for part in parts]
    return any(numbers) and any(
        any(part) for part, is_number in zip(parts, numbers, strict=True) if not is_number
    )


def load_tables(paths, numbers=(), words=()):
    """The rows of one or several CSV files, as `load_table`; all must have the same columns."""
    tables = [load_table(path, numbers, words) for path in paths]
    for path, table in zip(paths, tables, strict=True):
        if set(table) != set(tables[0]):
            raise InputError(f"{path}: has other columns than {paths[0]}")
    return {name: _together([table[name] for table in tables]) for name in tables[0]}


def _together(columns):
    """Parts of a column, one after the other; those without a word are of NaN beside numbers."""
    if any(column.dtype.kind == "f" for column in columns):
        columns = [
            np.full(column.size, np.nan) if column.dtype.kind != "f" and not any(column) else column
            for column in columns
        ]
    return np.concatenate(columns)


def _column(cells, known):
    """Cells as floats if all that are not empty are numbers, else as strings."""
    try:
        numbers = np.array([float(cell) if cell else np.nan for cell in cells])
    except ValueError:
        return _words(cells, known)
    return _words(cells, known) if np.isnan(numbers).all() else numbers


def _words(cells, known):
    """Cells as strings, of which each is in memory once: `known`, a dict, has those so far.

    An array of numpy's strings would have as much room for each as the longest needs.
    """
    return np.array([known.setdefault(cell, cell) for cell in cells], dtype=object)


def bounded_lines(stream):
    """The lines of an open file; one that is longer than any of ours is refused, not read."""
    for line in iter(lambda: stream.readline(LONGEST_LINE), ""):
        if len(line) == LONGEST_LINE:
            raise ValueError(f"it has a line of {LONGEST_LINE} letters or more")
        yield line


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
