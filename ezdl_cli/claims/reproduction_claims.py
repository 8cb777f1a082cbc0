"""Claims on the reproduction of entire images (sections 4.3.1 and 4.3.2)."""

import numpy as np

from .claim import Claim, Missing, above, at_least, at_most, below, least, most

FINAL = 100  # iterations
NARROW_FROM = 0.925
DICTIONARY_SPARSENESS = (0.75, 0.85, 0.95, 0.99)


def ten_iterations_suffice(evidence):
    curves = evidence.curves("iterations")
    gains = {name: curve.at(FINAL) - curve.at(1) for name, curve in curves.items()}
    worst, gain = least(gains)
    measures = [above(f"least gain from 1 to 100 iterations, {worst}", gain, 0)]
    if not gain > 0:  # nothing to have a share of
        return measures
    shares = {name: (curve.at(10) - curve.at(1)) / gains[name] for name, curve in curves.items()}
    worst, share = least(shares)
    measures.append(at_least(f"least share of it that 10 have, {worst}", share, 0.8))
    later = {
        name: curve.at(200) - curve.at(FINAL)
        for name, curve in curves.items()
        if 200 in curve.x.tolist()
    }
    if later:
        worst, gain = most(later)
        measures.append(below(f"largest gain from 100 to 200, {worst}", gain, 0.002))
    return measures


def low_sparseness_loses_nothing(evidence):
    low, high = (_converged(evidence, own, 0.75) for own in (0.75, 0.85))
    return [
        at_least("SSIM at σ_I = 0.75, σ_H = 0.75", low, 0.99),
        at_least("SSIM at σ_I = 0.75, σ_H = 0.85", high, 0.99),
        at_most("their difference", abs(high - low), 0.005),
    ]


def matching_sparseness_is_better(evidence):
    low, high = (_converged(evidence, own, 0.85) for own in (0.75, 0.85))
    return [at_least("SSIM at σ_I = 0.85: σ_H = 0.85 less 0.75", high - low, 0.005)]


def little_difference_at_low_sparseness(evidence):
    spread = _spread(evidence, "ezdl", lambda x: x <= 0.8 + 1e-9)
    return [at_most("largest spread over σ_H at σ_I ≤ 0.80", spread, 0.02)]


def sparser_codes_want_sparser_learning(evidence):
    curves = evidence.curves("ezdl")
    names = [f"sigma_H={value:g}" for value in DICTIONARY_SPARSENESS]
    if not set(names) <= set(curves):
        raise Missing(f"there is no dictionary of each σ_H of {DICTIONARY_SPARSENESS}")
    values = [curves[name].at(0.99) for name in names]
    return [
        above(f"SSIM at σ_I = 0.99: σ_H = {high:g} less {low:g}", gain, 0)
        for low, high, gain in zip(
            DICTIONARY_SPARSENESS[:-1], DICTIONARY_SPARSENESS[1:], np.diff(values), strict=True
        )
    ]


def penalties_differ_little(evidence):
    least, *_, most = _in_order(evidence, "odl")
    below_limit = _spread(evidence, "odl", lambda x: x < NARROW_FROM - 1e-9)
    from_limit = _spread(evidence, "odl", lambda x: x >= NARROW_FROM - 1e-9)
    return [
        at_most("largest spread over λ at σ_I < 0.925", below_limit, 0.03),
        at_most("largest spread over λ at σ_I ≥ 0.925", from_limit, 0.02),
        below("SSIM at σ_I = 0.5: largest λ less smallest", most.at(0.5) - least.at(0.5), 0),
        above("SSIM at σ_I = 0.975: largest λ less smallest", most.at(0.975) - least.at(0.975), 0),
    ]


def fewest_nonzeros_do_best(evidence):
    first, *others = (curve.at(0.99) for curve in _in_order(evidence, "rls-dla"))
    return [above("SSIM at σ_I = 0.99: smallest ζ less the best other", first - np.max(others), 0)]


def learners_are_equal(evidence):
    curves = evidence.curves("envelopes")
    if len(curves) < 3:
        raise Missing("there are not all three learners")
    return [at_most("largest gap between the envelopes", _largest_gap(curves.values()), 0.02)]


