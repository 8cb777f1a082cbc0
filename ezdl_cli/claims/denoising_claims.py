"""Claims on denoising (section 4.4), by the rules of the paper's reference."""

from contextlib import suppress

from ..experiments.bootstrap import contrast
from .claim import Missing, above, at_least, below, reported, worst
from .comparisons import difference, spread, steps

AUTHORS, OURS = "authors", "ezdl"
LEARNERS = ("ezdl", "odl", "rls-dla")
SMALL_NOISE = (2.5, 5, 7.5, 10)


def quality_falls_with_noise(evidence):
    return _falls(evidence, "psnr_final")


def learners_denoise_equally_well(evidence):
    measures = [spread("PSNR in dB", _points(evidence, "psnr_final", AUTHORS), 0.3)]
    with suppress(Missing):  # only reported
        ours = spread("PSNR in dB", _points(evidence, "psnr_final", OURS), 0.3)
        measures.append(reported("largest gap by this package's rules, dB", ours.value))
    return measures


def odl_is_worse_at_small_noise(evidence):
    measures = [
        above(f"{_label(name)} − ODL, mean over σ ≤ 10, dB", _lead(evidence, name, AUTHORS), 0)
        for name in ("ezdl", "rls-dla")
    ]
    for name in ("ezdl", "rls-dla"):
        for sigma in SMALL_NOISE:
            gain = _lead(evidence, name, AUTHORS, (sigma,))
            measures.append(reported(f"{_label(name)} − ODL at σ = {sigma:g}, dB", gain))
        with suppress(Missing):  # only reported
            what = f"{_label(name)} − ODL by this package's rules, dB"
            measures.append(reported(what, _lead(evidence, name, OURS)))
    return measures


def odl_is_worse_at_two_levels(evidence):
    return [
        at_least(f"{_label(name)} − ODL at σ = {sigma:g}, dB", gain, 0)
        for sigma in (2.5, 5)
        for name in ("ezdl", "rls-dla")
        for gain in (_lead(evidence, name, OURS, (sigma,)),)
    ]


def ssim_agrees(evidence):
    points = _points(evidence, "ssim_final", AUTHORS)
    return [*_falls(evidence, "ssim_final"), spread("SSIM", points, 0.01)]


def _falls(evidence, measure):
    """A measure for each learner: the quality falls from level to level."""
    points = _points(evidence, measure, AUTHORS)
    if len(points) < 2:
        raise Missing("several noise levels are needed")
    kind = measure.removesuffix("_final").upper()
    return [
        worst(
            f"{kind} of {name}",
            [
                below(f"{after} minus {before}", change, 0)
                for before, after, change in steps({at: one[name] for at, one in points.items()})
            ],
        )
        for name in map(_label, LEARNERS)
    ]


def _points(evidence, measure, rules):
    """Quality of each learner at each noise level."""
    return {
        f"σ = {sigma:g}": {
            _label(name): _quality(evidence, measure, name, rules, sigma) for name in LEARNERS
        }
        for sigma in evidence.values("denoising", "sigma", rules=rules)
    }


def _lead(evidence, learner, rules, levels=SMALL_NOISE):
    """Mean lead in PSNR of a learner over ODL, paired."""
    ours, odl = (
        [_quality(evidence, "psnr_final", name, rules, sigma) for sigma in levels]
        for name in (learner, "odl")
    )
    if len(levels) == 1:
        return difference(*ours, *odl)
    share = 1 / len(levels)
    return contrast([*ours, *odl], [share] * len(levels) + [-share] * len(levels))


def _quality(evidence, measure, learner, rules, sigma):
    return evidence.cells("denoising", measure, algorithm=learner, rules=rules, sigma=sigma)


def _label(learner):
    return learner.upper()


CHECKS = {
    "N1": quality_falls_with_noise,
    "N2": learners_denoise_equally_well,
    "N3": odl_is_worse_at_small_noise,
    "N4": ssim_agrees,
}
OLD_CHECKS = {"N3": odl_is_worse_at_two_levels}
