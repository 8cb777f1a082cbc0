"""What a run did differently from the paper, by its configuration."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, NamedTuple

MAX_LISTED = 6  # longer lists of values are described by their number and range


@dataclass(frozen=True)
class SetupDifference:
    """A parameter whose value differs from that of the paper."""

    label: str
    here: str
    paper: str
    parts: tuple[str, ...]
    """Initial letters of the ids of the claims that the parameter matters for."""


class Kind(NamedTuple):
    """How values of a kind are compared and described."""

    compared: Callable
    """Function of a value; what it returns is equal if two values mean the same."""
    text: Callable


class PaperValue(NamedTuple):
    """A parameter and its value in the paper."""

    key: str
    """Path in the configuration, such as `training.epochs`."""
    label: str
    value: Any
    parts: str
    """Initial letters of the ids of the claims that it matters for."""
    kind: Kind
    stated: str = ""
    """What the paper states, where it does not give the value itself."""


def _number(value):
    """Return a number as text, its digits in groups of three from five digits on."""
    return f"{value:,}".replace(",", "\N{NO-BREAK SPACE}") if value >= 10000 else f"{value}"


def _listed(values):
    """Return distinct values as text, long lists by their number and range."""
    values = sorted(set(values))
    if not values:
        return "none"
    if len(values) > MAX_LISTED:
        return f"{len(values)} values from {values[0]:g} to {values[-1]:g}"
    return ", ".join(f"{value:g}" for value in values)


def _size(side):
    return f"central {side} × {side} pixels" if side else "whole images"


def _from_mcgill(folder):
    return "mcgill" in PurePosixPath(folder).name.lower()


def _photographs(folder):
    if folder == "builtin":
        return "built-in"
    return "McGill database" if _from_mcgill(folder) else f"other ({PurePosixPath(folder).name})"


def _distinct(values):
    return len(set(values))


NUMBER = Kind(float, _number)
POWER_OF_TWO = Kind(float, lambda exponent: f"2^{exponent:g}")
SQUARE = Kind(float, lambda side: _number(side * side))
VALUES = Kind(lambda values: {float(value) for value in values}, _listed)
HOW_MANY = Kind(_distinct, lambda values: str(_distinct(values)))
SIZE = Kind(float, _size)
FORGETTING = Kind(float, lambda epochs: _number(epochs) if epochs else "length of the run")
PHOTOGRAPHS = Kind(_from_mcgill, _photographs)
RULES = Kind(
    lambda rules: rules in ("authors", "both"),
    {"ezdl": "of this package", "authors": "Mairal et al. 2009", "both": "both"}.__getitem__,
)

PAPER = (
    PaperValue("images", "photographs", "data/mcgill", "DRSNX", PHOTOGRAPHS),
    PaperValue("patches.per_image", "patches per photograph", 10000, "DRSNX", NUMBER),
    PaperValue("patches.components", "components of whitened patches", 128, "D", NUMBER),
    PaperValue("training.epochs", "training epochs", 1000, "DRSNX", NUMBER),
    PaperValue("training.samples_per_epoch", "samples per epoch", 30000, "DRSNX", NUMBER),
    PaperValue("training.grid_side", "atoms", 16, "DRSNX", SQUARE),
    PaperValue(
        "training.forgetting_epochs",
        "epochs of RLS-DLA's forgetting schedule",
        1000,
        "RSNX",
        FORGETTING,
    ),
    PaperValue("reproduction.sparseness", "σ_H of EZDL", [0.75, 0.85, 0.95, 0.99], "RNX", VALUES),
    PaperValue("reproduction.lambdas", "λ of ODL", [0.5, 1, 1.5, 2], "RNX", VALUES),
    PaperValue("reproduction.nonzeros", "ζ of RLS-DLA", [4, 8, 16, 32], "RNX", VALUES),
    PaperValue("reproduction.seeds", "EZDL dictionaries per σ_H", [0, 1, 2, 3, 4], "DR", HOW_MANY),
    PaperValue(
        "reproduction.peer_seeds",
        "ODL and RLS-DLA dictionaries per parameter",
        [0, 1, 2, 3, 4],
        "RS",
        HOW_MANY,
    ),
    PaperValue(
        "reproduction.inference",
        "σ_I in reproduction",
        [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.825, 0.85, 0.875, 0.9, 0.925, 0.95, 0.975, 0.99],
        "R",
        VALUES,
        "varied smoothly from 0.5 to 1",
    ),
    PaperValue(
        "reproduction.iterations",
        "Landweber iterations",
        [1, 2, 5, 10, 20, 50, 100, 200],
        "RS",
        VALUES,
        "up to some hundreds in Fig. 10a, 100 elsewhere",
    ),
    PaperValue("reproduction.crop", "part of the images reproduced", 0, "RS", SIZE),
    PaperValue(
        "gabor.sparseness",
        "σ_H of the dictionaries fitted by Gabor functions",
        [
            *(0.7, 0.725, 0.75, 0.775, 0.8, 0.825, 0.85, 0.875),
            *(0.9, 0.925, 0.95, 0.975, 0.99, 0.995, 0.999),
        ],
        "D",
        VALUES,
        "from 0.7 to 0.999",
    ),
    PaperValue(
        "gabor.seeds", "dictionaries of 16 × 16 pixels per model", [0, 1, 2, 3, 4], "D", HOW_MANY
    ),
    PaperValue("denoising.rules", "rules of denoising", "authors", "N", RULES),
    PaperValue(
        "denoising.levels",
        "noise levels in denoising",
        [2.5 * step for step in range(1, 21)],
        "N",
        VALUES,
    ),
    PaperValue("denoising.repeats", "noisy versions of each image", 5, "N", NUMBER),
    PaperValue("denoising.window", "radius of block matching, in pixels", 32, "N", NUMBER),
    PaperValue("denoising.crop", "part of the images denoised", 0, "N", SIZE),
    PaperValue(
        "denoising.seeds",
        "dictionaries per learner in denoising",
        [0, 1, 2, 3, 4],
        "N",
        HOW_MANY,
    ),
    PaperValue("projections.sparseness", "target sparseness of projections", 0.9, "P", NUMBER),
    PaperValue(
        "projections.initial_sparseness", "sparseness before timed projections", 0.5, "P", NUMBER
    ),
    PaperValue("projections.first_exponent", "smallest dimension n", 2, "P", POWER_OF_TWO),
    PaperValue("projections.last_exponent", "largest dimension n", 30, "P", POWER_OF_TWO),
    PaperValue("projections.vectors", "random vectors per n", 1000, "P", NUMBER),
    PaperValue(
        "projections.max_entries",
        "entries of all random vectors of one n",
        1000 * 2**30,
        "P",
        Kind(lambda limit: limit >= 1000 * 2**30, lambda limit: f"at most {_number(limit)}"),
        "1000 n",
    ),
)


def setup_differences(configuration):
    """Return the parameters whose values differ from those of the paper.

    Parameters
    ----------
    configuration : dict
        Configuration of the pipeline. Missing values are ignored, invalid ones shown as they are.

    Returns
    -------
    list of SetupDifference
    """
    found = []
    for one in PAPER:
        here = _look_up(configuration, one.key)
        if here is not None and not _is_same(one.kind, here, one.value):
            paper = one.stated or one.kind.text(one.value)
            parts = tuple(one.parts)
            found.append(SetupDifference(one.label, _described(one.kind, here), paper, parts))
    return found


def _look_up(configuration, key):
    """Return the value at a path of a nested dictionary; None if there is none."""
    for name in key.split("."):
        configuration = configuration.get(name) if isinstance(configuration, dict) else None
    return configuration


def _is_same(kind, here, paper):
    try:
        return kind.compared(here) == kind.compared(paper)
    except (ArithmeticError, TypeError, ValueError):
        return False


def _described(kind, value):
    try:
        return kind.text(value)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return json.dumps(value, ensure_ascii=False)
