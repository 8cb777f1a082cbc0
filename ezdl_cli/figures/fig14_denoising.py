"""Figure 14 of the paper: quality of denoised images over the noise level."""

from .curves import draw_curves, mean_curves
from .style import LEARNERS

QUALITY = "psnr_final"
XLABEL = r"Standard deviation of the noise $\sigma$"


def summarise(table, name):
    """Mean quality of each learner."""
    return mean_curves(table, table["algorithm"], "sigma", QUALITY)


def draw(table):
    """Draw one line a learner."""
    others = set(table["curve"]) - set(LEARNERS)
    if others:
        raise ValueError(f"there is no line for {', '.join(sorted(others))}")
    return draw_curves(table, XLABEL, LEARNERS, quality=QUALITY)
