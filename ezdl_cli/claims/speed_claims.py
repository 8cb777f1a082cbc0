"""Claims on the time and the course of learning (section 4.3.3)."""

import numpy as np

from .claim import Missing, at_least, at_most, minimum, not_measured, reported

COMPARED_AT = 100  # epochs after which the paper compares the learners
# The parameters with which the paper compares the learners.
PARAMETERS = {"ezdl": {"sigma_h": 0.99}, "odl": {"lambda": 2}, "rls-dla": {"zeta": 4}}


def ezdl_epoch_is_faster_than_odl(evidence):
    ezdl, odl = (_epoch_seconds(evidence, name) for name in ("ezdl", "odl"))
    measures = [at_most("time per epoch, EZDL / ODL", ezdl / odl, 0.7)]
    try:
        spams = _epoch_seconds(evidence, "odl", implementation="spams")
    except Missing:  # SPAMS is not installed
        return measures
    return [*measures, at_most("time per epoch, EZDL / SPAMS", ezdl / spams, 0.7)]


def rls_dla_is_slow(evidence):
    ezdl, rls_dla = (_epoch_seconds(evidence, name) for name in ("ezdl", "rls-dla"))
    return [at_least("time per epoch, RLS-DLA / EZDL", rls_dla / ezdl, 2)]


def odl_improves_steadily(evidence):
    curve = _history(evidence, "odl")
    measures = [at_least("smallest gain between points", np.diff(curve.y).min(), -0.003)]
    last = curve.x[-1]
    if last <= COMPARED_AT:
        reason = f"gain after 100 epochs: training ended at epoch {last:g}"
        return [*measures, not_measured(reason)]
    gain = curve.y[-1] - curve.at(COMPARED_AT)
    return [*measures, at_most(f"gain from epoch 100 to {last:g}", gain, 0.01)]


def large_steps_recover(evidence):
    ezdl, odl = _history(evidence, "ezdl", 1), _history(evidence, "odl")
    if ezdl.x[-1] <= 10:
        raise Missing(f"training ended after {ezdl.x[-1]:g} epochs")
    worst = np.nan if np.isnan(ezdl.y).any() else ezdl.x[ezdl.y.argmin()]
    measures = [at_most("epoch of the lowest SSIM", worst, 10)]
    if ezdl.x[-1] < COMPARED_AT:
        return [*measures, not_measured("SSIM after 100 epochs: training ended too early")]
    gap = abs(ezdl.at(COMPARED_AT) - odl.at(COMPARED_AT))
    return [*measures, at_most("difference to ODL after 100 epochs", gap, 0.01)]


def small_steps_lead(evidence):
    quarter, sixteenth = (_history(evidence, "ezdl", eta0) for eta0 in (0.25, 0.0625))
    odl = _history(evidence, "odl")
    gain = quarter.at(20) - odl.at(20)
    measures = [at_least("η₀ = 1/4 − ODL after 20 epochs", gain, -0.003)]
    epoch, lead = minimum({x: sixteenth.at(x) - odl.at(x) for x in odl.x if x <= COMPARED_AT})
    what = f"smallest lead of η₀ = 1/16 over ODL, at epoch {epoch:g}"
    measures.append(at_least(what, lead, -0.003))
    if odl.x[-1] < COMPARED_AT:
        measures.append(not_measured("the epochs up to 100: training ended too early"))
    return measures


def all_learners_end_equal(evidence):
    curves = {
        (algorithm, eta0): evidence.curve("history", "epoch", algorithm=algorithm, eta0=eta0)
        for algorithm, eta0 in (
            ("ezdl", 1),
            ("ezdl", 0.25),
            ("ezdl", 0.0625),
            ("odl", None),
            ("rls-dla", None),
        )
    }
    last = max(curve.x[-1] for curve in curves.values())
    ends = {key: curve.at(last) for key, curve in curves.items()}
    small = ends["ezdl", 0.0625] - ends["ezdl", 1]
    return [
        at_most(f"spread at epoch {last:g}", np.ptp(list(ends.values())), 0.01),
        reported("η₀ = 1/16 − η₀ = 1 after the last epoch", small),
    ]


def _epoch_seconds(evidence, algorithm, implementation="ezdl"):
    """Time of an epoch with atoms of 8 × 8 pixels."""
    rows = evidence.select(
        "epochs",
        n_features=64,
        algorithm=algorithm,
        implementation=implementation,
        **PARAMETERS[algorithm],
    )
    return rows["seconds"][0]


def _history(evidence, algorithm, eta0=None):
    """SSIM over the epochs of learning."""
    curve = evidence.curve("history", x="epoch", algorithm=algorithm, eta0=eta0)
    if len(curve.x) < 2:
        raise Missing(f"{algorithm} was evaluated after one epoch only")
    return curve


CHECKS = {
    "S1": ezdl_epoch_is_faster_than_odl,
    "S2": rls_dla_is_slow,
    "S3": odl_improves_steadily,
    "S4": large_steps_recover,
    "S5": small_steps_lead,
    "S6": all_learners_end_equal,
}
