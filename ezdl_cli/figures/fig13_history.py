"""Figure 13 of the paper: quality of reproduction on the way, over the epochs of the training."""

import numpy as np

from .curves import draw_curves, final, mean_curves, numbers
from .style import LEARNERS, ORANGE, SKY, Look

LOOKS = {
    "odl": LEARNERS["odl"],
    "rls-dla": LEARNERS["rls-dla"],
    "ezdl 1": Look(r"EZDL, $\eta_0 = 1$", LEARNERS["ezdl"].color, LEARNERS["ezdl"].marker),
    "ezdl 0.25": Look(r"EZDL, $\eta_0 = 1/4$", ORANGE, "^", "--"),
    "ezdl 0.0625": Look(r"EZDL, $\eta_0 = 1/16$", SKY, "v", ":"),
}


def summarise(table, name):
    """Mean quality of each learner and step size."""
    pairs = zip(table["algorithm"], numbers(table, "step_size"), strict=True)
    names = [f"{learner} {step:g}" if learner == "ezdl" else learner for learner, step in pairs]
    names = np.array(names, dtype=object)  # some may be long
    return mean_curves(table, np.where(final(table), names, ""), "epochs")


def draw(table):
    """Draw one line a learner and step size."""
    others = set(table["curve"]) - set(LOOKS)
    if others:
        raise ValueError(f"there is no line for {', '.join(sorted(others))}")
    return draw_curves(table, "Epochs of learning", LOOKS, logarithmic=True)
