"""Claims on denoising (section 4.4)."""

import numpy as np

from .claim import Claim, Missing, at_least, at_most, below, most

SMALL_NOISE = (2.5, 5)


def noise_hurts(evidence):
    return [
        below(f"{name}: largest change from a level to the next, dB", np.diff(curve.y).max(), 0)
        for name, curve in _curves(evidence).items()
    ]


def learners_are_equal(evidence):
    curves = list(_curves(evidence).values())
    gaps = {x: np.ptp([curve.at(x) for curve in curves]) for x in curves[0].x}
    worst, gap = most(gaps)
    return [at_most(f"largest gap, at σ = {worst:g}, dB", gap, 0.3)]


def small_noise_favours_two(evidence):
    curves = _curves(evidence)
    return [
        at_least(f"{name} less ODL at σ = {x:g}, dB", curves[name].at(x) - curves["odl"].at(x), 0)
        for x in SMALL_NOISE
        for name in ("ezdl", "rls-dla")
    ]


def _curves(evidence):
    curves = evidence.curves("denoising", "psnr_final")
    if len(curves) < 3 or any(len(curve.x) < 2 for curve in curves.values()):
        raise Missing("there are not all three learners at several noise levels")
    return curves


CLAIMS = (
    Claim(
        "N1",
        "4.4",
        ("denoising",),
        "Denoising gets worse as the noise grows.",
        "PSNR falls strictly with σ, for each algorithm",
        "gets worse",
        noise_hurts,
    ),
    Claim(
        "N2",
        "4.4",
        ("denoising",),
        "Hardly any difference between the three algorithms' dictionaries.",
        "largest gap ≤ 0.3 dB at every σ",
        "hardly any difference",
        learners_are_equal,
    ),
    Claim(
        "N3",
        "4.4",
        ("denoising",),
        "For small noise RLS-DLA and EZDL are slightly better than ODL.",
        "at σ = 2.5 and 5, both ≥ ODL",
        "slightly better",
        small_noise_favours_two,
    ),
)
