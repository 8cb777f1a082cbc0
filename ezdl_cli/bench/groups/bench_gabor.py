"""Gabor functions fitted to atoms."""

import numpy as np

from ...gabor.fit import fit_gabor
from ...io import default_dictionary
from ..group import Group, Quality
from ..interleaved_timing import Candidate
from .limits import responses, sorting

N_TIMED, N_JUDGED = 4, 48


def gabor():
    """Time of a fit to atoms of 8 × 8 pixels, and how well the functions describe them."""
    atoms = default_dictionary().reshape(-1, 8, 8)[:: 256 // N_JUDGED][:N_JUDGED]
    timed = atoms[:: N_JUDGED // N_TIMED]

    def run():
        for atom in timed:
            fit_gabor(atom)

    def qualities():
        return {"median": Quality(float(np.median([fit_gabor(a).r2 for a in atoms])), "R²")}

    fits = Candidate("Gabor fit", run, len(timed))
    return Group([fits, responses(), sorting()], "atom", qualities)
