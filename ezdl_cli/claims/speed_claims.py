"""Claims on the time and the course of learning (section 4.3.3)."""

from itertools import combinations

import numpy as np

from ..experiments.bootstrap import contrast, limit_outlying, statistic_of_means
from .claim import (
    Missing,
    above,
    at_least,
    at_most,
    attempt,
    below,
    not_measured,
    reported,
    within,
    worst,
)
from .comparisons import difference, spread

COMPARED_AT = 100  # epochs after which the paper compares the learners
LAST = 1000  # epochs of the paper
LATEST_MINIMUM = 10  # epochs
STEP_SIZES = (1, 0.25, 0.0625)
# The parameters with which the paper compares the learners.
PARAMETERS = {"ezdl": {"sigma_h": 0.99}, "odl": {"lambda": 2}, "rls-dla": {"zeta": 4}}


def ezdl_epoch_is_faster_than_odl(evidence):
    ezdl, odl = (epoch_seconds(evidence, name) for name in ("ezdl", "odl"))
    measures = [at_most("time per epoch, EZDL / ODL", ezdl / odl, 0.7)]
    try:
        spams = epoch_seconds(evidence, "odl", implementation="spams")
    except Missing:  # SPAMS is not installed
        return measures
    return [*measures, at_most("time per epoch, EZDL / SPAMS", ezdl / spams, 0.7)]


def rls_dla_is_slow(evidence):
    ezdl, rls_dla = (epoch_seconds(evidence, name) for name in ("ezdl", "rls-dla"))
    return [at_least("time per epoch, RLS-DLA / EZDL", rls_dla / ezdl, 2)]


def odl_improves_steadily(evidence):
    odl = History(evidence, "odl")
    gains = [
        at_least(f"epochs {before:g} to {after:g}", odl.gain(before, after), -0.003)
        for before, after in combinations(odl.epochs, 2)
    ]
    measures = [worst("gain", gains)]
    last = odl.epochs[-1]
    if last <= COMPARED_AT:
        return [*measures, _ended_early("the gain after epoch 100", last)]
    gain = odl.gain(COMPARED_AT, last)
    return [*measures, at_most(f"gain from epoch 100 to {last:g}", gain, 0.01)]


def large_steps_recover(evidence):
    ezdl, odl = History(evidence, "ezdl", 1), History(evidence, "odl")
    loss = below("lowest SSIM − that of epoch 1", ezdl.largest_loss(), 0)
    return [loss, *_recovery(ezdl, odl, ezdl.epoch_of_minimum())]


def large_steps_have_an_early_minimum(evidence):
    ezdl, odl = History(evidence, "ezdl", 1), History(evidence, "odl")
    return _recovery(ezdl, odl, ezdl.epoch_of_minimum())


def _recovery(ezdl, odl, lowest):
    """The lowest SSIM is early, and EZDL equals ODL after 100 epochs."""
    if ezdl.epochs[-1] <= LATEST_MINIMUM:
        raise Missing(f"training ended after {ezdl.epochs[-1]:g} epochs")
    measures = [at_most("epoch of the lowest SSIM", lowest, LATEST_MINIMUM)]
    if ezdl.epochs[-1] < COMPARED_AT:
        return [*measures, _ended_early("epoch 100", ezdl.epochs[-1])]
    gap = difference(ezdl.at(COMPARED_AT), odl.at(COMPARED_AT))
    return [*measures, within("EZDL − ODL after 100 epochs", gap, -0.01, 0.01)]


def small_steps_lead(evidence):
    quarter, sixteenth = (History(evidence, "ezdl", eta0) for eta0 in STEP_SIZES[1:])
    odl = History(evidence, "odl")
    leads = [
        at_least(f"epoch {epoch:g}", difference(sixteenth.at(epoch), odl.at(epoch)), -0.003)
        for epoch in odl.epochs
        if epoch <= COMPARED_AT
    ]
    measures = [
        attempt(
            lambda: at_least(
                "η₀ = 1/4 − ODL after 20 epochs", difference(quarter.at(20), odl.at(20)), -0.003
            )
        ),
        worst("η₀ = 1/16 − ODL", leads),
    ]
    if odl.epochs[-1] < COMPARED_AT:
        measures.append(_ended_early("the epochs up to 100", odl.epochs[-1]))
    return measures


def all_learners_end_equal(evidence):
    ends = _ends(evidence, LAST)
    small = difference(ends["EZDL, η₀ = 0.0625"], ends["EZDL, η₀ = 1"])
    return [
        spread("SSIM", {f"epoch {LAST}": ends}, 0.01),
        below("η₀ = 1/16 − η₀ = 1", small, 0),
    ]


def all_learners_are_equal_at_the_last_epoch(evidence):
    last = History(evidence, "odl").epochs[-1]
    return [spread("SSIM", {f"epoch {last:g}": _ends(evidence, last)}, 0.01)]


