"""Claims on EZDL dictionaries and their Gabor functions (sections 3, 4.2 and 4.2.1)."""

from dataclasses import replace

import numpy as np

from ..experiments import atom_statistics as atoms
from ..experiments.atom_statistics import N_PHASE_BINS
from ..experiments.bootstrap import contrast, limit_outlying, statistic_of_means
from .claim import Missing, above, at_least, at_most, below, reported, within, worst
from .comparisons import deviation_over_seeds, difference, mean, rank_correlation
from .evidence import numbers
from .per_seed import FITTED, per_seed
from .reproduction_claims import CONVERGED
from .speed_claims import epoch_seconds

EPOCH_SAMPLES = 30_000
UNCHANGED = 1 - 1e-6  # cosines of atoms with themselves are at least this
WELL_FITTED = 0.95  # largest sigma_h at which the paper's atoms are Gabor functions
NOISY_SPARSENESS = (0.99, 0.999)
LABELS = {"f": "frequency", "sigma_x": "width in x'", "sigma_y": "width in y'"}


def first_epoch_resembles_the_result(evidence):
    initial, first = (_resemblance(evidence, epoch, "cosine") for epoch in (0, 1))
    return [
        above("median best cosine, epoch 1 − initial samples", difference(first, initial), 0),
        at_least("median best cosine after epoch 1", mean(first), 0.5),
    ]


def first_epoch_differs_from_shuffled_samples(evidence):
    first = _resemblance(evidence, 1, "cosine")
    shuffled = _resemblance(evidence, 0, "shuffled_cosine")
    ratio = statistic_of_means(lambda means: means[:, 0] / means[:, 1], [first, shuffled])
    return [
        at_least("median best cosine after epoch 1", mean(first), 0.5),
        at_least("ratio to that of shuffled initial samples", ratio, 2),
    ]


def seeds_differ_little(evidence):
    measures = []
    for name, label in LABELS.items():
        cases = []
        for sigma_h in evidence.values("gabor", "sigma_h", **FITTED):
            values = _fitted_mean(evidence, name, sigma_h).values[:, 0]
            relative = deviation_over_seeds(values / values.mean())
            cases.append(at_most(f"σ_H = {sigma_h:g}", relative, 0.05))
        measures.append(worst(f"relative standard deviation of the mean {label}", cases))
    return [*measures, *seeds_agree_in_ssim(evidence)]


def seeds_agree_in_ssim(evidence):
    rows = evidence.select("reproduction", algorithm="ezdl", iterations=CONVERGED)
    points = sorted(set(zip(rows["sigma_h"].tolist(), rows["sigma_i"].tolist(), strict=True)))
    cases = []
    for h, i in points:
        parameters = {"algorithm": "ezdl", "sigma_h": h, "sigma_i": i, "iterations": CONVERGED}
        cells = evidence.cells("reproduction", "ssim", **parameters)
        (cells,) = limit_outlying([cells])
        deviation = deviation_over_seeds(cells.values.mean(axis=1))
        cases.append(at_most(f"σ_H = {h:g}, σ_I = {i:g}", deviation, 0.005))
    return [worst("standard deviation of the mean SSIM", cases)]


def an_epoch_takes_a_second(evidence):
    rows = evidence.select(
        "epochs", n_features=256, n_atoms=256, algorithm="ezdl", gradient="short"
    )
    samples = rows["samples_per_epoch"][0]
    if samples != EPOCH_SAMPLES:
        raise Missing(f"epochs of {samples:.0f} samples were timed, not of {EPOCH_SAMPLES}")
    names = zip(rows["inference"], rows["sigma_h"], numbers(rows, "atom_rank"), strict=True)
    return [
        at_most(f"seconds, {inference}, σ_H = {sigma_h:g}{_rank(atom_rank)}", seconds, 1)
        for (inference, sigma_h, atom_rank), seconds in zip(names, rows["seconds"], strict=True)
    ]


def gabor_functions_fit(evidence):
    medians = {
        sigma_h: mean(per_seed(evidence, "gabor", atoms.median_r2, sigma_h=sigma_h, **FITTED))
        for sigma_h in evidence.values("gabor", "sigma_h", **FITTED)
    }
    well = [at_least(f"σ_H = {h:g}", r2, 0.8) for h, r2 in medians.items() if h <= WELL_FITTED]
    beyond = [reported(f"median R² at σ_H = {h:g}", r2) for h, r2 in medians.items() if h > 0.95]
    return [worst("median R²", well), *beyond]


