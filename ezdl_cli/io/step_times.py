"""Times of the pipeline's steps: `benchmarks/*.tsv`, written by Snakemake."""

import csv
import math
from dataclasses import dataclass
from pathlib import Path

from .tables import bounded_lines


@dataclass(frozen=True)
class StepTime:
    """Time and memory of a step; NaN for what is unknown."""

    seconds: float
    cpu_seconds: float
    peak_mib: float


def load_step_times(folder):
    """Return the times of all steps of a results folder, by path below `benchmarks` without suffix.

    Files that cannot be read are left out: Snakemake writes them while a step runs.
    """
    root = Path(folder) / "benchmarks"
    times = {path: load_step_time(path) for path in sorted(root.rglob("*.tsv"))}
    return {
        path.relative_to(root).with_suffix("").as_posix(): time
        for path, time in times.items()
        if time is not None
    }


def load_step_time(path):
    """Return the time of a step, or None if it cannot be read."""
    try:
        with open(path, newline="", encoding="utf-8") as stream:
            row = next(iter(csv.DictReader(bounded_lines(stream), delimiter="\t")), {})
    except (OSError, ValueError, csv.Error):
        return None
    time = StepTime(*(_number(row.get(name)) for name in ("s", "cpu_time", "max_rss")))
    return time if math.isfinite(time.seconds) else None


def _number(cell):
    try:
        return float(cell)
    except (TypeError, ValueError):
        return math.nan
