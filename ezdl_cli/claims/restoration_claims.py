"""The paper's prediction for other restoration tasks (section 5), which it does not test."""

from functools import partial

from ..experiments.restoration_labels import (
    DEBLURRING,
    INPAINTING,
    SUPER_RESOLUTION,
    setting_label,
)
from .claim import at_most, reported, worst
from .comparisons import difference

PEERS = ("odl", "rls-dla")
MAX_GAP = 0.1  # dB


def does_as_well(evidence, task, setting):
    """Measure how far EZDL is behind the best of the other learners at one setting of a task."""
    select = partial(_cells, evidence, task, setting)
    psnr, ssim = (
        {name: select(measure, name) for name in ("ezdl", *PEERS)} for measure in ("psnr", "ssim")
    )
    gaps = [
        at_most(f"{name.upper()} − EZDL", difference(psnr[name], psnr["ezdl"]), MAX_GAP)
        for name in PEERS
    ]
    behind = max(PEERS, key=lambda name: ssim[name].mean)
    gain = difference(psnr["ezdl"], select("psnr_baseline", "ezdl"))
    return [
        worst("gap to the best learner in dB", gaps),
        reported("gap in SSIM", difference(ssim[behind], ssim["ezdl"])),
        reported("EZDL − baseline, dB", gain),
        *_other_settings(evidence, task, setting),
    ]


def _other_settings(evidence, task, setting):
    """Report the gap at all other settings, which the condition does not mention."""
    for other in evidence.values("restoration", "setting", task=task):
        if abs(other - setting) > 1e-9:
            cells = {name: _cells(evidence, task, other, "psnr", name) for name in ("ezdl", *PEERS)}
            best = max(PEERS, key=lambda name: cells[name].mean)
            gap = difference(cells[best], cells["ezdl"])
            yield reported(f"gap in dB, {setting_label(task, other)}", gap)


def _cells(evidence, task, setting, measure, learner):
    return evidence.cells("restoration", measure, algorithm=learner, task=task, setting=setting)


CHECKS = {
    "X1": partial(does_as_well, task=SUPER_RESOLUTION, setting=2),
    "X2": partial(does_as_well, task=DEBLURRING, setting=1.6),
    "X3": partial(does_as_well, task=INPAINTING, setting=50),
}
