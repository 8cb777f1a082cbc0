"""Summaries of observations: the tables that figures draw and claims judge.

All statistics over seeds, images and atoms are computed here. A table is a dict from column name to
a one-dimensional array; observations have one row per measurement, a summary one row per point, and
every parameter has a column of its own in both.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

ALGORITHMS = {"ezdl": "sigma_h", "odl": "lambda", "rls-dla": "zeta"}
"""The learners, and the column of the parameter that each is varied over."""
GABOR_PARAMETERS = ("f", "sigma_x", "sigma_y")
PHASE_SPARSENESS = (0.75, 0.99)  # the dictionaries of Fig. 7
N_PHASE_BINS = 8
NEAR_AXIS = np.radians(10.0)  # orientations within this angle count as parallel to an axis
MODEL = ("sigma_h", "inference", "atom_rank", "whitened")
"""Columns that identify a kind of EZDL dictionary in tables of `ezdl gabor`."""


@dataclass(frozen=True)
class Summary:
    """How a table of observations is summarised, and which columns it must have."""

    compute: Callable
    """Function of the observations that returns the summary."""
    numbers: tuple[str, ...]
    words: tuple[str, ...] = ()


def iterations(table):
    """Average the SSIM of EZDL dictionaries over images and seeds, for each iteration count."""
    rows = _where(table, table["algorithm"] == "ezdl")
    return mean_quality(rows, "ssim", ("algorithm", "sigma_h", "sigma_i", "iterations"))


def over_inference_sparseness(table, algorithm):
    """Average the SSIM of one learner's dictionaries over images and seeds, for each sigma_i."""
    rows = _where(table, _converged(table) & (table["algorithm"] == algorithm))
    return mean_quality(rows, "ssim", ("algorithm", ALGORITHMS[algorithm], "sigma_i"))


def envelopes(table):
    """Select, for each learner and sigma_i, the parameter with the best mean SSIM."""
    known = np.isin(table["algorithm"].astype(str), list(ALGORITHMS))
    rows = _where(table, _converged(table) & known)
    curves = mean_quality(rows, "ssim", ("algorithm", *ALGORITHMS.values(), "sigma_i"))
    groups = _groups(curves, ("algorithm", "sigma_i"))
    best = [here[np.argmax(curves["mean"][here])] for here in groups]
    return {name: column[best] for name, column in curves.items()}


def history(table):
    """Average the SSIM over images and seeds, for each learner, step size and epoch."""
    rows = _where(table, _converged(table))
    return mean_quality(rows, "ssim", ("algorithm", "eta0", "epoch"))


def denoising(table):
    """Average the PSNR over images, noisy versions and seeds, for each learner and noise level."""
    return mean_quality(table, "psnr_final", ("algorithm", "sigma"))


def mean_quality(table, measure, parameters):
    """Average a quality measure over images and seeds for each combination of parameters.

    Parameters
    ----------
    table : dict
        Observations with the columns `seed`, `image`, `measure` and the parameters.
    measure : str
        Column to average.
    parameters : sequence of str
        Columns that identify a point of the summary.

    Returns
    -------
    dict
        The parameters, `measure` (its name), `mean`, `stderr_seeds` and `stderr_images` (standard
        errors over seeds of the means over images, and the other way round; NaN for a single one),
        `n_seeds` and `n_images`.
    """
    table = {**table, **{name: _numbers(table, name) for name in parameters[1:]}}
    points = []
    for here in _groups(table, parameters):
        values = table[measure][here]
        stderr_seeds, n_seeds = _standard_error(values, _numbers(table, "seed")[here])
        stderr_images, n_images = _standard_error(values, table["image"][here])
        point = {name: table[name][here[0]] for name in parameters}
        point |= {"measure": measure, "mean": values.mean()}
        point |= {"stderr_seeds": stderr_seeds, "stderr_images": stderr_images}
        points.append(point | {"n_seeds": n_seeds, "n_images": n_images})
    return _table(points)


