r"""Search for the offset :math:`\alpha^*` of the projection: the default, exact method.

With :math:`v = |x|`, the projection is :math:`\beta\max(v - \alpha^* e, 0)` up to signs, where
:math:`\alpha^*` is the root of the auxiliary function

.. math:: \Psi(\alpha) = \ell_1(\alpha)/\ell_2(\alpha) - k,

:math:`\ell_1, \ell_2` are the norms of :math:`\max(v - \alpha e, 0)`, and
:math:`k = \sqrt n - \sigma(\sqrt n - 1)` is the ratio of the target norms (paper, sect. 2.2).
Most vectors are searched by `support_iteration` alone, long ones by `long_rows` first.
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

# Sums of squares within these bounds come from entries whose squares neither overflow nor become
# subnormal (1e±308). Others are rescaled by the caller.
SMALLEST_SQUARES, LARGEST_SQUARES = 1e-200, 1e200


@kernel
def find_offset(x, k2, gap, tolerance, scratch):
    """Find the offset for one vector.

    Parameters
    ----------
    x : array
    k2, gap : float
        k² and n - k².
    tolerance : float
        Relative difference of s1² and k² s2 up to which x has the target sparseness already.
    scratch : array of float64
        Workspace for long vectors.

    Returns
    -------
    status : int
        FOUND, TIED, OUT_OF_RANGE or EXHAUSTED.
    ref, shift : float
        The offset is ref + shift; survivors are the positive ``(|x| - ref) - shift``, two
        subtractions that lose no digits. If the status is TIED, `ref` is the largest entry.
    inner : float
        Inner product of the survivors with |x|.
    squares : float
        Sum of squares of the survivors.
    d : float
        Number of survivors; if the status is TIED, the number of entries equal to the largest.
    """
    n = float(x.size)
    if x.size >= LONG_ROW:
        status, alpha, step, s1, s2, d = find_offset_by_subsampling(x, k2, gap, scratch)
        if status == FOUND and SMALLEST_SQUARES < s2 < LARGEST_SQUARES:
            return finish_search(x, status, alpha, step, s1, s2, d, n, k2, gap)
    # Short vectors, and long ones whose samples were misleading: from the sums about zero.
    s1, s2, d = shifted_sums(x, 0.0)
    settled = find_offset_from_sums(x, s1, s2, d, n, k2, gap, tolerance)
    if settled[0] != NOT_FOUND:
        return settled
    status, alpha, step, s1, s2, d = iterate_support(
        x, 0.0, s1, s2, d, n, k2, gap, 0.0, 0.0, 0.0, 0.0
    )
    return finish_search(x, status, alpha, step, s1, s2, d, n, k2, gap)


@kernel(inline=True)
def find_offset_from_sums(x, s1, s2, n_positive, n, k2, gap, tolerance):
    """Handle the cases that are settled by the sums of |x|, without a search.

    Returns the same as `find_offset`, or the status NOT_FOUND.
    """
    if not SMALLEST_SQUARES < s2 < LARGEST_SQUARES:
        return OUT_OF_RANGE, 0.0, 0.0, 0.0, s2, n_positive
    surplus = s1 * s1 - k2 * s2
    # The sparseness is as wanted already: only rescale, so that zeros remain zeros.
    if n_positive < n and abs(surplus) <= tolerance * s1 * s1:
        return FOUND, 0.0, 0.0, s2, s2, n_positive
    # Sparser than wanted: the offset is negative and all entries survive.
    if surplus < 0.0:
        step = step_to_root(s1, s2, n, n, k2, gap)
        mean = s1 / n
        if n * s2 - s1 * s1 < NEARLY_TIED * s1 * s1:  # digits have cancelled: sum about the mean
            step = mean - np.sqrt(k2 * sum_of_squares_about(x, mean) / (gap * n))
        # To the left, whatever the rounding; and beyond -1e20 s1 all entries round to equal.
        step = min(max(step, -1e20 * s1), 0.0)
        return FOUND, 0.0, step, s2 - step * s1, s2 - step * (2.0 * s1 - n * step), n
    return NOT_FOUND, 0.0, 0.0, 0.0, s2, n_positive
