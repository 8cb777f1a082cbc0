"""Projections as published, to compare the algorithms rather than their implementations.

Scalar transcriptions of the four algorithms of the paper's Fig. 5 in one style and with the same
compiler options: one vector per call, one loop per step of the publication, no step merged with
another, sums in the order of the entries, and no SIMD instructions (`forbid_simd`). Algorithms
that sort use a heapsort of indices, the method of the GNU Scientific Library, with which the
paper's programs were written; they work on a sorted copy and undo the permutation at the end.

Each function takes nonnegative rows (m, n), which it overwrites, the target sparseness and an L2
norm. Only the ordinary case is handled: finite entries, a sparseness that has to be increased, and
no ties for the largest entry.
"""

from .hoyer_2004 import project_hoyer_2004
from .potluru_2013 import project_potluru_2013
from .thom_palm_2013 import project_thom_palm_2013
from .thom_rapp_palm_2015 import project_thom_rapp_palm_2015

AS_PUBLISHED = {
    "newton_sqr": project_thom_rapp_palm_2015,
    "hoyer": project_hoyer_2004,
    "potluru": project_potluru_2013,
    "thom_palm": project_thom_palm_2013,
}