def rls_dla_improves_slowly(evidence):
    rls_dla, odl = History(evidence, "rls-dla"), History(evidence, "odl")

    def lead(epoch):
        return difference(rls_dla.at(epoch), odl.at(epoch))

    measures = [
        attempt(lambda: above("RLS-DLA − ODL after epoch 1", lead(1), 0)),
        attempt(lambda: below("RLS-DLA − ODL after epoch 50", lead(50), 0)),
    ]
    if rls_dla.epochs[-1] < LAST:
        return [*measures, _ended_early(f"epoch {LAST}", rls_dla.epochs[-1])]
    return [
        *measures,
        attempt(
            lambda: at_least(
                "gain of RLS-DLA from epoch 100 to 1000", rls_dla.gain(100, LAST), 0.005
            )
        ),
        attempt(lambda: within("RLS-DLA − ODL after epoch 1000", lead(LAST), -0.01, 0.01)),
    ]


def ezdl_leads_at_equal_times(evidence):
    epoch = {name: epoch_seconds(evidence, name) for name in ("ezdl", "odl")}
    courses = [History(evidence, "ezdl", eta0) for eta0 in STEP_SIZES]
    odl = History(evidence, "odl")
    leads = []
    for count in odl.epochs:
        ours = count * epoch["odl"] / epoch["ezdl"]  # epochs of EZDL in the same time
        if 1 <= ours <= courses[0].epochs[-1]:
            lead = max((course.lead(ours, odl.at(count)) for course in courses), key=_value)
            leads.append(at_least(f"after {count * epoch['odl']:.3g} s", lead, -0.003))
    return [
        worst("best EZDL − ODL", leads),
        reported("time per epoch, EZDL / ODL", epoch["ezdl"] / epoch["odl"]),
    ]


class History:
    """SSIM of a learner over the epochs of training."""

    def __init__(self, evidence, algorithm, eta0=None):
        parameters = {"algorithm": algorithm, "eta0": eta0}
        found = evidence.values("history", "epoch", **parameters)
        self.epochs = [epoch for epoch in found if epoch >= 1]
        if len(self.epochs) < 2:
            raise Missing(f"{algorithm} was evaluated after one epoch only")
        self._cells = [
            evidence.cells("history", "ssim", epoch=epoch, **parameters) for epoch in self.epochs
        ]

    def at(self, epoch):
        """Return the cells of an epoch; raise `Missing` if it was not measured."""
        if epoch not in self.epochs:
            raise Missing(f"nothing was measured after epoch {epoch:g}")
        return self._cells[self.epochs.index(epoch)]

    def gain(self, before, after):
        """Estimate the gain between two epochs."""
        return difference(self.at(after), self.at(before))

    def epoch_of_minimum(self):
        """Estimate the epoch with the lowest SSIM."""
        epochs = np.array(self.epochs)
        cells = limit_outlying(self._cells)
        return statistic_of_means(lambda means: epochs[means.argmin(axis=1)], cells)

    def largest_loss(self):
        """Estimate the difference between the lowest SSIM and that of epoch 1."""
        cells = limit_outlying([self.at(1), *self._cells])
        return statistic_of_means(lambda means: means.min(axis=1) - means[:, 0], cells)

    def lead(self, epoch, other):
        """Estimate the difference to other cells after an epoch.

        It is interpolated linearly in the logarithm of the epoch.
        """
        after = int(np.clip(np.searchsorted(self.epochs, epoch), 1, len(self.epochs) - 1))
        low, high = np.log(self.epochs[after - 1 : after + 1])
        share = float((np.log(epoch) - low) / (high - low))
        return contrast([*self._cells[after - 1 : after + 1], other], [1 - share, share, -1])


def _value(estimate):
    return estimate.value


def epoch_seconds(evidence, algorithm, implementation="ezdl", n_features=64, **parameters):
    """Return the time of an epoch, with atoms of 8 × 8 pixels unless stated otherwise."""
    parameters = PARAMETERS[algorithm] | parameters
    if algorithm == "ezdl":
        parameters = {"inference": "ordinary", "atom_rank": None, "gradient": "short"} | parameters
    rows = evidence.select(
        "epochs",
        n_features=n_features,
        algorithm=algorithm,
        implementation=implementation,
        **parameters,
    )
    return rows["seconds"][0]


def _ends(evidence, epoch):
    """SSIM of all learners and step sizes after an epoch; raise `Missing` if there is none."""
    courses = {f"EZDL, η₀ = {eta0:g}": History(evidence, "ezdl", eta0) for eta0 in STEP_SIZES}
    courses |= {"ODL": History(evidence, "odl"), "RLS-DLA": History(evidence, "rls-dla")}
    return {name: course.at(epoch) for name, course in courses.items()}


def _ended_early(what, last):
    return not_measured(f"{what}: training ended after epoch {last:g}")


CHECKS = {
    "S1": ezdl_epoch_is_faster_than_odl,
    "S2": rls_dla_is_slow,
    "S3": odl_improves_steadily,
    "S4": large_steps_recover,
    "S5": small_steps_lead,
    "S6": all_learners_end_equal,
    "S7": rls_dla_improves_slowly,
    "S8": ezdl_leads_at_equal_times,
}
OLD_CHECKS = {
    "S4": large_steps_have_an_early_minimum,
    "S6": all_learners_are_equal_at_the_last_epoch,
}
