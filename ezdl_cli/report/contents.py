"""What the report shows, gathered from a result folder."""

import math
from csv import Error as CSVError
from csv import reader
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from pathlib import Path

from PIL import Image

from .. import io
from ..claims import findings
from ..claims.writing import from_json
from ..errors import InputError, one_line
from ..figures import FIGURES, stem
from ..figures.atom_tiles import tile, to_grey


@dataclass(frozen=True)
class DrawnFigure:
    """A figure of the paper, as it was drawn."""

    name: str
    stem: str
    png: bytes
    csv: bytes
    rows: list
    """The cells of the table, those of its header first."""


@dataclass
class Times:
    """Time and memory of all steps of a kind."""

    kind: str
    benchmarks: list = field(default_factory=list)

    @property
    def seconds(self):
        """In all."""
        return sum(one.seconds for one in self.benchmarks)

    def numbers(self):
        """How often, seconds in all, the longest, seconds of the processor, the most memory."""
        cpu = sum(one.cpu_seconds for one in self.benchmarks if not math.isnan(one.cpu_seconds))
        memory = [one.peak_mib for one in self.benchmarks if not math.isnan(one.peak_mib)]
        longest = max(one.seconds for one in self.benchmarks)
        texts = (f"{self.seconds:.1f}", f"{longest:.1f}", f"{cpu:.1f}")
        return (f"{len(self.benchmarks)}", *texts, f"{max(memory):.0f}" if memory else "")


@dataclass(frozen=True)
class Contents:
    """All that the report shows."""

    name: str
    configuration: dict
    found: list
    figures: list
    dictionaries: list
    crops: list
    times: list


def gather(folder, configuration):
    """The contents of the report of a result folder."""
    folder = Path(folder)
    return Contents(
        folder.resolve().name,
        configuration,
        _findings(folder),
        _figures(folder / "figures"),
        _dictionaries(folder / "dictionaries"),
        _crops(folder / "pictures" / "denoising"),
        _times(folder),
    )


def result_files(folder):
    """All that the report of a result folder may read."""
    folder = Path(folder)
    parts = ("figures", "tables", "dictionaries", "pictures", "benchmarks")
    found = [path for part in parts for path in (folder / part).rglob("*") if path.is_file()]
    return [*found, *folder.glob("claims.json")]


def _findings(folder):
    """Those of claims.json, or new ones where that is missing."""
    path = folder / "claims.json"
    if not path.exists():
        return findings([folder])
    try:
        return from_json(io.read_json(path))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read ({one_line(error)})") from None


def _figures(folder):
    found = []
    for name in FIGURES:
        png, csv = (folder / f"{stem(name)}.{kind}" for kind in ("png", "csv"))
        if png.exists() and csv.exists():
            content = io.read_whole(csv)
            rows = _rows(csv, content)
            found.append(DrawnFigure(name, stem(name), io.read_whole(png), content, rows))
    return found


def _rows(path, content):
    try:
        rows = list(reader(StringIO(content.decode("utf-8"))))
    except (ValueError, CSVError) as error:
        raise InputError(f"{path}: cannot be read as a CSV table ({error})") from None
    if not rows:
        raise InputError(f"{path}: is empty")
    return rows


def _dictionaries(folder):
    """A picture of each dictionary, without its repeats and snapshots."""
    pictures = []
    for name, path in _first_seeds(folder, "npz"):
        dictionary = io.load_dictionary(path)
        try:
            picture = Image.fromarray(to_grey(tile(dictionary.pixels, dictionary.grid)))
        except ValueError as error:
            raise InputError(f"{path}: {error}") from None
        stream = BytesIO()
        picture.save(stream, "PNG", optimize=True)
        pictures.append((name, stream.getvalue()))
    return pictures


def _crops(folder):
    return [(name, io.read_whole(path)) for name, path in _first_seeds(folder, "png")]


def _first_seeds(folder, kind):
    """Files called NAME_SEED.kind, of each name the one with the least seed: (name, path)."""
    first = {}
    for path in folder.glob(f"*_*.{kind}"):
        name, _, seed = path.stem.rpartition("_")
        if seed.isdecimal():
            first[name] = min(first.get(name, (math.inf, path)), (int(seed), path))
    return [(name, path) for name, (_, path) in sorted(first.items())]


def _times(folder):
    kinds = {}
    for name, benchmark in io.load_benchmarks(folder).items():
        kind = name.rpartition("/")[0]
        kind = name if kind in ("", "tables") else kind
        kinds.setdefault(kind, Times(kind)).benchmarks.append(benchmark)
    return sorted(kinds.values(), key=lambda times: -times.seconds)
