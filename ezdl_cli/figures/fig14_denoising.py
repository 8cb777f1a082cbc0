"""Figure 14 of the paper: quality of denoised images over the noise level."""

from .line_styles import LEARNER_STYLES
from .quality_curves import draw_curves

XLABEL = r"Standard deviation of the noise $\sigma$"


def draw(table):
    """Draw one line for each learner."""
    styles = {(name,): style for name, style in LEARNER_STYLES.items()}
    return draw_curves(table, ("algorithm",), styles, "sigma", XLABEL)
