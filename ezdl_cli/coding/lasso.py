"""Lasso codes of many samples."""

import numpy as np

from ..core.input_validation import check_samples_and_atoms
from ..core.jit import kernel
from ..core.linear_algebra import allocate_panels, allocate_responses, filter_responses, gram_matrix
from ..core.scaling import scale_down, scale_up, scaling_exponents
from .homotopy import LassoWorkspace, lasso_code

AT_ONCE = 64  # samples whose responses are computed together
TOLERANCE = 1e-9  # of the conditions of optimality, as a share of the largest response
MAX_SWEEPS = 1000


def lasso(X, W, alpha):
    """Lasso codes: for each row x of X the h with the least ½‖x - h W‖² + alpha ‖h‖₁.

    Parameters
    ----------
    X : array (m, d)
        Samples, one a row.
    W : array (n_atoms, d)
        Atoms, one a row, of any length.
    alpha : float
        Penalty, positive; scikit-learn's `sparse_encode` and SPAMS (`lambda1`, mode 2) mean the
        same by it, scikit-learn's `Lasso` divides by d.

    Returns
    -------
    array (m, n_atoms) of float32 if both are, else float64; computed in float64. The conditions of
    optimality hold to 1e-9 of the largest response; to 1e-4 if the atoms of a code are so nearly
    dependent that double precision cannot tell

    Raises
    ------
    ValueError
        If the arrays do not fit or are not finite, alpha is not positive, or a code is too large
        for its type.
    """
    X, W = check_samples_and_atoms(X, W)
    if not 0.0 < alpha < np.inf:
        raise ValueError(f"alpha must be positive, not {alpha}")
    dtype, of_x, of_w = X.dtype, scaling_exponents(X, axis=1), scaling_exponents(W)
    ordinary = not (of_x.any() or of_w.any())
    codes = np.zeros((len(X), len(W)), dtype if ordinary else np.float64)
    X, W = scale_down(X.astype(np.float64), of_x), scale_down(W.astype(np.float64), of_w)
    with np.errstate(over="ignore", under="ignore"):  # above all responses, or next to nothing
        penalties = np.ldexp(float(alpha), -of_x - of_w)[:, 0]
    panels = allocate_panels(*W.shape, W.dtype)
    gram = gram_matrix(W, panels)
    room = LassoWorkspace.of(*W.shape, W.dtype)
    _lasso(X, panels, gram, penalties, room, allocate_responses(AT_ONCE, panels), codes)
    return codes if ordinary else scale_up(codes, of_x - of_w, dtype)


@kernel(inline=True)
def _lasso(X, panels, gram, penalties, room, responses, out):
    """Codes of all rows, checked, and mended where rounding has spoiled one."""
    n = len(gram)
    code = np.empty(n)
    for first in range(0, len(X), AT_ONCE):
        batch = X[first : first + AT_ONCE]
        filter_responses(batch, panels, responses)
        for i in range(len(batch)):
            b = responses[i][:n]
            penalty = penalties[first + i]
            count = lasso_code(b, gram, penalty, room)
            code[:] = 0.0
            gain = 0.0  # of the objective, over that of the code zero
            for j in range(count):
                k, value = room.support[j], room.values[j]
                code[k] = value
                gain += 0.5 * value * (b[k] + room.residual_responses[k]) - penalty * abs(value)
            if not gain >= 0.0:
                code[:] = 0.0
            _descend(b, gram, penalty, code, room)
            for j in range(n):
                out[first + i, j] = code[j]


@kernel(inline=True)
def _descend(b, gram, penalty, code, room):
    """Improve a code along one coordinate after the other until it is optimal."""
    rest, scale = room.residual_responses, 0.0
    for k in range(b.size):
        scale = max(scale, abs(b[k]))
        rest[k] = b[k]
    for j in range(b.size):
        if code[j] != 0.0:
            for k in range(b.size):
                rest[k] -= code[j] * gram[j, k]
    for _ in range(MAX_SWEEPS):
        if _violation(rest, code, penalty) <= TOLERANCE * scale:
            return
        for j in range(b.size):
            square = gram[j, j]
            if square > 0.0:
                free = rest[j] + square * code[j]
                better = np.copysign(max(abs(free) - penalty, 0.0) / square, free)
                change = better - code[j]
                code[j] = better
                if change != 0.0:
                    for k in range(b.size):
                        rest[k] -= change * gram[j, k]


@kernel(inline=True)
def _violation(rest, code, penalty):
    """How far a code is from the conditions of optimality."""
    worst = 0.0
    for k in range(code.size):
        if code[k] == 0.0:
            worst = max(worst, abs(rest[k]) - penalty)
        else:
            worst = max(worst, abs(rest[k] - np.copysign(penalty, code[k])))
    return worst
