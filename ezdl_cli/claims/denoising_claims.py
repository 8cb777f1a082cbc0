"""Claims on denoising (section 4.4)."""

import numpy as np

from .claim import Claim, Missing, at_least, at_most, below, maximum

SMALL_NOISE = (2.5, 5)


def quality_falls_with_noise(evidence):
    return [
        below(f"{name}: largest change between levels, dB", np.diff(curve.y).max(), 0)
        for name, curve in _curves(evidence).items()
    ]


def learners_denoise_equally_well(evidence):
    curves = list(_curves(evidence).values())
    gaps = {x: np.ptp([curve.at(x) for curve in curves]) for x in curves[0].x}
    sigma, gap = maximum(gaps)
    return [at_most(f"largest gap, at σ = {sigma:g}, dB", gap, 0.3)]


def odl_is_worse_at_small_noise(evidence):
    curves = _curves(evidence)
    return [
        at_least(f"{name} − ODL at σ = {x:g}, dB", curves[name].at(x) - curves["odl"].at(x), 0)
        for x in SMALL_NOISE
        for name in ("ezdl", "rls-dla")
    ]


def _curves(evidence):
    """PSNR over the noise level, by learner."""
    curves = evidence.curves("denoising", by="algorithm", x="sigma")
    if len(curves) < 3 or any(len(curve.x) < 2 for curve in curves.values()):
        raise Missing("three learners at several noise levels are needed")
    return curves


CLAIMS = (
    Claim(
        "N1",
        "4.4",
        ("denoising",),
        "Denoising gets worse as the noise grows.",
        "PSNR falls strictly with σ, for each algorithm",
        "gets worse",
        quality_falls_with_noise,
    ),
    Claim(
        "N2",
        "4.4",
        ("denoising",),
        "Hardly any difference between the three algorithms' dictionaries.",
        "largest gap ≤ 0.3 dB at every σ",
        "hardly any difference",
        learners_denoise_equally_well,
    ),
    Claim(
        "N3",
        "4.4",
        ("denoising",),
        "For small noise RLS-DLA and EZDL are slightly better than ODL.",
        "at σ = 2.5 and 5, both ≥ ODL",
        "slightly better",
        odl_is_worse_at_small_noise,
    ),
)
