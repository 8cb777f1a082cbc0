"""Lines and bars with error bars."""

import numpy as np

BAR_STYLE = {"elinewidth": 0.6, "capsize": 1.4, "capthick": 0.6}


def plot_means(axes, x, mean, error, style):
    """Draw a line with error bars of `error` to each side; without bars if all are NaN."""
    axes.errorbar(
        x,
        mean,
        yerr=None if np.isnan(error).all() else error,
        label=style.label,
        color=style.color,
        marker=style.marker,
        linestyle=style.linestyle,
        **BAR_STYLE,
    )
