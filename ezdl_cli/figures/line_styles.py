"""Colours, markers and dashes of all lines, and their labels.

Colours are the palette of Okabe and Ito, which is safe for people with any kind of colour vision.
"""

from dataclasses import dataclass

BLACK = "#000000"
ORANGE = "#E69F00"
SKY = "#56B4E9"
GREEN = "#009E73"
BLUE = "#0072B2"
VERMILLION = "#D55E00"
PURPLE = "#CC79A7"
GREY = "#7F7F7F"


@dataclass(frozen=True)
class LineStyle:
    """How a line is drawn in every figure in which it appears, and its label in the legend."""

    label: str
    color: str
    marker: str
    linestyle: str = "-"


SOLVER_STYLES = {
    "bisection": LineStyle("Bisection", ORANGE, "o"),
    "newton": LineStyle("Newton", BLUE, "s"),
    "halley": LineStyle("Halley", GREEN, "^"),
    "newton_sqr": LineStyle(r"Newton on squared function $\tilde{\Psi}$", VERMILLION, "D"),
}

PROJECTION_STYLES = {
    "auto": LineStyle('This package: "auto"', BLACK, "o"),
    "newton_sqr": LineStyle('The paper: "newton_sqr"', VERMILLION, "D"),
    "potluru": LineStyle("Potluru et al. (2013)", SKY, "v"),
    "thom_palm": LineStyle("Thom and Palm (2013)", PURPLE, "p"),
    "hoyer": LineStyle("Hoyer (2004)", GREY, "", "--"),
}

LEARNER_STYLES = {
    "ezdl": LineStyle("EZDL", VERMILLION, "D"),
    "odl": LineStyle("ODL", BLUE, "s"),
    "rls-dla": LineStyle("RLS-DLA", GREEN, "o"),
}

SYMBOLS = {"sigma_h": r"\sigma_H", "sigma_i": r"\sigma_I", "lambda": r"\lambda", "zeta": r"\zeta"}
_COLORS = (ORANGE, BLUE, GREEN, VERMILLION, PURPLE, SKY)
_MARKERS = "os^Dvp"
_DASHES = ("-", "--", ":")


def parameter_styles(table, *columns):
    """Return a line style for each combination of parameter values, in the order of the table.

    Parameters
    ----------
    table : dict
        A summary.
    columns : str
        Parameters that tell the curves apart, keys of `SYMBOLS`.

    Returns
    -------
    dict from a tuple of values to LineStyle
    """
    values = dict.fromkeys(zip(*(table[name].tolist() for name in columns), strict=True))
    styles = {}
    for i, combination in enumerate(values):
        symbols = zip((SYMBOLS[name] for name in columns), combination, strict=True)
        label = ", ".join(f"${symbol} = {value:g}$" for symbol, value in symbols)
        dashes = _DASHES[i // len(_COLORS) % len(_DASHES)]
        color, marker = _COLORS[i % len(_COLORS)], _MARKERS[i % len(_MARKERS)]
        styles[combination] = LineStyle(label, color, marker, dashes)
    return styles
