"""Lasso codes of many samples: homotopy, and coordinate descent where rounding spoiled a code."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.input_validation import check_samples_and_atoms
from ..core.jit import kernel
from ..core.linear_algebra import (
    allocate_panels,
    allocate_responses,
    filter_responses,
    gram_matrix,
)
from ..core.parameter_validation import as_number
from ..core.scaling import scale_down, scale_up, scaling_exponents
from ..parallel import for_each_part
from .homotopy import LassoWorkspace, lasso_code

CHUNK_SAMPLES = 64  # samples whose responses are computed together: they fit into the cache
PART_SAMPLES = 256  # samples of a thread; they take longer than it takes to start a thread
TOLERANCE = 1e-9  # of the optimality conditions, relative to the largest response
MAX_SWEEPS = 1000  # of coordinate descent; close to dependent atoms it converges slowly


def lasso(X: ArrayLike, W: ArrayLike, alpha: float) -> NDArray[np.floating]:
    """Compute sparse codes with an L1 penalty.

    The code of a row x of X is the minimiser h of ½‖x - h W‖² + alpha ‖h‖₁.

    Parameters
    ----------
    X : array_like of shape (n_samples, n_features)
        Samples, one per row.
    W : array_like of shape (n_atoms, n_features)
        Atoms, one per row, of any norm.
    alpha : float
        Penalty, positive. The same as in scikit-learn's `sparse_encode` and in SPAMS (`lambda1` in
        mode 2); scikit-learn's `Lasso` divides the first term by `n_features`.

    Returns
    -------
    codes : ndarray of shape (n_samples, n_atoms)
        float32 if both X and W are float16 or float32, float64 otherwise; computed in float64. The
        optimality conditions hold up to 1e-9 of the largest response, or 1e-4 if the atoms of a
        code are linearly dependent up to the precision of float64.

    Raises
    ------
    TypeError
        If X or W is sparse.
    ValueError
        If the shapes do not match, entries are not finite, alpha is not positive, or a code
        exceeds the range of its type.

    See Also
    --------
    ormp : Sparse codes with a given number of nonzeros.

    References
    ----------
    Osborne, M. R., Presnell, B., & Turlach, B. A. (2000). A new approach to variable selection in
    least squares problems. IMA Journal of Numerical Analysis, 20(3), 389-403.

    Efron, B., Hastie, T., Johnstone, I., & Tibshirani, R. (2004). Least angle regression. Annals
    of Statistics, 32(2), 407-499.

    Examples
    --------
    >>> import numpy as np
    >>> import ezdl_cli as ez
    >>> ez.lasso([[1.0, 5.0, -2.0]], np.eye(3), alpha=1.5)
    array([[ 0. ,  3.5, -0.5]])
    """
    X, W = check_samples_and_atoms(X, W)
    if not 0.0 < as_number("alpha", alpha) < np.inf:
        raise ValueError(f"alpha must be positive, not {alpha}")
    # Scale samples and atoms, so that squares stay within the range of float64.
    dtype, of_x, of_w = X.dtype, scaling_exponents(X, axis=1), scaling_exponents(W)
    is_scaled = of_x.any() or of_w.any()
    codes = np.zeros((len(X), len(W)), np.float64 if is_scaled else dtype)
    X, W = scale_down(X.astype(np.float64), of_x), scale_down(W.astype(np.float64), of_w)
    with np.errstate(over="ignore", under="ignore"):  # infinity and zero are correct limits
        penalties = np.ldexp(float(alpha), -of_x - of_w)[:, 0]
    n_atoms, d = W.shape
    panels = allocate_panels(n_atoms, d, W.dtype)
    gram = gram_matrix(W, panels)

    def code(part):
        workspace = LassoWorkspace.of(*W.shape, W.dtype)
        responses = allocate_responses(CHUNK_SAMPLES, panels)
        _code_rows(X[part], panels, gram, penalties[part], workspace, responses, codes[part])

    for_each_part(code, len(X), PART_SAMPLES)
    return scale_up(codes, of_x - of_w, dtype) if is_scaled else codes


@kernel(inline=True)
def _code_rows(X, panels, gram, penalties, workspace, responses, out):
    """Compute the codes of all rows of X, and improve those that are not optimal."""
    n = len(gram)
    code, end = np.empty(n), workspace.residual_responses
    for first in range(0, len(X), CHUNK_SAMPLES):
        chunk = X[first : first + CHUNK_SAMPLES]
        filter_responses(chunk, panels, responses)
        for i in range(len(chunk)):
            u = responses[i][:n]
            penalty = penalties[first + i]
            count = lasso_code(u, gram, penalty, workspace)
            code[:] = 0.0
            gain = 0.0  # decrease of the objective, compared with a code of zeros
            for j in range(count):
                k, value = workspace.support[j], workspace.values[j]
                code[k] = value
                gain += 0.5 * value * (u[k] + end[k]) - penalty * abs(value)
            # Rounding can spoil codes of nearly dependent atoms: start again from zero.
            if not gain >= 0.0:
                code[:] = 0.0
            _descend(u, gram, penalty, code, end)
            for j in range(n):
                out[first + i, j] = code[j]


@kernel(inline=True)
def _descend(u, gram, penalty, code, residual_responses):
    """Improve a code by coordinate descent until it is optimal; most codes are at the start."""
    scale = 0.0
    for k in range(u.size):
        scale = max(scale, abs(u[k]))
        residual_responses[k] = u[k]
    for j in range(u.size):
        if code[j] != 0.0:
            for k in range(u.size):
                residual_responses[k] -= code[j] * gram[j, k]
    for _ in range(MAX_SWEEPS):
        if _optimality_violation(residual_responses, code, penalty) <= TOLERANCE * scale:
            return
        # Minimise over one coefficient after the other by soft thresholding.
        for j in range(u.size):
            square = gram[j, j]
            if square > 0.0:
                free = residual_responses[j] + square * code[j]
                better = np.copysign(max(abs(free) - penalty, 0.0) / square, free)
                change = better - code[j]
                code[j] = better
                if change != 0.0:
                    for k in range(u.size):
                        residual_responses[k] -= change * gram[j, k]


@kernel(inline=True)
def _optimality_violation(residual_responses, code, penalty):
    """Return the largest violation of the optimality conditions.

    Responses to the residual must equal the penalty, with the sign of the coefficient, where it is
    nonzero, and must not exceed it elsewhere.
    """
    worst = 0.0
    for k in range(code.size):
        if code[k] == 0.0:
            worst = max(worst, abs(residual_responses[k]) - penalty)
        else:
            difference = residual_responses[k] - np.copysign(penalty, code[k])
            worst = max(worst, abs(difference))
    return worst
