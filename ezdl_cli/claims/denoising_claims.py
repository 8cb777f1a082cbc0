"""Claims on denoising (section 4.4)."""

import numpy as np

from .claim import Missing, at_least, at_most, below, maximum

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


CHECKS = {
    "N1": quality_falls_with_noise,
    "N2": learners_denoise_equally_well,
    "N3": odl_is_worse_at_small_noise,
}
