"""Figure 12 of the paper: the best dictionary of each learner over the inference sparseness."""

import numpy as np

from .curves import draw_curves, final, mean_curves, numbers
from .fig10b_sparseness import PARAMETERS, XLABEL
from .style import LEARNERS


def summarise(table, name):
    """The largest mean quality over the parameters of each learner."""
    parts = []
    for learner, (column, _) in PARAMETERS.items():
        names = [f"{learner} {value:g}" for value in numbers(table, column)]
        mine = final(table) & (table["algorithm"] == learner)
        if mine.any():
            parts.append(
                _best(mean_curves(table, np.where(mine, names, ""), "inference_sparseness"))
            )
    if not parts:
        raise ValueError("it has no rows for this figure")
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _best(curves):
    """The upper envelope; each point says which parameter it is of."""
    keep = []
    for x in np.unique(curves["abscissa"]):
        here = np.flatnonzero(curves["abscissa"] == x)
        keep.append(here[curves["ssim"][here].argmax()])
    best = {name: column[keep] for name, column in curves.items()}
    learners = [name.split()[0] for name in best["curve"]]
    return {**best, "curve": np.array(learners), "best": best["curve"]}


def draw(table):
    """Draw one line a learner."""
    return draw_curves(table, XLABEL, LEARNERS)
