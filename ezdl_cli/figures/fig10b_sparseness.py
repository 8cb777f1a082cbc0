"""Figures 10b, 11a and 11b: reproduction quality over the inference sparseness.

One line for each parameter of the learner: σ_H of EZDL, λ of ODL, ζ of RLS-DLA.
"""

from .line_styles import parameter_styles
from .quality_curves import draw_curves

PARAMETERS = ("sigma_h", "lambda", "zeta")
XLABEL = r"Inference sparseness $\sigma_I$"


def draw(table):
    """Draw one line for each parameter of the learner."""
    columns = [name for name in PARAMETERS if name in table]
    return draw_curves(table, columns, parameter_styles(table, *columns), "sigma_i", XLABEL)
