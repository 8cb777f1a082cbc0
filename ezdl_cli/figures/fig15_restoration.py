"""Figures 15 to 17, beyond the paper: gain in quality over a baseline, for three restoration tasks.

A second panel has the differences to dictionaries of ODL.
"""

from matplotlib.ticker import FixedLocator, NullLocator

from ..experiments.restoration_labels import DEBLURRING, INPAINTING, SUPER_RESOLUTION
from .difference_panel import draw_with_differences
from .line_styles import LEARNER_STYLES

XLABELS = {
    SUPER_RESOLUTION: "Factor of enlargement",
    DEBLURRING: "Standard deviation of the blur (pixels)",
    INPAINTING: "Missing pixels (%)",
}
MAX_TICKS = 8  # more settings are not all named


def draw(table):
    """Draw one line for each learner."""
    (task,) = set(table["task"].tolist())
    styles = {(name,): style for name, style in LEARNER_STYLES.items()}
    figure = draw_with_differences(table, ("algorithm",), styles, "setting", XLABELS[task])
    settings = sorted(set(table["setting"].tolist()))
    if len(settings) <= MAX_TICKS:
        for axes in figure.axes:
            axes.xaxis.set_major_locator(FixedLocator(settings))
            axes.xaxis.set_minor_locator(NullLocator())
    return figure
