"""Figure 13 of the paper: reproduction quality over the number of samples presented."""

import numpy as np

from .line_styles import LEARNER_STYLES, ORANGE, SKY, LineStyle
from .quality_curves import draw_curves, use_plain_logarithms
from .style import FONT_SIZE, paper_style

_EZDL = LEARNER_STYLES["ezdl"]
# By algorithm and initial step size, which ODL and RLS-DLA do not have.
STYLES = {
    ("odl", None): LEARNER_STYLES["odl"],
    ("rls-dla", None): LEARNER_STYLES["rls-dla"],
    ("ezdl", 1.0): LineStyle(r"EZDL, $\eta_0 = 1$", _EZDL.color, _EZDL.marker),
    ("ezdl", 0.25): LineStyle(r"EZDL, $\eta_0 = 1/4$", ORANGE, "^", "--"),
    ("ezdl", 0.0625): LineStyle(r"EZDL, $\eta_0 = 1/16$", SKY, "v", ":"),
}
CURVES = ("algorithm", "eta0")
EPOCHS = "Epochs of learning"
SAMPLES = "Samples presented (millions)"
MILLION = 1e6
HEIGHT = 3.1  # inches: with two abscissas


def draw(table):
    """Draw one line for each learner and step size.

    The abscissa is the number of samples presented, with the epochs on top if they have the same
    length for all dictionaries. Without the column `samples` it is the number of epochs.
    """
    if "samples" not in table:
        return draw_curves(table, CURVES, STYLES, "epoch", EPOCHS, True)
    table = {**table, "millions": table["samples"] / MILLION}
    figure = draw_curves(table, CURVES, STYLES, "millions", SAMPLES, True, HEIGHT)
    lengths = np.unique(table["samples"] / table["epoch"])
    if lengths.size == 1:
        _add_epochs(figure.axes[0], table["epoch"], lengths[0] / MILLION)
    return figure


def _add_epochs(axes, epochs, length):
    """Add the epochs, each of `length` million samples, as a second abscissa on top."""
    with paper_style():
        top = axes.secondary_xaxis("top", (lambda x: x / length, lambda x: x * length))
        top.set_xlabel(EPOCHS)
        top.tick_params(which="both", labelsize=FONT_SIZE)
        top.spines["top"].set_visible(True)
        use_plain_logarithms(top.xaxis, epochs)
