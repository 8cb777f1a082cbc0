"""The history of benchmarks: a line of JSON for each run, oldest first.

A run is added by writing the whole file anew and renaming it, so that a line is there as a whole or
not at all, whatever happens. Lines that are damaged all the same are reported, and set aside in a
file beside the history when the next run is added.
"""

import json
import os
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from ..errors import InputError
from ..io.atomic_files import complete_file
from ..io.paths import check_source, check_target

FORMAT = 1
LONGEST_LINE = 1 << 24
# What a line must have, and of what type.
PARTS = {"time": str, "suite": str, "machine": dict, "versions": dict, "groups": dict}
NUMBERS = ("seconds", "load")
NUMBERS_OF_TIMES = ("least", "median", "spread", "turns")
ESCAPED = b"\\ud"
SHORTEST, LARGEST = 1e-15, 1e15  # beyond them, numbers are no ratios, times or qualities


@dataclass(frozen=True)
class History:
    """What is in a history."""

    runs: list = field(default_factory=list)
    """Dicts, in the order in which they were added."""
    damaged: list = field(default_factory=list)
    """Numbers of the lines that cannot be read, from 1."""


def load_history(path):
    """All runs of a history; one that does not exist has none.

    Raises
    ------
    InputError
        If it is no file, or cannot be read.
    """
    if not Path(path).exists():
        return History()
    check_source(path)
    history = History()
    for number, line in _lines(path):
        run = _parse(line)
        if run is None:
            history.damaged.append(number)
        else:
            history.runs.append(run)
    return history


def check_history_target(path):
    """Where a history can be kept: the path, or what it links to.

    Better before the measurements than after them.

    Raises
    ------
    InputError
        If it cannot be written there.
    """
    place = check_target(path)
    for one in (place, place.parent):
        if one.exists() and not os.access(one, os.W_OK):
            raise InputError(f"{one}: must not be written to; give another --history")
    return place


def add_run(path, run):
    """Add a run to a history, which is made if there is none.

    Returns
    -------
    path of the file in which damaged lines were set aside, or None if there were none
    """
    path = check_history_target(path)
    damaged = {number for number, line in _lines(path) if _parse(line) is None}
    aside = path.with_name(f"{path.name}.damaged") if damaged else None
    if aside is not None:
        lost = (one for one in _lines(path) if one[0] in damaged)
        _write(aside, chain(_lines(aside), lost))
    kept = (one for one in _lines(path) if one[0] not in damaged)
    _write(path, chain(kept, [(None, history_line(run).encode())]))
    return aside


def _write(path, lines):
    """Write lines, each of which comes with its number."""
    with complete_file(path) as temporary, open(temporary, "wb") as stream:
        for _, line in lines:
            stream.write(line.rstrip(b"\r\n") + b"\n")


def history_line(run):
    """A run as a line of a history."""
    return json.dumps({"format": FORMAT, **run}, allow_nan=False)


def _lines(path):
    """Lines with their numbers, without empty ones; overlong ones come in parts."""
    if not Path(path).exists():
        return
    with open(path, "rb") as stream:
        for number, line in enumerate(iter(lambda: stream.readline(LONGEST_LINE), b""), 1):
            if line.strip():
                yield number, line


def _parse(line):
    """A run, or None if the line is damaged."""
    try:
        run = json.loads(line)
        if ESCAPED in line.lower():  # half a letter cannot be written again
            json.dumps(run, ensure_ascii=False).encode()
        return run if _is_run(run) else None
    except (ValueError, RecursionError):
        return None


def _is_run(run):
    """Whether something has the form of a run."""
    if not isinstance(run, dict) or run.get("format") != FORMAT:
        return False
    if not all(isinstance(run.get(key), kind) for key, kind in PARTS.items()):
        return False
    if not isinstance(run["machine"].get("id"), str):
        return False
    if not all(_is_number(run.get(key)) for key in NUMBERS):
        return False
    return all(map(_is_group, run["groups"].values()))


def _is_group(group):
    """Whether something has the form of a group: measured, or failed."""
    if not isinstance(group, dict):
        return False
    if isinstance(group.get("error"), str):
        return True
    parts = {"things": str, "times": dict, "qualities": dict}
    if not all(isinstance(group.get(key), kind) for key, kind in parts.items()):
        return False
    times, qualities = group["times"], group["qualities"]
    return (
        all(map(_is_time, times.values()))
        and all(map(_is_quality, qualities.values()))
        and times.keys().isdisjoint(qualities)
    )


def _is_time(one):
    return (
        isinstance(one, dict)
        and isinstance(one.get("kind"), str)
        and all(_is_number(one.get(key)) for key in NUMBERS_OF_TIMES)
        and isinstance(one.get("ratios", {}), dict)
        and ("ratios" in one or one["kind"] != "ours")
        and all(_is_number(ratio) and ratio > SHORTEST for ratio in one.get("ratios", {}).values())
    )


def _is_quality(one):
    return (
        isinstance(one, dict)
        and isinstance(one.get("unit"), str)
        and "value" in one
        and (one["value"] is None or _is_number(one["value"]))
    )


def _is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST
