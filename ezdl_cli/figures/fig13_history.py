"""Figure 13 of the paper: reproduction quality over the epochs of learning."""

from .line_styles import LEARNER_STYLES, ORANGE, SKY, LineStyle
from .quality_curves import draw_curves

_EZDL = LEARNER_STYLES["ezdl"]
# By algorithm and initial step size, which ODL and RLS-DLA do not have.
STYLES = {
    ("odl", None): LEARNER_STYLES["odl"],
    ("rls-dla", None): LEARNER_STYLES["rls-dla"],
    ("ezdl", 1.0): LineStyle(r"EZDL, $\eta_0 = 1$", _EZDL.color, _EZDL.marker),
    ("ezdl", 0.25): LineStyle(r"EZDL, $\eta_0 = 1/4$", ORANGE, "^", "--"),
    ("ezdl", 0.0625): LineStyle(r"EZDL, $\eta_0 = 1/16$", SKY, "v", ":"),
}


def draw(table):
    """Draw one line for each learner and step size."""
    return draw_curves(table, ("algorithm", "eta0"), STYLES, "epoch", "Epochs of learning", True)
