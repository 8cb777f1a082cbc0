"""Statistics of the atoms of dictionaries, by seed."""

import numpy as np

from .evidence import WORDS, finite_cells, numbers

# Dictionaries of Fig. 6: ordinary inference on raw pixels, atoms of any rank.
FITTED = {"inference": "ordinary", "atom_rank": None, "whitened": 0}


def per_seed(evidence, kind, statistic, **parameters):
    """Return a statistic of the rows of each seed, for the given parameters."""
    rows = evidence.select(kind, **parameters)
    rows = {name: one if name in WORDS else numbers(rows, name) for name, one in rows.items()}
    seeds = rows["seed"]
    found = np.unique(seeds)
    values = [statistic({name: one[seeds == seed] for name, one in rows.items()}) for seed in found]
    return finite_cells(f"the {kind} of a seed", np.array(values, float), {"seed": found})
