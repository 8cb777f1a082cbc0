"""Figures 10b, 11a and 11b: quality of reproduction over the inference sparseness.

One line for each parameter of the learner: σ_H of EZDL, λ of ODL, ζ of RLS-DLA.
"""

import numpy as np

from .curves import draw_curves, final, looks, mean_curves

# Column of the parameter, and the name of a curve.
PARAMETERS = {
    "ezdl": ("dictionary_sparseness", "sigma_H={:g}"),
    "odl": ("lambda", "lambda={:g}"),
    "rls-dla": ("nonzeros", "zeta={:g}"),
}
XLABEL = r"Inference sparseness $\sigma_I$"


def summarise(table):
    """Mean quality for each parameter; all rows must be of one learner."""
    learners = set(table["algorithm"])
    if len(learners) != 1 or not learners <= set(PARAMETERS):
        raise ValueError(f"one of {', '.join(PARAMETERS)} is wanted, not {', '.join(learners)}")
    column, text = PARAMETERS[learners.pop()]
    names = [text.format(value) for value in table[column]]
    return mean_curves(table, np.where(final(table), names, ""), "inference_sparseness")


def draw(table):
    """Draw one line a parameter."""
    return draw_curves(table, XLABEL, looks(table["curve"]))
