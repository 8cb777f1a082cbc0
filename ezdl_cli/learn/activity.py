"""Activity of the atoms in an epoch: which are used, and how sparse their use is.

The codes are those that the samples got while the dictionary was learned, before noise was added to
them: with noise every atom would count as active, whether any sample needs it or not. An atom is
active for a sample if its entry of the code is not zero.
"""

import numpy as np

from ..core.sparseness import sparseness

BLOCK_SAMPLES = 256  # samples over which the sparseness of an atom's activity is measured


class EpochActivity:
    """Statistics of the codes of an epoch, from consecutive chunks of them.

    Chunks must have a multiple of `BLOCK_SAMPLES` rows, except for the last one.
    """

    def __init__(self, n_atoms):
        self.active = np.zeros(n_atoms, bool)
        self.population = []
        self.lifetime = []

    def add(self, codes):
        """Add the next codes (m, n_atoms)."""
        nonzero = codes != 0.0
        self.active |= nonzero.any(axis=0)
        if codes.shape[1] > 1:  # the sparseness of a single entry is not defined
            self.population += sparseness(codes[nonzero.any(axis=1)]).tolist()
        for start in range(0, len(codes) - BLOCK_SAMPLES + 1, BLOCK_SAMPLES):
            block = codes[start : start + BLOCK_SAMPLES]
            active = block.any(axis=0)
            if active.any():
                self.lifetime.append(sparseness(block.T[active]).mean())

    def statistics(self):
        """Return the statistics of the epoch.

        Returns
        -------
        dict from str to float
            `never_active`, the number of atoms that no sample used; `population_sparseness`,
            Hoyer's sparseness of a code, the mean over the samples; and `lifetime_sparseness`,
            that of an atom's entries in the codes of `BLOCK_SAMPLES` consecutive samples, the mean
            over the atoms that are active in the block, and then over the complete blocks. One that
            is not defined, because all codes are zero or there is no complete block, is missing.
        """
        found = {"never_active": float(np.sum(~self.active))}
        if self.population:
            found["population_sparseness"] = float(np.mean(self.population))
        if self.lifetime:
            found["lifetime_sparseness"] = float(np.mean(self.lifetime))
        return found
