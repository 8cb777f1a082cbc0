"""Figure 10a of the paper: reproduction quality over Landweber iterations."""

from .line_styles import parameter_styles
from .quality_curves import draw_curves

CURVES = ("sigma_h", "sigma_i")


def draw(table):
    """Draw one line for each pair of dictionary sparseness and inference sparseness."""
    styles = parameter_styles(table, *CURVES)
    return draw_curves(table, CURVES, styles, "iterations", "Landweber iterations", True)
