r"""Search for the offset :math:`\alpha^*` of the projection: the default, exact method.

With :math:`v = |x|`, the projection is :math:`\beta\max(v - \alpha^* e, 0)` up to signs, where
:math:`\alpha^*` is the root of the auxiliary function

.. math:: \Psi(\alpha) = \ell_1(\alpha)/\ell_2(\alpha) - k,

:math:`\ell_1, \ell_2` are the norms of :math:`\max(v - \alpha e, 0)`, and
:math:`k = \sqrt n - \sigma(\sqrt n - 1)` is the ratio of the target norms (paper, sect. 2.2).
The search is that of `support_iteration`; `long_rows` has a faster one for long vectors.
"""

import numpy as np

from .candidates import copy_above
from .closed_form import excess, extrapolate_to_root, step_to_root
from .jit import kernel
from .soft_thresholding import shifted_sums, sum_of_squares_about
from .support_iteration import (
    FAR_FROM_ROOT,
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
# Distance kept from a lower bound, relative to the mean survivor: far above rounding errors.
MARGIN = 2.0**-20


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
    scratch : array
        Workspace for the candidates, of the type of x.

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
    s1, s2, d = shifted_sums(x, 0.0)
    settled = find_offset_from_sums(x, s1, s2, d, n, k2, gap, tolerance)
    if settled[0] != NOT_FOUND:
        return settled
    # Search among the few candidates above a lower bound, or among all entries if they are many.
    searched, alpha = x, 0.0
    floor = x.dtype.type(_lower_bound(x, s1, s2, d, n, k2, gap))
    n_candidates = copy_above(x, floor, scratch) if floor > 0.0 else -1
    if n_candidates > 0:
        searched, alpha = scratch[:n_candidates], np.float64(floor)
        s1, s2, d = shifted_sums(searched, alpha)
    status, alpha, step, s1, s2, d = iterate_support(
        searched, alpha, s1, s2, d, n, k2, gap, 0.0, 0.0, 0.0, 0.0
    )
    # A bound above the root, by rounding, shows as a large step back: `finish_search` handles it.
    return finish_search(x, status, alpha, step, s1, s2, d, n, k2, gap)


@kernel(inline=True)
def _lower_bound(x, s1, s2, d, n, k2, gap):
    """Return a lower bound of the root from the sums about zero and about a guess; 0 if unknown."""
    if s1 * s1 < FAR_FROM_ROOT * k2 * s2:
        return 0.0  # about half of the entries survive: candidates would not be few
    guess = extrapolate_to_root(s1, s2, d, k2)
    s1, s2, d = shifted_sums(x, guess)
    if excess(d, n, k2, gap) <= 0.0:
        return 0.0
    return guess + step_to_root(s1, s2, d, n, k2, gap) - MARGIN * s1 / d


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