def frequency_falls(evidence):
    cells = _over_sigma_h(evidence, "f")
    change = difference(cells[-1], cells[0])
    return [
        at_most("Spearman's ρ of mean frequency and σ_H", _trend(cells), -0.9),
        below("mean frequency, last − first", change, 0),
    ]


def envelopes_widen(evidence):
    x, y = (_over_sigma_h(evidence, name) for name in ("sigma_x", "sigma_y"))
    sigma_h = np.array(evidence.values("gabor", "sigma_h", **FITTED))
    n = sigma_h.size
    lead = statistic_of_means(
        lambda means: _half_growth(sigma_h, means[:, :n]) - _half_growth(sigma_h, means[:, n:]),
        [*x, *y],
    )
    measures = [
        at_least("Spearman's ρ of the width in x' and σ_H", _trend(x), 0.9),
        at_least("Spearman's ρ of the width in y' and σ_H", _trend(y), 0.9),
        above("σ_H at half of the growth, x' − y'", lead, 0),
        above(f"width at σ_H = {sigma_h[-1]:g}, x' − y'", difference(x[-1], y[-1]), 0),
    ]
    for what, statistic in (("medians", atoms.median_of), ("capped means", atoms.capped_mean_of)):
        ends = [
            per_seed(evidence, "gabor", statistic(name), sigma_h=sigma_h[-1], **FITTED)
            for name in ("sigma_x", "sigma_y")
        ]
        measures.append(reported(f"the same by {what}", difference(*ends)))
    share = per_seed(evidence, "gabor", atoms.share_beyond_patch, sigma_h=sigma_h[-1], **FITTED)
    return [*measures, reported("share of fits wider than the patch", mean(share))]


def phases_peak(evidence):
    low, high = (_phase_bins(evidence, sigma_h) for sigma_h in (0.75, 0.99))
    others = [
        at_least(f"bin {i + 1}", difference(low[-1], one), 0) for i, one in enumerate(low[:-1])
    ]
    between = [-1 / (N_PHASE_BINS - 2)] * (N_PHASE_BINS - 2)
    return [
        worst("σ_H = 0.75: share of the last bin − others", others),
        above(
            "σ_H = 0.99: first bin − mean of those between", contrast(high[:-1], [1, *between]), 0
        ),
        above("σ_H = 0.99: last bin − mean of those between", contrast(high[1:], [*between, 1]), 0),
    ]


def lifetime_sparseness_approaches_population_sparseness(evidence):
    near, nearer = [], []
    for sigma_h in evidence.values("activity", "sigma_h", noise=0):
        parameters = {"sigma_h": sigma_h, "noise": 0}
        first, *_, last = (
            per_seed(
                evidence, "activity", _number("lifetime_sparseness"), epoch=epoch, **parameters
            )
            for epoch in _epochs(evidence)
        )
        at_end = mean(last)
        near.append(within(f"σ_H = {sigma_h:g}", at_end, sigma_h - 0.05, sigma_h + 0.05))
        gain = statistic_of_means(
            lambda means, at=sigma_h: np.abs(means[:, 0] - at) - np.abs(means[:, 1] - at),
            [first, last],
        )
        nearer.append(above(f"σ_H = {sigma_h:g}", gain, 0))
    return [
        worst("lifetime sparseness after the last epoch", near),
        worst("distance to σ_H, epoch 1 − last epoch", nearer),
    ]


def noise_activates_all_atoms(evidence):
    measures = []
    levels = [level for level in evidence.values("activity", "noise") if level > 0]
    if not levels:
        raise Missing("dictionaries that were trained with noise on the codes are needed")
    for sigma_h in NOISY_SPARSENESS:
        noisy, clean = (
            per_seed(
                evidence,
                "activity",
                _share_never_active,
                epoch=_epochs(evidence)[-1],
                sigma_h=sigma_h,
                noise=noise,
            )
            for noise in (levels[0], 0)
        )
        what = f"σ_H = {sigma_h:g}: share of atoms that are never active"
        share, change = mean(noisy), difference(noisy, clean)
        if change.high is not None:  # it cannot exceed the share with noise
            change = replace(change, high=min(change.high, share.high))
        measures += [
            at_most(f"{what}, with noise", share, 0.01),
            at_most(f"{what}, with − without noise", change, 0),
        ]
    return measures


