"""Claims on the reproduction of entire images (sections 4.3.1 and 4.3.2)."""

import numpy as np

from .claim import Missing, above, at_least, at_most, below, maximum, minimum

CONVERGED = 100  # iterations
NARROW_FROM = 0.925  # sigma_i from which on ODL's penalties hardly differ
DICTIONARY_SPARSENESS = (0.75, 0.85, 0.95, 0.99)


def ten_iterations_suffice(evidence):
    table = evidence.table("iterations")
    pairs = sorted(set(zip(table["sigma_h"].tolist(), table["sigma_i"].tolist(), strict=True)))
    curves = {
        f"σ_H = {h:g}, σ_I = {i:g}": evidence.curve(
            "iterations", "iterations", sigma_h=h, sigma_i=i
        )
        for h, i in pairs
    }
    gains = {name: curve.at(CONVERGED) - curve.at(1) for name, curve in curves.items()}
    name, gain = minimum(gains)
    measures = [above(f"smallest gain from 1 to 100 iterations, {name}", gain, 0)]
    if not gain > 0:  # a share of it is undefined
        return measures
    shares = {name: (curve.at(10) - curve.at(1)) / gains[name] for name, curve in curves.items()}
    name, share = minimum(shares)
    measures.append(at_least(f"smallest share of it after 10 iterations, {name}", share, 0.8))
    later = {
        name: curve.at(200) - curve.at(CONVERGED)
        for name, curve in curves.items()
        if 200 in curve.x.tolist()
    }
    if later:
        name, gain = maximum(later)
        measures.append(below(f"largest gain from 100 to 200, {name}", gain, 0.002))
    return measures


def low_sparseness_loses_nothing(evidence):
    low, high = (_converged(evidence, sigma_h, 0.75) for sigma_h in (0.75, 0.85))
    return [
        at_least("SSIM at σ_I = 0.75, σ_H = 0.75", low, 0.99),
        at_least("SSIM at σ_I = 0.75, σ_H = 0.85", high, 0.99),
        at_most("their difference", abs(high - low), 0.005),
    ]


def matching_sparseness_is_better(evidence):
    low, high = (_converged(evidence, sigma_h, 0.85) for sigma_h in (0.75, 0.85))
    return [at_least("SSIM at σ_I = 0.85: σ_H = 0.85 − 0.75", high - low, 0.005)]


def dictionaries_agree_at_low_sparseness(evidence):
    spread = _spread(_over_sigma_i(evidence, "ezdl"), lambda x: x <= 0.8 + 1e-9)
    return [at_most("largest spread over σ_H at σ_I ≤ 0.80", spread, 0.02)]


def sparse_codes_need_sparse_learning(evidence):
    values = [
        evidence.curve("ezdl", "sigma_i", sigma_h=sigma_h).at(0.99)
        for sigma_h in DICTIONARY_SPARSENESS
    ]
    return [
        above(f"SSIM at σ_I = 0.99: σ_H = {high:g} − {low:g}", gain, 0)
        for low, high, gain in zip(
            DICTIONARY_SPARSENESS[:-1], DICTIONARY_SPARSENESS[1:], np.diff(values), strict=True
        )
    ]


def penalties_differ_little(evidence):
    curves = _over_sigma_i(evidence, "odl")
    smallest, largest = curves[0], curves[-1]
    wide = _spread(curves, lambda x: x < NARROW_FROM - 1e-9)
    narrow = _spread(curves, lambda x: x >= NARROW_FROM - 1e-9)
    return [
        at_most("largest spread over λ at σ_I < 0.925", wide, 0.03),
        at_most("largest spread over λ at σ_I ≥ 0.925", narrow, 0.02),
        below("SSIM at σ_I = 0.5: largest − smallest λ", largest.at(0.5) - smallest.at(0.5), 0),
        above(
            "SSIM at σ_I = 0.975: largest − smallest λ", largest.at(0.975) - smallest.at(0.975), 0
        ),
    ]


def fewest_nonzeros_are_best(evidence):
    first, *others = (curve.at(0.99) for curve in _over_sigma_i(evidence, "rls-dla"))
    return [above("SSIM at σ_I = 0.99: smallest ζ − best other", first - np.max(others), 0)]


def best_dictionaries_are_equal(evidence):
    curves = evidence.curves("envelopes", by="algorithm", x="sigma_i")
    if len(curves) < 3:
        raise Missing("results of all three learners are needed")
    return [at_most("largest gap between the envelopes", _spread(list(curves.values())), 0.02)]


def _converged(evidence, sigma_h, sigma_i):
    """SSIM after 100 iterations."""
    curve = evidence.curve("iterations", "iterations", sigma_h=sigma_h, sigma_i=sigma_i)
    if curve.x.max() < CONVERGED:
        raise Missing(f"images were reproduced by {curve.x.max():g} iterations, not {CONVERGED}")
    return curve.at(CONVERGED)


def _over_sigma_i(evidence, learner):
    """SSIM over sigma_i for each parameter of a learner, in rising order."""
    parameter = {"ezdl": "sigma_h", "odl": "lambda", "rls-dla": "zeta"}[learner]
    curves = list(evidence.curves(learner, by=parameter, x="sigma_i").values())
    if len(curves) < 2:
        raise Missing("dictionaries with several parameters are needed")
    return curves


def _spread(curves, chosen=lambda x: True):
    """Largest difference between curves, over the abscissas that are chosen."""
    xs = [x for x in curves[0].x if chosen(x)]
    if not xs:
        raise Missing("no σ_I in that range was measured")
    return maximum({x: np.ptp([curve.at(x) for curve in curves]) for x in xs})[1]


CHECKS = {
    "R1": ten_iterations_suffice,
    "R2": low_sparseness_loses_nothing,
    "R3": matching_sparseness_is_better,
    "R4": dictionaries_agree_at_low_sparseness,
    "R5": sparse_codes_need_sparse_learning,
    "R6": penalties_differ_little,
    "R7": fewest_nonzeros_are_best,
    "R8": best_dictionaries_are_equal,
}
