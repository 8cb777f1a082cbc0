"""Tables that figures are drawn from: synthetic ones of figures 1 to 5, and summaries."""

import numpy as np
from helpers.observations import all_learners, concatenated, denoised, evaluated, fitted, restored

from ezdl_cli import figures, io
from ezdl_cli.experiments.summaries import SUMMARIES
from ezdl_cli.figures.atom_tiles import to_table


def sparseness_table():
    side = np.linspace(-1, 1, 41)
    first, second = (grid.ravel() for grid in np.meshgrid(side, side))
    length = np.hypot(first, second)
    length[length == 0] = np.nan
    sparseness = (np.sqrt(2) - (abs(first) + abs(second)) / length) / (np.sqrt(2) - 1)
    return {"x1": first, "x2": second, "sparseness": sparseness}


def auxiliary_table():
    rows = [("psi", alpha, 1 - 2 * alpha) for alpha in np.linspace(0, 1, 11)]
    slopes = ((0, -0.1), (0.2, -0.2), (0.4, -0.3), (0.4, -0.1), (0.6, -0.2), (0.7, -0.1), (1, -0.5))
    rows += [("slope", *point) for point in slopes]
    rows += [("entry", entry, 0) for entry in (0.65, 0.4)]
    rows += [("left", 0.4, 0.2), ("root", 0.5, 0), ("right", 0.65, -0.3)]
    quantity, alpha, value = zip(*rows, strict=True)
    return {
        "quantity": np.array(quantity),
        "alpha": np.array(alpha, float),
        "value": np.array(value, float),
    }


def evaluations_table():
    exponents = np.arange(2, 25.0)
    solvers = np.array(["bisection", "newton", "newton_sqr", "halley"])
    slopes = np.repeat([0.77, 0.23, 0.05, 0.16], exponents.size)
    mean = 3 + slopes * np.tile(exponents, solvers.size)
    return {
        "n": np.tile(2**exponents, solvers.size),
        "solver": np.repeat(solvers, exponents.size),
        "vectors": np.full(mean.size, 1000.0),
        "mean": mean,
        "low": 0.9 * mean,
        "high": 1.1 * mean,
    }


def speedups_table():
    exponents = np.arange(2, 21.0)
    growth = {"auto": 0.2, "newton_sqr": 0.1, "hoyer": 0, "potluru": 0.05, "thom_palm": 0.04}
    rows = [
        (2**exponent, style, name, 2 ** (factor * rate * exponent))
        for style, factor in (("as published", 1), ("optimised", 0.5))
        for name, rate in growth.items()
        for exponent in exponents
        if not (name == "potluru" and exponent > 16)
        and not (name == "auto" and style == "as published")
    ]
    names = ("n", "style", "algorithm", "speedup")
    return {
        name: np.array(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)
    }


TABLES = {
    "sparseness": sparseness_table,
    "auxiliary": auxiliary_table,
    "flowchart": lambda: io.load_table(figures.shipped_table("flowchart")),
    "evaluations": evaluations_table,
    "speedups": speedups_table,
}


OBSERVATIONS = {
    "gabor": fitted,
    "phases": fitted,
    "iterations": evaluated,
    "ezdl": evaluated,
    "odl": lambda: evaluated("odl", (0.5, 2.0)),
    "rls-dla": lambda: evaluated("rls-dla", (4.0, 8.0)),
    "envelopes": all_learners,
    "history": all_learners,
    "denoising": lambda: concatenated(denoised("ezdl", 1.0), denoised("odl", 0.0)),
    **dict.fromkeys(
        ("super-resolution", "deblurring", "inpainting"),
        lambda: concatenated(
            restored("ezdl", 1.0), restored("odl", 0.9), restored("rls-dla", 1.05)
        ),
    ),
}
"""Functions that return the observations which a figure summarises."""


def figure_table(name):
    """The table that a figure is drawn from."""
    if name in OBSERVATIONS:
        return SUMMARIES[name].compute(OBSERVATIONS[name]())
    if figures.FIGURES[name].needs_dictionary:
        return to_table(np.random.default_rng(0).standard_normal((16, 25)))
    return TABLES[name]()
