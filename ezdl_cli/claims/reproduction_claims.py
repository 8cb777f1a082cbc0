"""Claims on the reproduction of entire images (sections 4.3.1 and 4.3.2)."""

from itertools import pairwise

import numpy as np

from ..experiments.bootstrap import contrast, limit_outlying, statistic_of_means
from ..experiments.summaries import ALGORITHMS
from .claim import Missing, above, at_least, attempt, below, not_measured, reported, within, worst
from .comparisons import difference, mean, rank_correlation, spread

CONVERGED = 100  # iterations
NARROW_FROM = 0.925  # sigma_i from which on ODL's penalties hardly differ
DICTIONARY_SPARSENESS = (0.75, 0.85, 0.95, 0.99)
TINY = 1e-9  # sparseness degrees that differ by less are equal
SYMBOLS = {"ezdl": "σ_H", "odl": "λ", "rls-dla": "ζ"}


def ten_iterations_suffice(evidence):
    table = evidence.table("iterations")
    pairs = sorted(set(zip(table["sigma_h"].tolist(), table["sigma_i"].tolist(), strict=True)))
    gains, excess, later, shares = [], [], [], []
    for pair in pairs:
        where = f"σ_H = {pair[0]:g}, σ_I = {pair[1]:g}"
        one, ten, hundred = (_after(evidence, *pair, count) for count in (1, 10, CONVERGED))
        gains.append(at_least(where, difference(hundred, one), 0.02))
        excess.append(at_least(where, contrast([ten, one, hundred], [1, -0.2, -0.8]), 0))
        if hundred.mean != one.mean:
            shares.append((ten.mean - one.mean) / (hundred.mean - one.mean))
        try:
            last = _after(evidence, *pair, 2 * CONVERGED)
            later.append(below(where, difference(last, hundred), 0.002))
        except Missing as missing:
            later.append(not_measured(str(missing)))
    return [
        worst("gain from 1 to 100 iterations", gains),
        worst("gain from 1 to 10 iterations − 80 % of that", excess),
        worst("gain from 100 to 200 iterations", later),
        reported("smallest share of the gain after 10 iterations", min(shares, default=np.nan)),
    ]


def low_sparseness_loses_nothing(evidence):
    low, high = (_ssim(evidence, "ezdl", sigma_h, 0.75) for sigma_h in (0.75, 0.85))
    return [
        at_least("SSIM at σ_I = 0.75, σ_H = 0.75", mean(low), 0.99),
        at_least("SSIM at σ_I = 0.75, σ_H = 0.85", mean(high), 0.99),
        within("their difference", difference(high, low), -0.005, 0.005),
    ]


def matching_sparseness_is_better(evidence):
    low, high = (
        [_ssim(evidence, "ezdl", sigma_h, sigma_i) for sigma_i in (0.75, 0.85)]
        for sigma_h in (0.75, 0.85)
    )
    return [
        above("loss from σ_I = 0.75 to 0.85, σ_H = 0.85", difference(*high), 0),
        at_least(
            "how much more is lost with σ_H = 0.75", contrast([*low, *high], [1, -1, -1, 1]), 0.005
        ),
    ]


def dictionaries_agree_at_low_sparseness(evidence):
    points = _over_sigma_i(evidence, "ezdl", lambda x: x <= 0.8 + TINY)
    return [spread("SSIM at σ_I ≤ 0.80", points, 0.02)]


def sparse_codes_need_sparse_learning(evidence):
    cells = {at: _ssim(evidence, "ezdl", at, 0.99) for at in DICTIONARY_SPARSENESS}
    return [
        above(f"SSIM at σ_I = 0.99: σ_H = {high:g} − {low:g}", _gain(cells, high, low), 0)
        for low, high in pairwise(cells)
    ]


def penalties_differ_little(evidence):
    smallest, *_, largest = _parameters(evidence, "odl")

    def gain(sigma_i):
        return difference(
            *(_ssim(evidence, "odl", value, sigma_i) for value in (largest, smallest))
        )

    wide = _over_sigma_i(evidence, "odl", lambda x: x < NARROW_FROM - TINY)
    narrow = _over_sigma_i(evidence, "odl", lambda x: x >= NARROW_FROM - TINY)
    return [
        attempt(lambda: spread("SSIM at σ_I < 0.925", wide, 0.03)),
        attempt(lambda: spread("SSIM at σ_I ≥ 0.925", narrow, 0.02)),
        attempt(lambda: below("SSIM at σ_I = 0.5: largest − smallest λ", gain(0.5), 0)),
        attempt(lambda: above("SSIM at σ_I = 0.975: largest − smallest λ", gain(0.975), 0)),
    ]


def fewest_nonzeros_are_best(evidence):
    smallest, *others = _parameters(evidence, "rls-dla")
    cells = {zeta: _ssim(evidence, "rls-dla", zeta, 0.99) for zeta in (smallest, *others)}
    gains = [
        above(f"ζ = {smallest:g} − {zeta:g}", _gain(cells, smallest, zeta), 0) for zeta in others
    ]
    return [worst("SSIM at σ_I = 0.99", gains)]