def short_gradient_loses_nothing(evidence):
    full, short = (epoch_seconds(evidence, "ezdl", gradient=name) for name in ("full", "short"))
    parameters = {"algorithm": "ezdl", "sigma_h": 0.99, "sigma_i": 0.99, "iterations": CONVERGED}
    gain = difference(
        evidence.cells("full_gradient", "ssim", **parameters),
        evidence.cells("reproduction", "ssim", **parameters),
    )
    return [
        at_least("time per epoch, full / short gradient", full / short, 1.3),
        at_most("SSIM at σ_I = 0.99, full − short gradient", gain, 0.005),
    ]


def _resemblance(evidence, epoch, column):
    """Median best cosine between atoms after an epoch and the final atoms, by seed."""
    rows = evidence.select("resemblance", epoch=1)
    if numbers(rows, "cosine").min() > UNCHANGED:
        raise Missing("training ended after the first epoch")
    return per_seed(
        evidence, "resemblance", lambda rows: np.median(numbers(rows, column)), epoch=epoch
    )


def _fitted_mean(evidence, parameter, sigma_h):
    """Mean of a Gabor parameter over accepted fits, by seed."""
    return per_seed(evidence, "gabor", atoms.mean_of(parameter), sigma_h=sigma_h, **FITTED)


def _over_sigma_h(evidence, parameter):
    """Means of a Gabor parameter for all sigma_h, in rising order."""
    return [
        _fitted_mean(evidence, parameter, sigma_h)
        for sigma_h in evidence.values("gabor", "sigma_h", **FITTED)
    ]


def _trend(cells):
    """Estimate Spearman's ρ of a quantity and its rank in a series."""
    order = np.arange(len(cells), dtype=float)
    return statistic_of_means(
        lambda means: rank_correlation(np.broadcast_to(order, means.shape), means), cells
    )


def _half_growth(x, y):
    """Abscissas at which the rows of y have grown by half of their total, interpolated linearly."""
    middle = 0.5 * (y[:, :1] + y[:, -1:])
    direction = np.sign(y[:, -1:] - y[:, :1])
    after = np.argmax((y - middle) * direction >= 0, axis=1).clip(1)
    rows = np.arange(len(y))
    y0, y1 = y[rows, after - 1], y[rows, after]
    share = (middle[:, 0] - y0) / np.where(y1 != y0, y1 - y0, 1.0)
    return x[after - 1] + (x[after] - x[after - 1]) * share.clip(0.0, 1.0)


def _phase_bins(evidence, sigma_h):
    """Shares of the bins of phases, by seed: one quantity per bin."""
    return [
        per_seed(evidence, "gabor", atoms.share_of_phases(i), sigma_h=sigma_h, **FITTED)
        for i in range(N_PHASE_BINS)
    ]


def _epochs(evidence):
    """The epochs in which activity was recorded; raise `Missing` if there is one only."""
    epochs = evidence.values("activity", "epoch")
    if len(epochs) < 2:
        raise Missing("training ended after the first epoch")
    return epochs


def _number(name):
    return lambda rows: np.mean(numbers(rows, name))


def _share_never_active(rows):
    return np.mean(numbers(rows, "never_active") / numbers(rows, "n_atoms"))


def _rank(atom_rank):
    return "" if np.isnan(atom_rank) else f", atoms of rank {atom_rank:g}"


CHECKS = {
    "D1": first_epoch_resembles_the_result,
    "D2": seeds_differ_little,
    "D3": an_epoch_takes_a_second,
    "D4": gabor_functions_fit,
    "D5": frequency_falls,
    "D6": envelopes_widen,
    "D7": phases_peak,
    "D15": lifetime_sparseness_approaches_population_sparseness,
    "D16": noise_activates_all_atoms,
    "D17": short_gradient_loses_nothing,
}
OLD_CHECKS = {"D1": first_epoch_differs_from_shuffled_samples, "D2": seeds_agree_in_ssim}
