"""The projections of earlier papers, to compare with: same interface, same care for speed.

Each takes an array of rows, the target and a norm, and writes the projections into `out`. They
answer the plain case alone: finite entries, sparseness to be increased, no ties for the largest.
"""

from .hoyer import project_hoyer
from .potluru import project_potluru
from .thom_palm import project_thom_palm

CLASSICS = {
    "hoyer": project_hoyer,
    "potluru": project_potluru,
    "thom_palm": project_thom_palm,
}
