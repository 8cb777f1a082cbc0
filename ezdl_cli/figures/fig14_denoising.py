"""Figure 14 of the paper: quality of denoised images over the noise level.

A second panel has the differences to dictionaries of ODL by the same denoising rules.
"""

from dataclasses import replace

from .difference_panel import draw_with_differences
from .line_styles import LEARNER_STYLES

XLABEL = r"Standard deviation of the noise $\sigma$"
# Labels of the denoising rules, if the table has both, and changes to their curves. The curves lie
# close together: markers on the second set would hide the first one.
RULES = {
    "authors": ("authors' rules", {}),
    "ezdl": ("default rules", {"linestyle": "--", "marker": ""}),
}


def draw(table):
    """Draw one line for each learner and, if there are both, each set of denoising rules."""
    shown = set(table["rules"].tolist())
    styles = {
        (name, rules): _style(style, rules) if len(shown) > 1 else style
        for rules in RULES
        for name, style in LEARNER_STYLES.items()
    }
    return draw_with_differences(table, ("algorithm", "rules"), styles, "sigma", XLABEL)


def _style(style, rules):
    """Return the style of a learner's curve by one of two sets of rules."""
    label, changes = RULES[rules]
    return replace(style, label=f"{style.label}, {label}", **changes)
