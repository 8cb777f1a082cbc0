r"""The offset :math:`\alpha^*` of the projection, by the fastest exact method known here.

With :math:`v = |x|`, the projection is :math:`\beta\max(v - \alpha^* e, 0)` up to signs, where
:math:`\alpha^*` is the root of

.. math:: \Psi(\alpha) = \ell_1(\alpha)/\ell_2(\alpha) - k,

:math:`\ell_1, \ell_2` are the norms of :math:`\max(v - \alpha e, 0)`, and
:math:`k = \sqrt n - \sigma(\sqrt n - 1)` is the ratio of the target norms (paper, sect. 2.2).
Short vectors are searched by `climbing` alone, long ones by `sampling` first.
"""

import numpy as np

from .closed_form import step_to_root
from .jit import kernel
from .long_rows import LONG_ROW, find_offset_by_subsampling
from .soft_thresholding import shifted_sums, sum_of_squares_about
from .support_iteration import (
    FOUND,
    NEARLY_TIED,
    NOT_FOUND,
    OUT_OF_RANGE,
    finish_search,
    iterate_support,
)

SMALLEST_SQUARES, LARGEST_SQUARES = 1e-200, 1e200  # sums of squares that keep all their digits


@kernel
def find_offset(x, k2, gap, tolerance, scratch):
    """Search the offset for one vector; `k2` is k² and `gap` is n - k².

    Returns how the search ended; `ref` and `shift` such that the survivors are the positive
    ``(|x| - ref) - shift``; and their product with |x|, their sum of squares and their number.
    Where the answer is not unique (TIED), `ref` is the largest entry and the number is how often
    it occurs.
    """
    n = float(x.size)
    if x.size >= LONG_ROW:
        status, shift, step, s1, s2, d = find_offset_by_subsampling(x, k2, gap, scratch)
        if status == FOUND and SMALLEST_SQUARES < s2 < LARGEST_SQUARES:
            return finish_search(x, status, shift, step, s1, s2, d, n, k2, gap)
    s1, s2, d = shifted_sums(x, 0.0)
    settled = find_offset_from_sums(x, s1, s2, d, n, k2, gap, tolerance)
    if settled[0] != NOT_FOUND:
        return settled
    status, shift, step, s1, s2, d = iterate_support(
        x, 0.0, s1, s2, d, n, k2, gap, 0.0, 0.0, 0.0, 0.0
    )
    return finish_search(x, status, shift, step, s1, s2, d, n, k2, gap)


@kernel(inline=True)
def find_offset_from_sums(x, s1, s2, positive, n, k2, gap, tolerance):
    """Cases that the sums of |x| settle: returns as `find_threshold` does, or MISSED."""
    if not SMALLEST_SQUARES < s2 < LARGEST_SQUARES:
        return OUT_OF_RANGE, 0.0, 0.0, 0.0, s2, positive
    surplus = s1 * s1 - k2 * s2
    if positive < n and abs(surplus) <= tolerance * s1 * s1:  # as wanted already: zeros stay zeros
        return FOUND, 0.0, 0.0, s2, s2, positive
    if surplus < 0.0:  # sparser than wanted: all entries survive
        step = step_to_root(s1, s2, n, n, k2, gap)
        mean = s1 / n
        if n * s2 - s1 * s1 < NEARLY_TIED * s1 * s1:  # digits have cancelled: once more, with care
            step = mean - np.sqrt(k2 * sum_of_squares_about(x, mean) / (gap * n))
        # To the left, whatever the rounding; and from -1e20 s1 on, all entries round to equal.
        step = min(max(step, -1e20 * s1), 0.0)
        return FOUND, 0.0, step, s2 - step * s1, s2 - step * (2.0 * s1 - n * step), n
    return NOT_FOUND, 0.0, 0.0, 0.0, s2, positive
