"""The paper's prediction for other restoration tasks (section 5), which it does not test."""

from contextlib import suppress
from functools import partial

from ..experiments.bootstrap import NotComparable
from ..experiments.restoration_labels import (
    DEBLURRING,
    INPAINTING,
    SUPER_RESOLUTION,
    setting_label,
)
from .claim import Missing, at_most, reported, worst
from .comparisons import difference

LEARNERS = ("ezdl", "odl", "rls-dla")
MAX_GAP = 0.1  # dB
TOLERANCE = 1e-9  # of settings that are the same


def does_as_well(evidence, task, setting):
    """Measure how far EZDL is behind the best of the other learners at one setting of a task."""
    ezdl, *peers = (_cells(evidence, task, setting, "psnr", name) for name in LEARNERS)
    gaps = [
        at_most(f"{name.upper()} − EZDL", difference(psnr, ezdl), MAX_GAP)
        for name, psnr in zip(LEARNERS[1:], peers, strict=True)
    ]
    baseline = _cells(evidence, task, setting, "psnr_baseline", "ezdl")
    return [
        worst("gap to the best learner in dB", gaps),
        reported("gap in SSIM", _gap(evidence, task, setting, "ssim")),
        reported("EZDL − baseline, dB", difference(ezdl, baseline)),
        *_largest_of_others(evidence, task, setting),
    ]


def _largest_of_others(evidence, task, setting):
    """Report the largest gap at other settings, which the condition does not mention."""
    gaps = {}
    for other in evidence.values("restoration", "setting", task=task):
        if abs(other - setting) > TOLERANCE:
            with suppress(Missing, NotComparable):  # only reported
                gaps[other] = _gap(evidence, task, other, "psnr")
    if gaps:
        other = max(gaps, key=lambda one: gaps[one].value)
        what = f"largest gap at other settings in dB, {setting_label(task, other)}"
        yield reported(what, gaps[other])


def _gap(evidence, task, setting, measure):
    """Estimate how far EZDL is behind the other learner with the highest mean."""
    ezdl, *peers = (_cells(evidence, task, setting, measure, name) for name in LEARNERS)
    return difference(max(peers, key=lambda cells: cells.mean), ezdl)


def _cells(evidence, task, setting, measure, learner):
    return evidence.cells("restoration", measure, algorithm=learner, task=task, setting=setting)


CHECKS = {
    "X1": partial(does_as_well, task=SUPER_RESOLUTION, setting=2),
    "X2": partial(does_as_well, task=DEBLURRING, setting=1.6),
    "X3": partial(does_as_well, task=INPAINTING, setting=50),
}