def best_dictionaries_are_equal(evidence):
    points = {
        f"σ_I = {at:g}": {name.upper(): _best(evidence, name, at) for name in ALGORITHMS}
        for at in evidence.values("reproduction", "sigma_i")
    }
    return [spread("gap between the best dictionaries", points, 0.02)]


def nothing_is_lost_below_the_learned_sparseness(evidence):
    return [
        worst(
            "SSIM",
            [
                at_least(f"σ_H = {h:g}, σ_I = {i:g}", mean(_ssim(evidence, "ezdl", h, i)), 0.97)
                for h in _parameters(evidence, "ezdl")
                for i in evidence.values("reproduction", "sigma_i", algorithm="ezdl")
                if i <= h - 0.1 + TINY
            ],
        )
    ]


def sparser_codes_lose_more(evidence):
    cells = {at: _ssim(evidence, "ezdl", at, at) for at in DICTIONARY_SPARSENESS}
    return [
        below(f"SSIM at σ_I = σ_H: {high:g} − {low:g}", _gain(cells, high, low), 0)
        for low, high in pairwise(cells)
    ]


def penalty_matters_less_than_sparseness(evidence):
    cases = []
    for at in evidence.values("reproduction", "sigma_i"):
        if at >= 0.9 - TINY:
            ends = [cell for name in ("odl", "ezdl") for cell in _ends(evidence, name, at)]
            cases.append(below(f"σ_I = {at:g}", contrast(ends, [1, -1, -1, 1]), 0))
    return [worst("spread of the SSIM over λ − over σ_H", cases)]


def psnr_agrees_with_ssim(evidence):
    measures = []
    for name in ALGORITHMS:
        points = [
            (value, at)
            for value in _parameters(evidence, name)
            for at in evidence.values("reproduction", "sigma_i", algorithm=name)
        ]
        cells = [
            limited
            for measure in ("ssim", "psnr")
            for limited in limit_outlying(
                [_quality(evidence, measure, name, *point) for point in points]
            )
        ]
        half = len(points)
        rho = statistic_of_means(lambda m, n=half: rank_correlation(m[:, :n], m[:, n:]), cells)
        measures.append(at_least(f"Spearman's ρ of SSIM and PSNR, {name.upper()}", rho, 0.95))
    return measures


def _after(evidence, sigma_h, sigma_i, iterations):
    """SSIM of EZDL after a number of iterations."""
    parameters = {"sigma_h": sigma_h, "sigma_i": sigma_i, "iterations": iterations}
    return evidence.cells("iterations", "ssim", **parameters)


def _ssim(evidence, learner, value, sigma_i):
    """SSIM after 100 iterations, for a parameter of a learner."""
    return _quality(evidence, "ssim", learner, value, sigma_i)


def _quality(evidence, measure, learner, value, sigma_i):
    parameters = {"algorithm": learner, ALGORITHMS[learner]: value, "sigma_i": sigma_i}
    return evidence.cells("reproduction", measure, iterations=CONVERGED, **parameters)


def _parameters(evidence, learner):
    """The values of a learner's parameter, in rising order; at least two."""
    values = evidence.values("reproduction", ALGORITHMS[learner], algorithm=learner)
    if len(values) < 2:
        raise Missing("dictionaries with several parameters are needed")
    return values


def _over_sigma_i(evidence, learner, chosen):
    """SSIM for each chosen sigma_i and parameter of a learner."""
    parameters = _parameters(evidence, learner)
    found = evidence.values("reproduction", "sigma_i", algorithm=learner)
    return {
        f"σ_I = {at:g}": {
            f"{SYMBOLS[learner]} = {value:g}": _ssim(evidence, learner, value, at)
            for value in parameters
        }
        for at in found
        if chosen(at)
    }


def _gain(cells, first, second):
    return difference(cells[first], cells[second])


def _best(evidence, learner, sigma_i):
    """SSIM of the learner's best dictionary."""
    cells = [_ssim(evidence, learner, one, sigma_i) for one in _parameters(evidence, learner)]
    return max(cells, key=_robust_mean)


def _ends(evidence, learner, sigma_i):
    """SSIM of the best and of the worst dictionary of a learner."""
    cells = [_ssim(evidence, learner, one, sigma_i) for one in _parameters(evidence, learner)]
    return max(cells, key=_robust_mean), min(cells, key=_robust_mean)


def _robust_mean(cells):
    return mean(cells).value


CHECKS = {
    "R1": ten_iterations_suffice,
    "R2": low_sparseness_loses_nothing,
    "R3": matching_sparseness_is_better,
    "R4": dictionaries_agree_at_low_sparseness,
    "R5": sparse_codes_need_sparse_learning,
    "R6": penalties_differ_little,
    "R7": fewest_nonzeros_are_best,
    "R8": best_dictionaries_are_equal,
    "R9": nothing_is_lost_below_the_learned_sparseness,
    "R10": sparser_codes_lose_more,
    "R11": penalty_matters_less_than_sparseness,
    "R12": psnr_agrees_with_ssim,
}
