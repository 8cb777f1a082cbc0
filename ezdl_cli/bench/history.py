"""The benchmark history: one run per line as JSON, oldest first (see docs/formats.md).

A run is added by writing the complete file again and renaming it, so that no line is ever cut
short. Lines that are damaged nevertheless are reported, and moved to a file next to the history
when the next run is added.
"""

import json
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from ..io.atomic_files import complete_file
from ..io.json_formats import validate
from ..io.paths import check_source, check_target
from .interleaved_timing import OURS

FORMAT = 1
MAX_LINE = 1 << 24  # bytes; runs of all suites have less than 100 kB


@dataclass(frozen=True)
class History:
    """Content of a history."""

    runs: list = field(default_factory=list)
    """Dicts that follow io/schemas/bench_run.json, in the order in which they were added."""
    damaged: list = field(default_factory=list)
    """Numbers of the lines that cannot be read, from 1."""


def load_history(path):
    """Read all runs of a history; a file that does not exist has none."""
    history = History()
    if Path(path).exists():
        check_source(path)
    for number, line in _lines(path):
        run = _parse(line)
        if run is None:
            history.damaged.append(number)
        else:
            history.runs.append(run)
    return history


def add_run(path, run):
    """Add a run to a history, which is created if it does not exist.

    Returns
    -------
    path of the file to which damaged lines were moved, or None if there were none
    """
    path = check_target(path)
    damaged = {number for number, line in _lines(path) if _parse(line) is None}
    aside = path.with_name(f"{path.name}.damaged") if damaged else None
    if aside is not None:
        lost = (one for one in _lines(path) if one[0] in damaged)
        _write(aside, chain(_lines(aside), lost))
    intact = (one for one in _lines(path) if one[0] not in damaged)
    _write(path, chain(intact, [(None, history_line(run).encode())]))
    return aside


def _write(path, numbered_lines):
    with complete_file(path) as temporary, open(temporary, "wb") as stream:
        for _, line in numbered_lines:
            stream.write(line.rstrip(b"\r\n") + b"\n")


def history_line(run):
    """Return a run as a line of a history."""
    return json.dumps({"format": FORMAT, **run}, allow_nan=False)


def _lines(path):
    """Yield the lines that are not empty, with their numbers; too long ones come in parts."""
    if not Path(path).exists():
        return
    with open(path, "rb") as stream:
        for number, line in enumerate(iter(lambda: stream.readline(MAX_LINE), b""), 1):
            if line.strip():
                yield number, line


def _parse(line):
    """Return a run, or None if the line is damaged."""
    try:
        run = validate(json.loads(line, parse_constant=_refuse_constant), "bench_run")
        if b"\\ud" in line.lower():  # a lone surrogate could not be printed or written
            json.dumps(run, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return run if all(map(_is_consistent, run["groups"].values())) else None


def _refuse_constant(name):
    raise ValueError(f"{name} is not a valid number in JSON")


def _is_consistent(group):
    """Return whether a group, if it was measured, has what its schema cannot express."""
    times, qualities = group.get("times", {}), group.get("qualities", {})
    compared = all("ratios" in time for time in times.values() if time["kind"] == OURS)
    return compared and times.keys().isdisjoint(qualities)
