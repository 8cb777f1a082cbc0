"""Figures 10b, 11a and 11b: quality of reproduction over the inference sparseness.

One line for each parameter of the learner: σ_H of EZDL, λ of ODL, ζ of RLS-DLA.
"""

import numpy as np

from .curves import draw_curves, final, looks, mean_curves, numbers

# Column of the parameter, and the name of a curve.
PARAMETERS = {
    "ezdl": ("dictionary_sparseness", "sigma_H={:g}"),
    "odl": ("lambda", "lambda={:g}"),
    "rls-dla": ("nonzeros", "zeta={:g}"),
}
XLABEL = r"Inference sparseness $\sigma_I$"


def summarise(table, name):
    """Mean quality for each parameter of a learner."""
    column, text = PARAMETERS[name]
    names = [text.format(value) for value in numbers(table, column)]
    mine = final(table) & (table["algorithm"] == name)
    return mean_curves(table, np.where(mine, names, ""), "inference_sparseness")


def draw(table):
    """Draw one line a parameter."""
    return draw_curves(table, XLABEL, looks(table["curve"]))
