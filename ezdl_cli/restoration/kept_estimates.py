"""Pilot estimates of patches that the final estimate uses again.

By the authors' rules, a patch without similar ones is encoded in the second pass as in the first:
alone, and until its residual may be all noise. In weak noise, most patches are like this.
"""

import numpy as np

MAX_BLOCKS = 128  # whose estimates are kept, which bounds the memory: 1 MiB each for 8 × 8 pixels


class KeptEstimates:
    """Arrays of estimates (rows, columns, m), by block; those that are not kept are empty."""

    def __init__(self, pilot_rules, rules):
        self._blocks = {}
        same_code = rules.max_residuals[1] == pilot_rules.max_residuals[1] and not rules.shrink
        self._is_useful = same_code and rules.min_size == 1 < rules.max_size

    def new(self, block, m):
        """Return an array for the estimates of a block's patches of m pixels."""
        if not self._is_useful or len(self._blocks) >= MAX_BLOCKS:
            return _empty()
        self._blocks[block] = np.empty((*block.shape, m), np.float32)
        return self._blocks[block]

    def pop(self, block):
        """Return the estimates of a block, which are not kept any longer."""
        return self._blocks.pop(block, _empty())


def _empty():
    return np.empty((0, 0, 0), np.float32)
