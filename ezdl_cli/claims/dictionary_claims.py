"""Claims on EZDL dictionaries and their Gabor functions (sections 4.2 and 4.2.1)."""

from contextlib import suppress

import numpy as np
from scipy.stats import spearmanr

from .claim import Missing, above, at_least, at_most, below, minimum, reported

EPOCH_SAMPLES = 30_000
N_BINS = 8  # of the phases
UNCHANGED = 1 - 1e-6  # cosines of atoms with themselves are at least this
# Dictionaries of Fig. 6: ordinary inference on raw pixels, atoms of any rank.
FITTED = {"inference": "ordinary", "atom_rank": None, "whitened": 0}


def first_epoch_resembles_the_result(evidence):
    first = evidence.select("resemblance", epoch=1)
    initial = evidence.select("resemblance", epoch=0)
    if first["min_cosine"][0] > UNCHANGED:
        raise Missing("training ended after the first epoch")
    cosine, shuffled = first["median_cosine"][0], initial["median_shuffled"][0]
    return [
        at_least("median best cosine of atoms after one epoch", cosine, 0.5),
        at_least("ratio to that of shuffled initial samples", cosine / shuffled, 2),
    ]


def seeds_differ_little(evidence):
    table = evidence.table("ezdl")
    stderr = table["stderr_seeds"]
    if np.isnan(stderr).all():
        raise Missing("dictionaries with several seeds are needed")
    deviations = stderr * np.sqrt(table["n_seeds"])
    what = f"largest standard deviation of the SSIM over {table['n_seeds'].min():.0f} seeds"
    return [at_most(what, deviations.max(), 0.005)]


def an_epoch_takes_a_second(evidence):
    rows = evidence.select(
        "epochs", n_features=256, n_atoms=256, algorithm="ezdl", implementation="ezdl"
    )
    samples = rows["samples_per_epoch"][0]
    if samples != EPOCH_SAMPLES:
        raise Missing(f"epochs of {samples:.0f} samples were timed, not of {EPOCH_SAMPLES}")
    names = zip(rows["inference"], rows["sigma_h"], rows["atom_rank"], strict=True)
    return [
        at_most(f"seconds, {inference}, σ_H = {sigma_h:g}{_rank(atom_rank)}", seconds, 1)
        for (inference, sigma_h, atom_rank), seconds in zip(names, rows["seconds"], strict=True)
    ]


def gabor_functions_fit(evidence):
    rows = evidence.select("atoms", **FITTED)
    medians = {
        sigma_h: rows["median_r2"][rows["sigma_h"] == sigma_h].mean()
        for sigma_h in np.unique(rows["sigma_h"])
        if sigma_h <= 0.95
    }
    if not medians:
        raise Missing("there is no dictionary with σ_H ≤ 0.95")
    sigma_h, median = minimum(medians)
    return [at_least(f"smallest median R², at σ_H = {sigma_h:g}", median, 0.8)]


def frequency_falls(evidence):
    curve = evidence.curve("gabor", "sigma_h", parameter="f")
    return [
        at_most("Spearman's ρ of mean frequency and σ_H", _rho(curve), -0.9),
        below("mean frequency, last − first", curve.y[-1] - curve.y[0], 0),
    ]


def envelopes_widen(evidence):
    x, y = (evidence.curve("gabor", "sigma_h", parameter=name) for name in ("sigma_x", "sigma_y"))
    last = x.x[-1]
    measures = [
        at_least("Spearman's ρ of the width in x' and σ_H", _rho(x), 0.9),
        at_least("Spearman's ρ of the width in y' and σ_H", _rho(y), 0.9),
        above("σ_H at half of the growth, x' − y'", _half_growth(x) - _half_growth(y), 0),
        above(f"width at σ_H = {last:g}, x' − y'", x.y[-1] - y.y[-1], 0),
    ]
    with suppress(Missing):  # only reported
        rows = evidence.select("atoms", sigma_h=last, **FITTED)
        capped = rows["mean_capped_sigma_x"] - rows["mean_capped_sigma_y"]
        measures.append(reported("the same with widths capped at the patch", capped.mean()))
    return measures


def phases_peak(evidence):
    shares = {at: evidence.select("phases", sigma_h=at)["share"] for at in (0.75, 0.99)}
    if any(len(bins) != N_BINS for bins in shares.values()):
        raise Missing(f"{N_BINS} bins of phases are needed for σ_H = 0.75 and 0.99")
    low, high = shares[0.75], shares[0.99]
    between = np.mean(high[1:-1])
    return [
        at_least("σ_H = 0.75: share of the last bin − the largest", low[-1] - np.max(low), 0),
        above("σ_H = 0.99: first bin − mean of those between", high[0] - between, 0),
        above("σ_H = 0.99: last bin − mean of those between", high[-1] - between, 0),
    ]


def _rank(atom_rank):
    return "" if np.isnan(atom_rank) else f", atoms of rank {atom_rank:g}"


def _rho(curve):
    if len(curve.x) < 3:
        raise Missing("at least three σ_H are needed")
    return spearmanr(curve.x, curve.y).statistic


def _half_growth(curve):
    """Abscissa at which a curve has grown by half of its total, interpolated linearly."""
    if np.isnan(curve.y).any():
        return np.nan
    middle = 0.5 * (curve.y[0] + curve.y[-1])
    after = int(np.argmax((curve.y - middle) * np.sign(curve.y[-1] - curve.y[0]) >= 0))
    if after == 0:
        return float(curve.x[0])
    (x0, x1), (y0, y1) = curve.x[after - 1 : after + 1], curve.y[after - 1 : after + 1]
    return float(x0 + (x1 - x0) * (middle - y0) / (y1 - y0))


CHECKS = {
    "D1": first_epoch_resembles_the_result,
    "D2": seeds_differ_little,
    "D3": an_epoch_takes_a_second,
    "D4": gabor_functions_fit,
    "D5": frequency_falls,
    "D6": envelopes_widen,
    "D7": phases_peak,
}
