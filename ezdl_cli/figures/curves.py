"""Curves of figures 10 to 14: the mean quality over images and dictionaries, and how it is drawn.

The tables are those of `ezdl evaluate` or `ezdl denoise`, one or several laid together. What is
drawn, and written beside the figure, has one row a point: the curve, the abscissa, the mean over
all rows, and the standard deviation over dictionaries of their means over images, where there are
several.
"""

import re

import numpy as np
from matplotlib.ticker import LogLocator, NullLocator

from .style import (
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    SKY,
    VERMILLION,
    Look,
    new_axes,
    paper_style,
    plot_means,
)

QUALITIES = {"ssim": "SSIM index", "psnr_final": "PSNR (dB)"}
NUMBER = re.compile(r"(\d+\.?\d*)")
_COLORS = (ORANGE, BLUE, GREEN, VERMILLION, PURPLE, SKY)
_MARKERS = "os^Dvp"
_LINES = ("-", "--", ":")


def mean_curves(table, names, abscissa, quality="ssim"):
    """Mean quality over an abscissa, one curve a name.

    Parameters
    ----------
    table : dict
        Rows of `ezdl evaluate` or `ezdl denoise`.
    names : sequence of str
        The name of each row's curve; rows without one are left out.
    abscissa, quality : str
        Columns.

    Returns
    -------
    dict, with the columns `curve`, `abscissa`, that of the quality, `deviation`, `dictionaries`
    and `images`
    """
    names = np.asarray(names, dtype=object)
    rows = []
    for curve in sorted(set(names[names != ""]), key=_words_and_numbers):
        for x in np.unique(table[abscissa][names == curve]):
            here = (names == curve) & (table[abscissa] == x)
            of = table["dictionary"][here]
            values = table[quality][here]
            means = [values[of == one].mean() for one in np.unique(of)]
            deviation = np.std(means, ddof=1) if len(means) > 1 else np.nan
            images = np.unique(table["image"][here]).size
            rows.append((curve, x, values.mean(), deviation, len(means), images))
    if not rows:
        raise ValueError("it has no rows for this figure")
    columns = ("curve", "abscissa", quality, "deviation", "dictionaries", "images")
    return {
        name: np.array(column)
        for name, column in zip(columns, zip(*rows, strict=True), strict=True)
    }


def _words_and_numbers(name):
    """A key that sorts zeta=8 before zeta=16."""
    return [
        (part, 0.0) if i % 2 == 0 else ("", float(part))
        for i, part in enumerate(NUMBER.split(name))
    ]


def numbers(table, column):
    """A column of numbers; NaN in all rows if it is empty."""
    values = table[column]
    return values if values.dtype.kind == "f" else np.full(values.size, np.nan)


def final(table):
    """Whether rows are of the most iterations that there are."""
    return table["iterations"] == table["iterations"].max()


def looks(names):
    """How curves are drawn whose names are such as `sigma_H=0.75 sigma_I=0.85`."""
    found = {}
    for i, name in enumerate(dict.fromkeys(names)):
        label = ", ".join(rf"$\{part.replace('=', ' = ')}$" for part in name.split())
        line = _LINES[i // len(_COLORS) % len(_LINES)]
        found[name] = Look(label, _COLORS[i % len(_COLORS)], _MARKERS[i % len(_MARKERS)], line)
    return found


def draw_curves(table, xlabel, looks_of, logarithmic=False, quality="ssim"):
    """Draw one line a curve, with error bars where there are several dictionaries."""
    with paper_style():
        figure, axes = new_axes(height_inches=2.7)
        if logarithmic:
            axes.set_xscale("log")
            axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.xaxis.set_major_formatter("{x:g}")
            axes.xaxis.set_minor_locator(NullLocator())
        for name, look in looks_of.items():
            rows = table["curve"] == name
            if not rows.any():
                continue
            deviation = table["deviation"][rows]
            bars = None if np.isnan(deviation).all() else deviation
            plot_means(axes, table["abscissa"][rows], table[quality][rows], bars, look)
        axes.set(xlabel=xlabel, ylabel=QUALITIES[quality])
        figure.legend(loc="outside upper center", ncols=3 if len(axes.containers) == 3 else 2)
    return figure
