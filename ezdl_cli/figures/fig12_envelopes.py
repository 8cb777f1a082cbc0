"""Figure 12 of the paper: the best dictionary of each learner over the inference sparseness."""

from .curves_with_error_bars import draw_curves
from .fig10b_sparseness import XLABEL
from .style import LEARNER_STYLES


def draw(table):
    """Draw one line for each learner."""
    styles = {(name,): style for name, style in LEARNER_STYLES.items()}
    return draw_curves(table, ("algorithm",), styles, "sigma_i", XLABEL)
