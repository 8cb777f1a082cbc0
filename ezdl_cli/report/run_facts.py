"""What was run on which photographs, in a few lines for the top of the report."""

from ..durations import format_duration
from ..images.collection import SETS

PURPOSES = {"train": "to learn from", "reproduce": "to reproduce", "denoise": "to denoise"}


def run_facts(results, configuration):
    """Return pairs of a heading and a text; what is unknown is left out."""
    facts = {
        "Photographs": _photographs(results.photographs),
        "Training": _training(configuration),
        "Dictionaries": f"{len(results.dictionaries)} kinds" if results.dictionaries else "",
        "Time": _time(results.step_times, configuration.get("cores")),
    }
    return [(heading, text) for heading, text in facts.items() if text]


def _photographs(manifest):
    if manifest is None:
        return ""
    sets = [entry.file.partition("/")[0] for entry in manifest.entries]
    counts = ", ".join(f"{sets.count(name)} {PURPOSES[name]}" for name in SETS if sets.count(name))
    return f"{manifest.source}: {counts}" if manifest.source else counts


def _training(configuration):
    training = configuration.get("training")
    try:
        n_atoms = training["grid_side"] ** 2
        epochs, samples = int(training["epochs"]), int(training["samples_per_epoch"])
    except (LookupError, TypeError, ValueError):  # no configuration, or one of something else
        return ""
    return f"{epochs} epochs of {samples} samples, {n_atoms} atoms (paper: 1000 epochs)"


def _time(step_times, cores):
    if not step_times:
        return ""
    total = format_duration(sum(step.cpu_seconds for step in step_times))
    return f"{total} of CPU time" + (f", on {cores} cores" if isinstance(cores, int) else "")
