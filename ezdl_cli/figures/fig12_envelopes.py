"""Figure 12 of the paper: the best dictionary of each learner over the inference sparseness.

A second panel has the differences to the best dictionary of ODL.
"""

from .difference_panel import draw_with_differences
from .fig10b_sparseness import XLABEL
from .line_styles import LEARNER_STYLES


def draw(table):
    """Draw one line for each learner."""
    styles = {(name,): style for name, style in LEARNER_STYLES.items()}
    return draw_with_differences(table, ("algorithm",), styles, "sigma_i", XLABEL)
