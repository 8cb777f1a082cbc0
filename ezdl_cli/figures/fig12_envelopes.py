"""Figure 12 of the paper: the best dictionary of each learner over the inference sparseness."""

from .fig10b_sparseness import XLABEL
from .line_styles import LEARNER_STYLES
from .quality_curves import draw_curves


def draw(table):
    """Draw one line for each learner."""
    styles = {(name,): style for name, style in LEARNER_STYLES.items()}
    return draw_curves(table, ("algorithm",), styles, "sigma_i", XLABEL)
