"""Projections of earlier papers, for comparison: same interface, optimised with the same care.

Each function takes an array of rows, the target sparseness and a norm, and writes the projections
to `out`. Only the ordinary case is handled: finite entries, a sparseness that has to be increased,
and no ties for the largest entry.
"""

from .hoyer import project_hoyer
from .potluru import project_potluru
from .thom_palm import project_thom_palm

CLASSICS = {
    "hoyer": project_hoyer,
    "potluru": project_potluru,
    "thom_palm": project_thom_palm,
}
