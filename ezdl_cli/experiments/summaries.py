"""Summaries of observations: the tables that figures draw and claims judge.

All statistics over seeds, images and atoms are computed here and in `standard_errors`. A table is a
dict from column name to a one-dimensional array; observations have one row per measurement, a
summary one row per point, and every parameter has a column of its own in both.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from .standard_errors import as_numbers, mean_over_seeds, mean_quality, row_groups, table_from_rows

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
    groups = row_groups(curves, ("algorithm", "sigma_i"))
    best = [here[np.argmax(curves["mean"][here])] for here in groups]
    return {name: column[best] for name, column in curves.items()}


def history(table):
    """Average the SSIM over images and seeds, for each learner, step size and epoch."""
    rows = _where(table, _converged(table))
    return mean_quality(rows, "ssim", ("algorithm", "eta0", "epoch"))


def denoising(table):
    """Average the PSNR over images, noisy versions and seeds, for each learner and noise level."""
    return mean_quality(table, "psnr_final", ("algorithm", "sigma"))


def gabor(table):
    """Average frequency and envelope widths over accepted fits, for each sigma_h."""
    table = _accepted(table)
    points = []
    for parameter in GABOR_PARAMETERS:
        for here in row_groups(table, ("sigma_h",)):
            mean, stderr, n_seeds = mean_over_seeds(table, here, table[parameter])
            point = {"parameter": parameter, "sigma_h": table["sigma_h"][here[0]], "mean": mean}
            points.append(
                point | {"stderr_seeds": stderr, "n_seeds": n_seeds, "n_atoms": here.size}
            )
    return table_from_rows(points)


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
        shares, stderr, n_seeds = mean_over_seeds(table, here, inside)
        for i in range(N_PHASE_BINS):
            point = {"sigma_h": sigma_h, "start": edges[i], "end": edges[i + 1]}
            point |= {"share": shares[i], "stderr_seeds": stderr[i]}
            points.append(point | {"n_seeds": n_seeds, "n_atoms": here.size})
    return table_from_rows(points)


def atoms(table):
    """Describe the atoms of each dictionary by statistics of their Gabor fits and spectra."""
    table = {
        **table,
        **{name: as_numbers(table, name) for name in ("sigma_h", "atom_rank", "seed")},
    }
    points = []
    for here in row_groups(table, (*MODEL, "seed")):
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
    return table_from_rows(points)


def layout(table):
    """Select how similar atoms on a grid are, for each dictionary and kind of pairs."""
    selected = {name: table[name] for name in (*MODEL, "seed", "pairs", "similarity", "score")}
    optional = ("sigma_h", "atom_rank", "seed", "score")
    return selected | {name: as_numbers(table, name) for name in optional}


def resemblance(table):
    """Compute the median best cosine between early and final atoms, for each seed and epoch."""
    table = {**table, "seed": as_numbers(table, "seed")}
    points = []
    for here in row_groups(table, ("seed", "epoch")):
        point = {name: table[name][here[0]] for name in ("seed", "epoch")}
        point |= {"median_cosine": np.median(table["cosine"][here])}
        point |= {"min_cosine": table["cosine"][here].min()}
        points.append(point | {"median_shuffled": np.median(table["shuffled_cosine"][here])})
    return table_from_rows(points)


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
    table = {**table, "sigma_h": as_numbers(table, "sigma_h"), "seed": as_numbers(table, "seed")}
    return _where(table, (table["reason"] == "") & ~np.isnan(table["sigma_h"]))


def _converged(table):
    """Whether rows are of the largest number of Landweber iterations in the table."""
    return table["iterations"] == table["iterations"].max()


def _where(table, rows):
    """Some rows of a table; ValueError if there are none."""
    chosen = {name: column[rows] for name, column in table.items()}
    if next(iter(chosen.values())).size == 0:
        raise ValueError("no rows for this summary")
    return chosen


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
