"""Figure 7 of the paper: histograms of the phase of fitted Gabor functions at two σ_H.

Phases are folded to [0, π/2]: 0 is even and π/2 odd symmetry. Shares of all atoms that are Gabor
functions, error bars over dictionaries.
"""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator

from .repeats import columns, of_gabors, over_repeats
from .style import COLUMN_INCHES, FONT_SIZE, SKY, paper_style

SPARSENESS = (0.75, 0.99)
N_BINS = 8
COLUMNS = ("sparseness", "start", "end", "share", "deviation", "dictionaries", "atoms")


def summarise(table, name):
    """Share of the atoms in each bin, at each sparseness."""
    table = of_gabors(table)
    edges = np.linspace(0.0, np.pi / 2, N_BINS + 1)
    rows = []
    for sparseness in SPARSENESS:
        at = np.isclose(table["dictionary_sparseness"], sparseness, rtol=0.0, atol=1e-9)
        if not at.any():
            continue
        here = {name: column[at] for name, column in table.items()}
        bins = np.clip(np.searchsorted(edges, here["phi"], "right") - 1, 0, N_BINS - 1)
        inside = (bins[:, np.newaxis] == np.arange(N_BINS)).astype(float)
        shares, deviations, count = over_repeats(here, inside)
        rows += [
            (sparseness, edges[i], edges[i + 1], shares[i], deviations[i], count, bins.size)
            for i in range(N_BINS)
        ]
    if not rows:
        raise ValueError("it has no rows of a dictionary sparseness of 0.75 or 0.99")
    return columns(COLUMNS, rows)


def draw(table):
    """Draw one histogram a sparseness, side by side."""
    found = list(dict.fromkeys(table["sparseness"]))
    with paper_style():
        figure = Figure(figsize=(COLUMN_INCHES, 1.9))
        panels = figure.subplots(1, len(found), sharey=True, squeeze=False)[0]
        for axes, sparseness in zip(panels, found, strict=True):
            rows = table["sparseness"] == sparseness
            start, end = table["start"][rows], table["end"][rows]
            deviation = table["deviation"][rows]
            axes.bar(
                start,
                100.0 * table["share"][rows],
                end - start,
                align="edge",
                yerr=None if np.isnan(deviation).all() else 100.0 * deviation,
                color=SKY,
                edgecolor="black",
                linewidth=0.6,
                error_kw={"elinewidth": 0.6, "capsize": 1.4, "capthick": 0.6},
            )
            axes.tick_params(which="both", labelsize=FONT_SIZE)
            axes.set_xlim(0.0, np.pi / 2)
            axes.xaxis.set_major_locator(FixedLocator([0.0, np.pi / 4, np.pi / 2]))
            axes.set_xticklabels(["0", "π/4", "π/2"])
            axes.set_title(rf"$\sigma_H = {sparseness:g}$", fontsize=FONT_SIZE)
            axes.set_xlabel(r"Spatial phase $\varphi$")
        panels[0].set_ylabel("Atoms [%]")
        figure.get_layout_engine().set(wspace=0.1)
    return figure