def _converged(evidence, own, wanted):
    """SSIM after the last iterations, for σ_H and σ_I."""
    name = f"sigma_H={own:g} sigma_I={wanted:g}"
    curves = evidence.curves("iterations")
    if name not in curves:
        raise Missing(f"there is no curve for {name}")
    if curves[name].x.max() < FINAL:
        raise Missing(f"the most iterations are {curves[name].x.max():g}, not {FINAL}")
    return curves[name].at(FINAL)


def _in_order(evidence, figure):
    """The curves of a figure, from the smallest parameter to the largest."""
    curves = evidence.curves(figure)
    if len(curves) < 2:
        raise Missing("there is one parameter only")
    return [curves[name] for name in sorted(curves, key=lambda name: float(name.split("=")[1]))]


def _spread(evidence, figure, chosen):
    """The largest difference between curves, over the abscissas that are chosen."""
    curves = _in_order(evidence, figure)
    return _largest_gap(curves, chosen)


def _largest_gap(curves, chosen=lambda x: True):
    curves = list(curves)
    places = [x for x in curves[0].x if chosen(x)]
    if not places:
        raise Missing("no σ_I of that range was measured")
    return most({x: np.ptp([curve.at(x) for curve in curves]) for x in places})[1]


CLAIMS = (
    Claim(
        "R1",
        "4.3.1",
        ("iterations",),
        "More than one Landweber iteration helps hugely; ten are almost optimal; a hundred have "
        "converged.",
        "SSIM(100) > SSIM(1), and SSIM(10) − SSIM(1) ≥ 80 % of their difference, for every curve; "
        "SSIM(200) − SSIM(100) < 0.002 where measured",
        "a huge increase; almost optimal after ten; converged after a hundred",
        ten_iterations_suffice,
    ),
    Claim(
        "R2",
        "4.3.1",
        ("iterations",),
        "σ_I = 0.75: σ_H = 0.75 and 0.85 both give an SSIM of one.",
        "both ≥ 0.99 and within 0.005 of each other",
        "about equal, the maximum SSIM of one",
        low_sparseness_loses_nothing,
    ),
    Claim(
        "R3",
        "4.3.1",
        ("iterations",),
        "σ_I = 0.85: σ_H = 0.85 is better than 0.75.",
        "by ≥ 0.005",
        "a substantial degradation if σ_H = 0.75",
        matching_sparseness_is_better,
    ),
    Claim(
        "R4",
        "4.3.1",
        ("ezdl",),
        "σ_I ≤ 0.80: hardly any difference between the σ_H.",
        "spread ≤ 0.02",
        "hardly any difference",
        little_difference_at_low_sparseness,
    ),
    Claim(
        "R5",
        "4.3.1",
        ("ezdl",),
        "The larger σ_I, the larger the σ_H that does best.",
        "at σ_I = 0.99 SSIM rises with σ_H over {0.75, 0.85, 0.95, 0.99}",
        "better with very sparse code words during learning",
        sparser_codes_want_sparser_learning,
    ),
    Claim(
        "R6",
        "4.3.2",
        ("odl",),
        "ODL: small differences between λ below σ_I = 0.925, hardly any above; large λ better at "
        "large σ_I, worse at small.",
        "spread ≤ 0.03 below and ≤ 0.02 from 0.925 on; the largest λ worse than the smallest at "
        "σ_I = 0.5, better at 0.975",
        "small differences below 0.925, hardly any above",
        penalties_differ_little,
    ),
    Claim(
        "R7",
        "4.3.2",
        ("rls-dla",),
        "RLS-DLA: at large σ_I the smallest ζ does best.",
        "at σ_I = 0.99",
        "small ζ perform best",
        fewest_nonzeros_do_best,
    ),
    Claim(
        "R8",
        "4.3.2",
        ("envelopes",),
        "The best dictionaries of the three algorithms are equally good.",
        "largest gap between the three upper envelopes over σ_I ≤ 0.02",
        "only a minor difference over the entire range",
        learners_are_equal,
    ),
)
