"""Summaries of observations: the tables that figures draw.

A table is a dict from column name to a one-dimensional array; observations have one row per
measurement, a summary one row per point, and every parameter has a column of its own in both.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from .atom_statistics import N_PHASE_BINS, phase_bins, phase_edges
from .averages import (
    MAX_PSNR,
    as_numbers,
    interval,
    mean_quality,
    quality_cells,
    row_groups,
    seed_means,
    table_from_rows,
)
from .reference_differences import with_differences
from .restoration_labels import DEBLURRING, INPAINTING, SUPER_RESOLUTION

ALGORITHMS = {"ezdl": "sigma_h", "odl": "lambda", "rls-dla": "zeta"}
"""The learners, and the column of the parameter that each is varied over."""
GABOR_PARAMETERS = ("f", "sigma_x", "sigma_y")
PHASE_SPARSENESS = (0.75, 0.99)  # the dictionaries of Fig. 7


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
    """Select, for each learner and sigma_i, the parameter with the best mean SSIM.

    The difference of this dictionary to the best one of ODL is added.
    """
    known = np.isin(table["algorithm"].astype(str), list(ALGORITHMS))
    rows = _where(table, _converged(table) & known)
    parameters = ("algorithm", *ALGORITHMS.values(), "sigma_i")
    curves = mean_quality(rows, "ssim", parameters)
    groups = row_groups(curves, ("algorithm", "sigma_i"))
    best = [here[np.argmax(curves["mean"][here])] for here in groups]
    cells = quality_cells(rows, "ssim", parameters)
    points = {name: column[best] for name, column in curves.items()}
    return with_differences(points, [cells[i] for i in best], ("sigma_i",))


def history(table):
    """Average the SSIM over images and seeds, for each learner, step size and epoch.

    The column `samples`, how many were presented until then, is left out if it is unknown for some
    rows: older tables do not have the number per epoch.
    """
    rows = _where(table, _converged(table))
    parameters = ("algorithm", "eta0", "epoch")
    per_epoch = as_numbers(rows, "samples_per_epoch") if "samples_per_epoch" in rows else None
    if per_epoch is not None and np.isfinite(per_epoch).all():
        rows, parameters = {**rows, "samples": rows["epoch"] * per_epoch}, (*parameters, "samples")
    return mean_quality(rows, "ssim", parameters)


def denoising(table):
    """Average the PSNR over images, noisy versions and seeds, for each learner, rules and level.

    The differences to ODL by the same rules are added.
    """
    for name in ("channels", "noisy", "results"):  # which older tables do not have
        if name in table and len(set(table[name].tolist())) > 1:
            raise ValueError(f"the rows differ in the column {name}; draw them separately")
    table = {**table, "rules": table["rules"].astype(str)}
    parameters = ("algorithm", "rules", "sigma")
    points = mean_quality(table, "psnr_final", parameters)
    cells = quality_cells(table, "psnr_final", parameters)
    return with_differences(points, cells, ("rules", "sigma"))


def restoration(table, task):
    """Average the gain in PSNR over the baseline of a task, for each learner and setting.

    The differences to ODL are added: those of the gain are those of the PSNR.
    """
    rows = _where(table, table["task"] == task)
    if len(set(rows["sigma"].tolist())) > 1:
        raise ValueError("the rows differ in the column sigma; draw them separately")
    psnr, baseline = (np.minimum(rows[name], MAX_PSNR) for name in ("psnr", "psnr_baseline"))
    rows = {**rows, "gain": psnr - baseline}
    points = mean_quality(rows, "gain", ("algorithm", "setting"))
    cells = quality_cells(rows, "gain", ("algorithm", "setting"))
    points |= {"task": np.full(len(cells), task)}
    return with_differences(points, cells, ("setting",))


def gabor(table):
    """Average frequency and envelope widths over accepted fits, for each sigma_h."""
    table = _accepted(table)
    points = []
    for parameter in GABOR_PARAMETERS:
        for here in row_groups(table, ("sigma_h",)):
            cells = seed_means(table[parameter][here], table["seed"][here])
            point = {"parameter": parameter, "sigma_h": table["sigma_h"][here[0]]}
            point |= {"mean": cells.mean, **interval(cells)}
            points.append(point | {"n_seeds": len(cells.seeds), "n_atoms": here.size})
    return table_from_rows(points)


def phases(table):
    """Compute histograms of the phases of accepted fits, for the two sigma_h of Fig. 7."""
    table = _accepted(table)
    edges = phase_edges()
    points = []
    for sigma_h in PHASE_SPARSENESS:
        here = np.flatnonzero(np.isclose(table["sigma_h"], sigma_h, rtol=0.0, atol=1e-9))
        if here.size == 0:
            continue
        bins = phase_bins(table["phi"][here])
        for i in range(N_PHASE_BINS):
            cells = seed_means((bins == i).astype(float), table["seed"][here])
            point = {"sigma_h": sigma_h, "start": edges[i], "end": edges[i + 1]}
            ends = {name: np.clip(end, 0.0, 1.0) for name, end in interval(cells).items()}
            point |= {"share": cells.mean, **ends}
            points.append(point | {"n_seeds": len(cells.seeds), "n_atoms": here.size})
    return table_from_rows(points)


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
_RESTORED = ("setting", "sigma", "psnr", "psnr_baseline")
_FITTED = ("sigma_h", "seed")

SUMMARIES = {
    "iterations": Summary(iterations, _EVALUATED, _NAMED),
    **{
        name: Summary(partial(over_inference_sparseness, algorithm=name), _EVALUATED, _NAMED)
        for name in ALGORITHMS
    },
    "envelopes": Summary(envelopes, _EVALUATED, _NAMED),
    "history": Summary(history, _EVALUATED, _NAMED),
    "denoising": Summary(denoising, ("sigma", "psnr_final"), (*_NAMED, "rules")),
    **{
        task: Summary(partial(restoration, task=task), _RESTORED, (*_NAMED, "task"))
        for task in (SUPER_RESOLUTION, DEBLURRING, INPAINTING)
    },
    "gabor": Summary(gabor, (*_FITTED, *GABOR_PARAMETERS), ("reason",)),
    "phases": Summary(phases, (*_FITTED, "phi"), ("reason",)),
}
"""Summaries, by the name of the figure that draws them."""
