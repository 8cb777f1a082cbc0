"""Lines and bars with error bars, which are 95 % confidence intervals."""

import numpy as np

BAR_STYLE = {"elinewidth": 0.6, "capsize": 1.4, "capthick": 0.6}


def plot_means(axes, x, mean, low, high, style):
    """Draw a line with error bars from `low` to `high`; without bars if all are NaN."""
    axes.errorbar(
        x,
        mean,
        yerr=bar_lengths(mean, low, high),
        label=style.label,
        color=style.color,
        marker=style.marker,
        linestyle=style.linestyle,
        **BAR_STYLE,
    )


def bar_lengths(mean, low, high):
    """Return the lengths of error bars below and above the mean; None if all are NaN."""
    if np.isnan(low).all():
        return None
    return np.maximum([mean - low, high - mean], 0.0)
