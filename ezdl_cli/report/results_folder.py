"""Gather what the report shows from a folder of results."""

import csv
import math
from dataclasses import dataclass
from io import BytesIO, StringIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from .. import io
from ..claims import findings
from ..claims.claim_formats import load_findings
from ..errors import InputError
from ..figures import FIGURES, stem
from ..figures.atom_tiles import tile, to_grey


@dataclass(frozen=True)
class DrawnFigure:
    """A figure of the paper that was drawn, with its table."""

    name: str
    png: bytes
    csv: bytes
    rows: list
    """Cells of the table, its header first."""


class StepSummary(NamedTuple):
    """Time and memory of all runs of one kind of pipeline step."""

    name: str
    n_runs: int
    seconds: float
    longest: float
    cpu_seconds: float
    peak_mib: float | None


@dataclass(frozen=True)
class PipelineResults:
    """The results of the pipeline that the report shows."""

    name: str
    findings: list
    figures: list[DrawnFigure]
    dictionaries: list[tuple[str, bytes]]
    """Captions and PNG files, as for `denoised_images`."""
    denoised_images: list[tuple[str, bytes]]
    step_times: list[StepSummary]


def load_results(folder):
    """Read a folder that the pipeline has written; raise InputError if a file is unusable."""
    folder = Path(folder)
    denoised = _first_seeds(folder / "pictures" / "denoising", "png")
    return PipelineResults(
        folder.resolve().name,
        _findings(folder),
        _figures(folder / "figures"),
        _dictionaries(folder / "dictionaries"),
        [(name, io.read_whole(path)) for name, path in denoised],
        _step_times(folder),
    )


def result_files(folder):
    """All files that `load_results` may read."""
    folder = Path(folder)
    subfolders = ("figures", "tables", "dictionaries", "pictures", "benchmarks")
    found = [path for name in subfolders for path in (folder / name).rglob("*") if path.is_file()]
    return [*found, *folder.glob("claims.json")]


def _findings(folder):
    """The findings of claims.json; without that file, the claims are judged now."""
    path = folder / "claims.json"
    return load_findings(path) if path.exists() else findings([folder])


def _figures(folder):
    """The figures of which there are both an image and a table, in the order of the paper."""
    found = []
    for name in FIGURES:
        png, table = (folder / f"{stem(name)}.{kind}" for kind in ("png", "csv"))
        if png.exists() and table.exists():
            content = io.read_whole(table)
            found.append(DrawnFigure(name, io.read_whole(png), content, _cells(table, content)))
    return found


def _cells(path, content):
    """Rows of cells of a CSV file, its header included."""
    try:
        rows = list(csv.reader(StringIO(content.decode("utf-8"))))
    except (ValueError, csv.Error) as error:
        raise InputError(f"{path}: not a CSV table ({error})") from None
    if not rows:
        raise InputError(f"{path}: empty, a CSV table is expected")
    return rows


def _dictionaries(folder):
    """An image of the atoms of each dictionary, for its first seed, without snapshots."""
    images = []
    for name, path in _first_seeds(folder, "npz"):
        dictionary = io.load_dictionary(path)
        try:
            image = Image.fromarray(to_grey(tile(dictionary.pixels, dictionary.grid)))
        except ValueError as error:
            raise InputError(f"{path}: {error}") from None
        stream = BytesIO()
        image.save(stream, "PNG", optimize=True)
        images.append((name, stream.getvalue()))
    return images


def _first_seeds(folder, extension):
    """(name, path) of the files NAME_SEED.extension, for each name the one with the lowest seed."""
    first = {}
    for path in folder.glob(f"*_*.{extension}"):
        name, _, seed = path.stem.rpartition("_")
        if seed.isdecimal():
            first[name] = min(first.get(name, (math.inf, path)), (int(seed), path))
    return [(name, path) for name, (_, path) in sorted(first.items())]


def _step_times(folder):
    """Summaries of all kinds of steps, the longest first."""
    steps = {}
    for path, measured in io.load_step_times(folder).items():
        # tables/gabor/ezdl-0.99_0 is a run of the step tables/gabor; tables/epochs is its own step.
        parent = path.rpartition("/")[0]
        steps.setdefault(path if parent in ("", "tables") else parent, []).append(measured)
    summaries = []
    for name, runs in steps.items():
        seconds, cpu_seconds, peaks = (
            [value for run in runs if not math.isnan(value := getattr(run, field))]
            for field in ("seconds", "cpu_seconds", "peak_mib")
        )
        total = (sum(seconds), max(seconds), sum(cpu_seconds), max(peaks, default=None))
        summaries.append(StepSummary(name, len(runs), *total))
    return sorted(summaries, key=lambda step: -step.seconds)
