"""Benchmarks of Gabor fits to atoms."""

import numpy as np

from ...gabor.fit import fit_gabor
from ...io import default_dictionary
from ..benchmark_group import BenchmarkGroup, Quality
from ..interleaved_timing import Candidate
from .machine_limits import matrix_product, sorting
from .thread_counts import by_threads

N_TIMED, N_JUDGED = 4, 48


def gabor_fits():
    """Time per fit to an atom of 8 × 8 pixels, and the median R² of the fits."""
    atoms = default_dictionary().reshape(-1, 8, 8)[:: 256 // N_JUDGED][:N_JUDGED]
    timed = atoms[:: N_JUDGED // N_TIMED]

    def run():
        for atom in timed:
            fit_gabor(atom)

    def qualities():
        return {"median": Quality(float(np.median([fit_gabor(a).r2 for a in atoms])), "R²")}

    fits = Candidate("Gabor fit", run, len(timed))
    about = (
        f"Gabor functions are fitted to {len(timed)} atoms of 8 × 8 pixels, one after the other. "
        f"Quality: the median R² of the fits to {N_JUDGED} atoms."
    )
    return BenchmarkGroup([fits, matrix_product(), sorting()], "atom", qualities, about=about)


def gabor_fits_by_two_threads():
    """Fits to several atoms, by one and by two threads."""
    atoms = default_dictionary().reshape(-1, 8, 8)[:: 256 // N_JUDGED][:N_JUDGED]
    what = f"Gabor functions are fitted to {len(atoms)} atoms of 8 × 8 pixels"
    return by_threads(lambda: fit_gabor(atoms), len(atoms), "atom", what)
