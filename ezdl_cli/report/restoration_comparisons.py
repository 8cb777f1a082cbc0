"""Examples of images restored by several dictionaries, to compare with the degraded one."""

from dataclasses import dataclass
from io import BytesIO

from PIL import Image

from ..experiments.restoration_labels import BASELINES, LABELS, setting_label


@dataclass(frozen=True)
class RestoredResult:
    """What a dictionary, or a baseline, made of a degraded image."""

    title: str
    png: bytes
    psnr: float
    """In dB, of the complete image; infinite for the original."""


@dataclass(frozen=True)
class RestorationComparison:
    """A degraded image and what several dictionaries made of it; the original comes last."""

    task: str
    label: str
    """How the image was degraded, such as σ = 25."""
    degraded: bytes
    psnr: float
    results: list[RestoredResult]


def compare_examples(examples):
    """Return a comparison for each degraded image, by tasks in the order of their settings.

    Parameters
    ----------
    examples : list of (str, list of RestorationExample)
        Titles of dictionaries, and what they restored.
    """
    groups = {}
    for title, rows in examples:
        for one in rows:
            key = (one.task, one.setting, one.crops[1].tobytes())
            groups.setdefault(key, []).append((title, one))
    order = sorted(groups, key=lambda key: (_place(key[0]), key[1]))
    return [_comparison(groups[key]) for key in order]


def denoising_titles(examples, titles):
    """Name the dictionaries of examples of denoising, and the rules if there are several.

    Parameters
    ----------
    examples : list of (str, object)
        Names of files without their seed, RULES-DICTIONARY, and their content.
    titles : dict
        Titles of dictionaries by their names.
    """
    several_rules = len({name.partition("-")[0] for name, _ in examples}) > 1
    named = []
    for name, content in examples:
        rules, _, dictionary = name.partition("-")
        title = titles.get(dictionary, dictionary) + (f", {rules} rules" if several_rules else "")
        named.append((title, content))
    return named


def _place(task):
    """Return the place of a task in the order of the page."""
    return list(LABELS).index(task) if task in LABELS else len(LABELS)


def _comparison(results):
    """Return the comparison of the results of one degraded image."""
    _, first = results[0]
    original, degraded, *others = first.crops
    shown = [RestoredResult(title, _png(one.crops[-1]), one.psnr[-1]) for title, one in results]
    if len(others) > 1:
        title = BASELINES.get(first.task, "Baseline")
        shown.append(RestoredResult(title, _png(others[0]), first.psnr[1]))
    return RestorationComparison(
        first.task,
        setting_label(first.task, first.setting),
        _png(degraded),
        first.psnr[0],
        [*shown, RestoredResult("Original", _png(original), float("inf"))],
    )


def _png(pixels):
    stream = BytesIO()
    Image.fromarray(pixels).save(stream, "PNG", optimize=True)
    return stream.getvalue()
