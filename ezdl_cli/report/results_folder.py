"""Gather what the report shows from a folder of results."""

import csv
import math
from dataclasses import dataclass
from io import BytesIO, StringIO
from pathlib import Path

from PIL import Image

from .. import io
from ..claims import findings
from ..claims.claim_formats import load_findings
from ..errors import InputError
from ..figures import FIGURES, stem
from ..figures.atom_tiles import tile, to_grey
from .dictionary_titles import atom_size, dictionary_title
from .restoration_comparisons import (
    RestorationComparison,
    compare_examples,
    denoising_titles,
)
from .step_summaries import StepSummary, step_summaries
from .thumbnails import thumbnail

FORMATS = ("svg", "pdf", "png", "csv")


@dataclass(frozen=True)
class DrawnFigure:
    """A figure of the paper that was drawn, with its table."""

    name: str
    files: dict
    """Content of its files, by format; `png` and `csv` are always there."""
    rows: list
    """Cells of the table, its header first."""
    thumbnail: bytes
    """A small version, as a PNG image."""

    @property
    def shown_format(self):
        """The format that it is shown in: SVG, or PNG in results of earlier versions."""
        return "svg" if "svg" in self.files else "png"


@dataclass(frozen=True)
class DictionaryPicture:
    """The atoms of a dictionary as a PNG image."""

    name: str
    title: str
    size: str
    png: bytes


@dataclass(frozen=True)
class PipelineResults:
    """The results of the pipeline that the report shows."""

    name: str
    findings: list
    figures: list[DrawnFigure]
    dictionaries: list[DictionaryPicture]
    comparisons: list[RestorationComparison]
    step_times: list[StepSummary]
    photographs: io.Manifest | None
    """None if the folder `data` is not beside the results."""
    configuration: dict
    """Configuration of the pipeline, and its number of cores; empty if it is not known."""


def load_results(folder):
    """Read a folder that the pipeline has written; raise InputError if a file is unusable."""
    folder = Path(folder)
    dictionaries = _dictionaries(folder / "dictionaries")
    return PipelineResults(
        folder.resolve().name,
        _findings(folder),
        _figures(folder / "figures"),
        dictionaries,
        _comparisons(folder / "pictures", {one.name: one.title for one in dictionaries}),
        step_summaries(io.load_step_times(folder)),
        io.find_manifest(photographs_folder(folder)),
        io.load_run_configuration(folder),
    )


def photographs_folder(folder):
    """Return where the pipeline keeps the photographs of a results folder."""
    folder = folder.resolve()
    return folder.parent.parent / "data" / folder.name / "images"


def result_files(folder):
    """All files that `load_results` may read."""
    folder = Path(folder)
    subfolders = ("figures", "tables", "dictionaries", "pictures", "benchmarks")
    found = [path for name in subfolders for path in (folder / name).rglob("*") if path.is_file()]
    photographs = photographs_folder(folder) / io.MANIFEST
    return [*found, *folder.glob("claims.json"), *folder.glob(io.CONFIGURATION), photographs]


def _findings(folder):
    """The findings of claims.json; without that file, the claims are judged now."""
    path = folder / "claims.json"
    return load_findings(path) if path.exists() else findings([folder])


def _figures(folder):
    """The figures of which there are both an image and a table, in the order of the paper."""
    found = []
    for name in FIGURES:
        paths = {kind: folder / f"{stem(name)}.{kind}" for kind in FORMATS}
        files = {kind: io.read_whole(path) for kind, path in paths.items() if path.exists()}
        if {"png", "csv"} <= files.keys():
            rows = _cells(paths["csv"], files["csv"])
            found.append(DrawnFigure(name, files, rows, thumbnail(paths["png"], files["png"])))
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
    pictures = []
    for name, path in _first_seeds(folder, "npz"):
        dictionary = io.load_dictionary(path)
        try:
            image = Image.fromarray(to_grey(tile(dictionary.pixels, dictionary.grid)))
        except ValueError as error:
            raise InputError(f"{path}: {error}") from None
        stream = BytesIO()
        image.save(stream, "PNG", optimize=True)
        texts = (dictionary_title(dictionary), atom_size(dictionary))
        pictures.append(DictionaryPicture(name, *texts, stream.getvalue()))
    return pictures


def _comparisons(folder, titles):
    """The comparisons of denoised images, and of images restored in other ways."""
    denoised, restored = (
        [
            (name, io.load_restoration_examples(path))
            for name, path in _first_seeds(folder / subfolder, "png")
        ]
        for subfolder in ("examples", "restored")
    )
    named = [(titles.get(name, name), content) for name, content in restored]
    return compare_examples([*denoising_titles(denoised, titles), *named])


def _first_seeds(folder, extension):
    """(name, path) of the files NAME_SEED.extension, for each name the one with the lowest seed."""
    first = {}
    for path in folder.glob(f"*_*.{extension}"):
        name, _, seed = path.stem.rpartition("_")
        if seed.isdecimal():
            first[name] = min(first.get(name, (math.inf, path)), (int(seed), path))
    return [(name, path) for name, (_, path) in sorted(first.items())]
