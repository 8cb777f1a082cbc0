"""Quality of the learners, and below it how much each of them differs from ODL.

The curves of the upper panel hide each other where learners are equally good. In the lower panel,
thick bars are standard errors and thin ones 95 % confidence intervals. The points of different
curves are drawn side by side, some points (1/72 inch) apart.
"""

import numpy as np
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import ScaledTranslation

from ..experiments.reference_differences import COLUMNS
from .error_bars import BAR_STYLE, bar_lengths
from .line_styles import LEARNER_STYLES
from .quality_curves import add_legend, draw_curves, find_curves, plot_quality
from .style import new_stack, paper_style

YLABELS = {
    "ssim": "SSIM − ODL (× 10⁻³)",
    "psnr_final": "PSNR − ODL (dB)",
    "gain": "PSNR − ODL (dB)",
}
SCALES = {"ssim": 1e3, "psnr_final": 1.0, "gain": 1.0}
HEIGHTS = 2.1, 1.85  # inches
MAX_SPACING = 2.8  # between the points of neighbouring curves, in points
MAX_SPAN = 6.0  # between those of the first and the last curve, in points
THICK = 2.2  # width of standard errors, in points


def draw_with_differences(table, columns, styles, x, xlabel):
    """Draw the curves as `draw_curves`, and their differences to ODL below them.

    The lower panel is left out if the table has no differences.
    """
    differing = np.isfinite(table["minus_odl"])
    if not differing.any():
        return draw_curves(table, columns, styles, x, xlabel)
    curves = find_curves(table, columns, styles)
    with paper_style():
        figure, (upper, lower) = new_stack(HEIGHTS)
        plot_quality(upper, table, curves, x)
        compared = [(style, rows & differing) for style, rows in curves]
        compared = [(style, rows) for style, rows in compared if rows.any()]
        lower.axhline(0.0, color=LEARNER_STYLES["odl"].color, linewidth=0.8, zorder=1)
        last = len(compared) - 1
        spacing = min(MAX_SPACING, MAX_SPAN / max(last, 1))
        for i, (style, rows) in enumerate(compared):
            shift = spacing * (i - 0.5 * last)
            _plot_differences(lower, table, rows, x, style, shift)
        lower.yaxis.set_major_locator(MaxNLocator(nbins=6, steps=(1, 2, 2.5, 5, 10)))
        lower.set(xlabel=xlabel, ylabel=YLABELS[str(table["measure"][0])])
        figure.align_ylabels()
        add_legend(figure, curves)
    return figure


def _plot_differences(axes, table, rows, x, style, shift):
    """Plot one curve of differences, moved to the right by `shift` points."""
    scale = SCALES[str(table["measure"][0])]
    mean, error, low, high = (scale * table[name][rows] for name in COLUMNS)
    inches = axes.figure.dpi_scale_trans
    transform = axes.transData + ScaledTranslation(shift / 72.0, 0.0, inches)
    bars = {"ls": "", "color": style.color, "transform": transform}
    if np.isfinite(error).any():
        thick = {"elinewidth": THICK, "alpha": 0.5}
        axes.errorbar(table[x][rows], mean, yerr=error, marker="", **bars, **thick)
    thin = {"yerr": bar_lengths(mean, low, high), "marker": style.marker, **BAR_STYLE}
    if not style.marker:
        thin |= {"marker": "o", "markerfacecolor": "white"}
    axes.errorbar(table[x][rows], mean, label=style.label, **bars, **thin)
    # Limits do not follow from data in other coordinates.
    for end in (mean, mean - error, mean + error, low, high):
        known = np.isfinite(end)
        axes.update_datalim(np.column_stack((table[x][rows], end))[known])
    axes.autoscale_view()