def gabor(table):
    """Average frequency and envelope widths over accepted fits, for each sigma_h."""
    table = _accepted(table)
    points = []
    for parameter in GABOR_PARAMETERS:
        for here in _groups(table, ("sigma_h",)):
            mean, stderr, n_seeds = _mean_over_seeds(table, here, table[parameter])
            point = {"parameter": parameter, "sigma_h": table["sigma_h"][here[0]], "mean": mean}
            points.append(
                point | {"stderr_seeds": stderr, "n_seeds": n_seeds, "n_atoms": here.size}
            )
    return _table(points)


def phases(table):
    """Compute histograms of the phases of accepted fits, for the two sigma_h of Fig. 7."""
    table = _accepted(table)
    edges = np.linspace(0.0, np.pi / 2, N_PHASE_BINS + 1)
    bins = np.clip(np.searchsorted(edges, table["phi"], "right") - 1, 0, N_PHASE_BINS - 1)
    inside = (bins[:, np.newaxis] == np.arange(N_PHASE_BINS)).astype(float)
    points = []
    for sigma_h in PHASE_SPARSENESS:
        here = np.flatnonzero(np.isclose(table["sigma_h"], sigma_h, rtol=0.0, atol=1e-9))
        if here.size == 0:
            continue
        shares, stderr, n_seeds = _mean_over_seeds(table, here, inside)
        for i in range(N_PHASE_BINS):
            point = {"sigma_h": sigma_h, "start": edges[i], "end": edges[i + 1]}
            point |= {"share": shares[i], "stderr_seeds": stderr[i]}
            points.append(point | {"n_seeds": n_seeds, "n_atoms": here.size})
    return _table(points)


def atoms(table):
    """Describe the atoms of each dictionary by statistics of their Gabor fits and spectra."""
    table = {**table, **{name: _numbers(table, name) for name in ("sigma_h", "atom_rank", "seed")}}
    points = []
    for here in _groups(table, (*MODEL, "seed")):
        rows = _where(table, here)
        accepted = rows["reason"] == ""
        fits = {name: column[accepted] for name, column in rows.items()}
        point = {name: rows[name][0] for name in (*MODEL, "seed")}
        point |= {"n_atoms": here.size, "n_accepted": fits["f"].size}
        point |= {"median_r2": _over(np.median, rows["r2"]), "mean_f": _over(np.mean, fits["f"])}
        for name in ("sigma_x", "sigma_y"):
            # Widths beyond the patch cannot be measured: they count as the patch's side.
            capped = np.minimum(fits[name], fits["side"])
            point[f"mean_capped_{name}"] = _over(np.mean, capped)
        point["mean_spectral_centroid"] = _over(np.mean, rows["spectral_centroid"])
        point |= {
            "share_paraxial": _share_paraxial(rows),
            "max_rank_ratio": rows["rank_ratio"].max(),
        }
        points.append(point)
    return _table(points)


def layout(table):
    """Select how similar atoms on a grid are, for each dictionary and kind of pairs."""
    names = (*MODEL, "seed", "pairs", "similarity", "score")
    numbers = {name: _numbers(table, name) for name in ("sigma_h", "atom_rank", "seed", "score")}
    return {name: ({**table, **numbers})[name] for name in names}


def resemblance(table):
    """Compute the median best cosine between early and final atoms, for each seed and epoch."""
    table = {**table, "seed": _numbers(table, "seed")}
    points = []
    for here in _groups(table, ("seed", "epoch")):
        point = {name: table[name][here[0]] for name in ("seed", "epoch")}
        point |= {"median_cosine": np.median(table["cosine"][here])}
        point |= {"min_cosine": table["cosine"][here].min()}
        points.append(point | {"median_shuffled": np.median(table["shuffled_cosine"][here])})
    return _table(points)


def _share_paraxial(rows):
    """Share of atoms that are parallel to an axis or checkerboards, among those with a fit."""
    checkerboard = rows["reason"] == "checkerboard"
    fitted = ~np.isnan(rows["axis_angle"])
    paraxial = checkerboard | (fitted & (rows["axis_angle"] <= NEAR_AXIS))
    return _over(np.mean, paraxial[fitted | checkerboard])


