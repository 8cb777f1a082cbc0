"""Examples of denoising of several dictionaries, arranged to be compared with the noisy image."""

from dataclasses import dataclass
from io import BytesIO

from PIL import Image


@dataclass(frozen=True)
class DenoisedResult:
    """What a dictionary made of a noisy image."""

    title: str
    png: bytes
    psnr: float
    """In dB, of the complete image; infinite for the original."""


@dataclass(frozen=True)
class DenoisingComparison:
    """A noisy image and what several dictionaries made of it; the original comes last."""

    sigma: float
    noisy: bytes
    psnr: float
    results: list[DenoisedResult]


def compare_examples(examples, titles):
    """Return a comparison for each noisy image, in the order of the noise levels.

    Parameters
    ----------
    examples : list of (str, list of DenoisingExample)
        Names of files without their seed, RULES-DICTIONARY, and their content.
    titles : dict
        Titles of dictionaries by their names.
    """
    several_rules = len({name.partition("-")[0] for name, _ in examples}) > 1
    groups = {}
    for name, rows in examples:
        rules, _, dictionary = name.partition("-")
        title = titles.get(dictionary, dictionary) + (f", {rules} rules" if several_rules else "")
        for one in rows:
            key = (one.sigma, one.crops[1].tobytes())
            groups.setdefault(key, []).append((title, one))
    return [_comparison(groups[key]) for key in sorted(groups, key=lambda key: key[0])]


def _comparison(results):
    """Return the comparison of the results of one noisy image."""
    _, first = results[0]
    original, noisy, _ = first.crops
    return DenoisingComparison(
        first.sigma,
        _png(noisy),
        first.psnr[0],
        [DenoisedResult(title, _png(one.crops[2]), one.psnr[1]) for title, one in results]
        + [DenoisedResult("Original", _png(original), float("inf"))],
    )


def _png(pixels):
    stream = BytesIO()
    Image.fromarray(pixels).save(stream, "PNG", optimize=True)
    return stream.getvalue()
