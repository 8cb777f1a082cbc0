"""How much work each rule of the pipeline does, to which the time of its steps is proportional."""

import math
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from .. import io
from ..errors import InputError
from ..images.collection import SETS
from ..images.finding import files_below, is_image
from ..images.mcgill import COLLECTIONS
from .trained_dictionaries import Plan

MCGILL_MEGAPIXELS = 0.768 * 0.576  # of each photograph of the paper
MIN_BATCH = 1 << 17  # entries of short vectors that are timed together


class Photographs(NamedTuple):
    """Numbers of photographs of each set, and their megapixels in total."""

    counts: dict
    megapixels: dict

    def cropped(self, name, config):
        """Return the megapixels of a set that are used: `crop` in a part of the configuration."""
        crop = config["crop"] or math.inf
        return min(self.megapixels[name], self.counts[name] * crop**2 / 1e6)


def find_photographs(config):
    """Return the photographs of a profile.

    They are those that the pipeline has imported, or those of the folder; if that does not exist,
    those of the paper; None for built-in ones that were not imported yet.
    """
    try:
        manifest = io.load_manifest(Path("data", config["profile"], "images"))
        sizes = [
            (entry.file.split("/")[0], entry.width * entry.height / 1e6)
            for entry in manifest.entries
        ]
        return _totals(sizes)
    except (InputError, TypeError):  # there is no manifest, or it has no sizes
        pass
    if config["images"] == "builtin":
        return None
    folder = Path(config["images"])
    if folder.is_dir():
        return _totals([(name, _megapixels(path)) for name, path in _files(folder)])
    counts = {name: count for name, (_, count, _) in COLLECTIONS.items()}
    megapixels = {name: count * MCGILL_MEGAPIXELS for name, count in counts.items()}
    return Photographs(counts, megapixels)


def step_work(config, photographs):
    """Return the amount of work of a step of each rule, in units of the rule's own.

    Rules that always do the same are left out, and so are those that depend on photographs if
    these are None.
    """
    plan, training, projections = Plan(config), config["training"], config["projections"]
    samples = training["epochs"] * training["samples_per_epoch"]
    exponents = range(projections["first_exponent"], projections["last_exponent"] + 1)
    n_vectors = projections["vectors"]
    work = {
        "train": samples,
        "train_with_snapshots": samples,
        "train_with_activity": samples,
        "evaluations_table": sum(
            min(n_vectors << i, max(projections["max_entries"], 5 << i)) for i in exponents
        ),
        "speedups_table": projections["repeats"] * sum(max(1 << i, MIN_BATCH) for i in exponents),
        "epochs_table": training["samples_per_epoch"],
        "gabor_table": plan.grid_side**2,
        "gabor_table_of_grid": plan.grid_side**2,
    }
    if photographs is None:
        return work
    counts, megapixels = photographs
    patches = counts["train"] * config["patches"]["per_image"]
    reproduction, denoising = config["reproduction"], config["denoising"]
    reproduced = photographs.cropped("reproduce", reproduction)
    denoised = photographs.cropped("denoise", denoising)
    restored = photographs.cropped("denoise", config["restoration"])
    return work | {
        "images": sum(megapixels.values()),
        "patches": patches,
        "whitened": patches,
        "reproduction_table": reproduced * plan.n_iterations * len(reproduction["inference"]),
        "iterations_table": reproduced * max(plan.iterations),
        "history_table": reproduced * plan.n_iterations * len(plan.epochs),
        "full_gradient_table": reproduced * plan.n_iterations,
        "denoising_table": denoised * len(denoising["levels"]) * denoising["repeats"],
        "restoration_table": restored * plan.n_degradations,
    }


def _totals(sizes):
    """Return numbers and megapixels from pairs of a set and the megapixels of a photograph."""
    by_set = {name: [size for one, size in sizes if one == name] for name in SETS}
    return Photographs(
        {name: len(found) for name, found in by_set.items()},
        {name: sum(found) for name, found in by_set.items()},
    )


def _files(folder):
    """Yield the sets and the paths of the image files in a folder of photographs."""
    for name in SETS:
        for path in files_below(folder / name) if (folder / name).is_dir() else ():
            if is_image(path.name):
                yield name, path


def _megapixels(path):
    """Return the size of an image by its header; 0 if it has none that can be read."""
    try:
        with Image.open(path) as image:
            return image.width * image.height / 1e6
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return 0.0