def _over(statistic, values):
    """Statistic of the values that are not NaN; NaN if there are none."""
    values = values[~np.isnan(values)]
    return statistic(values) if values.size else np.nan


def _accepted(table):
    """Rows of atoms that a Gabor function describes, of dictionaries with a known sigma_h."""
    table = {**table, "sigma_h": _numbers(table, "sigma_h"), "seed": _numbers(table, "seed")}
    return _where(table, (table["reason"] == "") & ~np.isnan(table["sigma_h"]))


def _mean_over_seeds(table, here, values):
    """Mean over seeds of the means over atoms, its standard error, and the number of seeds."""
    seeds = table["seed"][here]
    means = [values[here[seeds == seed]].mean(axis=0) for seed in np.unique(seeds)]
    mean = np.mean(means, axis=0)
    if len(means) == 1:
        return mean, np.full_like(mean, np.nan), 1
    return mean, np.std(means, axis=0, ddof=1) / np.sqrt(len(means)), len(means)


def _standard_error(values, units):
    """Standard error of the mean over units, such as seeds, and the number of units."""
    names, index = np.unique(units, return_inverse=True)
    if names.size == 1:
        return np.nan, 1
    means = np.bincount(index, values) / np.bincount(index)
    return np.std(means, ddof=1) / np.sqrt(names.size), names.size


def _converged(table):
    """Whether rows are of the largest number of Landweber iterations in the table."""
    return table["iterations"] == table["iterations"].max()


def _where(table, rows):
    """Some rows of a table; ValueError if there are none."""
    chosen = {name: column[rows] for name, column in table.items()}
    if next(iter(chosen.values())).size == 0:
        raise ValueError("no rows for this summary")
    return chosen


def _groups(table, columns):
    """Row indices for each combination of values of some columns, in the order of the values."""
    codes = [np.unique(table[name], return_inverse=True)[1] for name in columns]
    _, group = np.unique(np.stack(codes, axis=1), axis=0, return_inverse=True)
    order = np.argsort(group, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(group[order])) + 1)


def _numbers(table, name):
    """A column of numbers; NaN in all rows if the column is empty."""
    column = table[name]
    return column if column.dtype.kind != "O" else np.full(column.size, np.nan)


def _table(points):
    """A table from a list of rows, each a dict; ValueError if there are none."""
    if not points:
        raise ValueError("no rows for this summary")
    return {name: np.array([point[name] for point in points]) for name in points[0]}


_EVALUATED = ("sigma_i", "iterations", "ssim", "epoch", "seed")
_NAMED = ("algorithm", "image")
_FITTED = ("sigma_h", "seed")
_ATOMS = ("side", "sigma_x", "sigma_y", "f", "r2", "spectral_centroid", "rank_ratio", "whitened")

SUMMARIES = {
    "iterations": Summary(iterations, _EVALUATED, _NAMED),
    **{
        name: Summary(partial(over_inference_sparseness, algorithm=name), _EVALUATED, _NAMED)
        for name in ALGORITHMS
    },
    "envelopes": Summary(envelopes, _EVALUATED, _NAMED),
    "history": Summary(history, _EVALUATED, _NAMED),
    "denoising": Summary(denoising, ("sigma", "psnr_final"), _NAMED),
    "gabor": Summary(gabor, (*_FITTED, *GABOR_PARAMETERS), ("reason",)),
    "phases": Summary(phases, (*_FITTED, "phi"), ("reason",)),
    "atoms": Summary(atoms, _ATOMS, ("inference", "reason")),
    "layout": Summary(layout, ("similarity", "whitened"), ("inference", "pairs")),
    "resemblance": Summary(resemblance, ("epoch", "cosine", "shuffled_cosine")),
}
"""Summaries by name; those with the name of a figure are drawn by it."""
