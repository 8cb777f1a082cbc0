"""Figure 7 of the paper: histograms of the phases of fitted Gabor functions.

Phases are folded to the range from 0, even symmetry, to π/2, odd symmetry.
"""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator

from .error_bars import BAR_STYLE, bar_lengths
from .line_styles import SKY
from .style import COLUMN_INCHES, FONT_SIZE, paper_style


def draw(table):
    """Draw one histogram for each dictionary sparseness, side by side."""
    found = list(dict.fromkeys(table["sigma_h"]))
    with paper_style():
        figure = Figure(figsize=(COLUMN_INCHES, 1.9))
        panels = figure.subplots(1, len(found), sharey=True, squeeze=False)[0]
        for axes, sigma_h in zip(panels, found, strict=True):
            rows = table["sigma_h"] == sigma_h
            start, end = table["start"][rows], table["end"][rows]
            share, low, high = (100.0 * table[name][rows] for name in ("share", "low", "high"))
            axes.bar(
                start,
                share,
                end - start,
                align="edge",
                yerr=bar_lengths(share, low, high),
                color=SKY,
                edgecolor="white",  # not that of error bars
                linewidth=0.8,
                error_kw=BAR_STYLE,
            )
            axes.tick_params(which="both", labelsize=FONT_SIZE)
            axes.set_xlim(0.0, np.pi / 2)
            axes.xaxis.set_major_locator(FixedLocator([0.0, np.pi / 4, np.pi / 2]))
            axes.set_xticklabels(["0", "π/4", "π/2"])
            axes.set_title(rf"$\sigma_H = {sigma_h:g}$", fontsize=FONT_SIZE)
            axes.set_xlabel(r"Spatial phase $\varphi$")
        panels[0].set_ylabel("Atoms [%]")
        panels[0].set_ylim(bottom=0.0)
        figure.get_layout_engine().set(wspace=0.1)
    return figure
