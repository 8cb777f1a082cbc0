"""What was run on which photographs, in a few lines for the top of the report."""

from ..durations import format_duration
from ..images.collection import SETS
from ..wording import count_of

PAPER_EPOCHS = 1000
PURPOSES = {"train": "to learn from", "reproduce": "to reproduce", "denoise": "to denoise"}


def run_facts(results):
    """Return pairs of a heading and a text; what is unknown is left out."""
    facts = {
        "Photographs": _photographs(results.photographs),
        "Training": _training(results.configuration),
        "Dictionaries": count_of(len(results.dictionaries), "kind") if results.dictionaries else "",
        "Time": _time(results.step_times, results.configuration.get("cores")),
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
        names = ("grid_side", "epochs", "samples_per_epoch")
        side, epochs, samples = (int(training[name]) for name in names)
    except (ArithmeticError, LookupError, TypeError, ValueError):  # unknown, or something else
        return ""
    text = f"{count_of(epochs, 'epoch')} of {samples} samples, {side * side} atoms"
    return f"{text}. {limits_of(epochs)}" if epochs < PAPER_EPOCHS else text


def limits_of(epochs):
    """Return what to expect of a run with fewer epochs than the paper's."""
    this = count_of(epochs, "epoch")
    return (
        f"The paper has {PAPER_EPOCHS} epochs; some claims need more than the {this} of this run."
    )


def _time(step_times, cores):
    if not step_times:
        return ""
    total = format_duration(sum(step.cpu_seconds for step in step_times))
    return f"{total} of CPU time" + (
        f", on {count_of(cores, 'core')}" if isinstance(cores, int) else ""
    )
