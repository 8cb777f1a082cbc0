"""What Snakemake has measured of each step of the pipeline, in the folder `benchmarks`."""

import csv
import math
from dataclasses import dataclass
from pathlib import Path

from .tables import bounded_lines


@dataclass(frozen=True)
class Benchmark:
    """Time and memory of a step; NaN for what is not known."""

    seconds: float
    cpu_seconds: float
    peak_mib: float


def load_benchmarks(folder):
    """Benchmarks of a result folder, by the path of their file below `benchmarks`, no ending.

    Files that cannot be read are left out: they are written while a step runs.
    """
    root = Path(folder) / "benchmarks"
    found = {}
    for path in sorted(root.rglob("*.tsv")):
        benchmark = load_benchmark(path)
        if benchmark is not None:
            found[path.relative_to(root).with_suffix("").as_posix()] = benchmark
    return found


def load_benchmark(path):
    """A benchmark, or None if there is none that can be read."""
    try:
        with open(path, newline="", encoding="utf-8") as stream:
            row = next(iter(csv.DictReader(bounded_lines(stream), delimiter="\t")), {})
    except (OSError, ValueError, csv.Error):
        return None
    seconds = _number(row.get("s"))
    if not math.isfinite(seconds):
        return None
    return Benchmark(seconds, _number(row.get("cpu_time")), _number(row.get("max_rss")))


def _number(cell):
    try:
        return float(cell)
    except (TypeError, ValueError):
        return math.nan
