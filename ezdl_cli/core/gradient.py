r"""Product of the projection's Jacobian with a vector, in linear time (`alg:projgrad`).

With the d survivors of the projection p to norm r, k = λ1/λ2 and β the projection's factor, the
matrix of the paper's theorem, restricted to the survivors, becomes

.. math:: G = \beta E - \frac{\beta}{r^2 (d - k^2)}
              \left(r^2 ee^T + d\,pp^T - k r (ep^T + pe^T)\right),

because at the root :math:`a = \|q\|_2^2 (d - k^2)` and :math:`b = r^2 (d - k^2)`.
"""

import numpy as np

from .closed_form import excess
from .input_validation import as_float_vectors, as_rows, reject_rows
from .jit import kernel
from .long_rows import SCRATCH_SIZE
from .projection import AUTO, check_norm, find_offset_by_solver
from .soft_thresholding import excess_over_offset
from .support_iteration import FOUND
from .target_sparseness import TargetSparseness

NOT_DIFFERENTIABLE = (
    "has no gradient: its projection is not unique or not defined, or its squares leave the "
    "range of numbers"
)
NOT_FINITE = "has no finite product with y: y is not finite, or the product exceeds its type"


def projection_gradient(x, sparseness, y, norm=1.0):
    """Jacobian of the projection at x, times y.

    Parameters
    ----------
    x : array_like, shape (..., n)
        Where the Jacobian is taken, see `project`.
    sparseness : float
        Target of the projection, strictly between 0 and 1.
    y : array_like, shape (..., n)
        What it is multiplied with.
    norm : float or None
        Target norm of the projection; None for the nearest point of any norm.

    Returns
    -------
    ndarray, shape (..., n)
        float32 if both x and y are, else float64.

    Raises
    ------
    ValueError
        If the shapes differ, or where x has no gradient: its projection is not unique (ties for
        the largest entry), x is zero, or an entry is not finite or beyond about 1e±100. And where
        the product is not finite.

    Notes
    -----
    The Jacobian is symmetric, so this is also the product for back-propagation. Where an entry of
    |x| equals the offset exactly, it counts as one of those that vanish.
    """
    x, y = as_float_vectors(x), as_float_vectors(y, "y")
    if x.shape != y.shape:
        raise ValueError(f"x and y must have the same shape, not {x.shape} and {y.shape}")
    dtype = np.result_type(x, y)
    target = TargetSparseness.of(x.shape[-1], sparseness)
    norm = check_norm(norm, dtype)
    out = np.empty(x.shape, dtype)
    if x.size == 0:
        return out
    rows = as_rows(x)
    refused = np.zeros(len(rows), np.bool_)
    scratch = np.empty(min(SCRATCH_SIZE, rows.shape[1]))
    _multiply_rows(rows, as_rows(y), target, norm, scratch, out.reshape(rows.shape), refused)
    reject_rows(refused, NOT_DIFFERENTIABLE)
    reject_rows(~np.isfinite(out).all(axis=-1), NOT_FINITE)
    return out


@kernel
def _multiply_rows(rows, factors, target, norm, scratch, out, refused):
    """Multiply row by row; mark the rows that have no gradient."""
    for i in range(len(rows)):
        x, y, z = rows[i], factors[i], out[i]
        status, ref, shift, inner, squares, d = find_offset_by_solver(x, target, AUTO, scratch)
        room = excess(d, float(x.size), target.k2, target.gap)
        refused[i] = status != FOUND or not room > 0.0
        if not refused[i]:
            offset = (ref, shift)
            _multiply(x, y, z, offset, inner, squares, d, room, target.k, norm)


@kernel(inline=True)
def _multiply(x, y, z, offset, inner, squares, d, room, k, norm):
    """Product for one vector; norm 0: for the nearest point of any norm."""
    sum_y = 0.0
    sum_py = 0.0
    unit = 1.0 / np.sqrt(squares)  # p has norm one here
    for i in range(x.size):
        t = excess_over_offset(x[i], offset[0], offset[1])
        if t > 0.0:
            signed = np.copysign(1.0, np.float64(x[i])) * y[i]
            sum_y += signed
            sum_py += unit * t * signed
    # Nearest of any norm: c·p with c = <|x|, p>; as p is best for |x|, dc = <p, dx>.
    length = norm if norm > 0.0 else inner * unit
    along_p = (k * sum_y - d * sum_py) / room
    along_e = (k * sum_py - sum_y) / room
    extra = sum_py if norm == 0.0 else 0.0
    for i in range(x.size):
        t = excess_over_offset(x[i], offset[0], offset[1])
        if t > 0.0:
            sign = np.copysign(1.0, np.float64(x[i]))
            p = unit * t
            product = length * unit * (sign * y[i] + along_p * p + along_e) + extra * p
            z[i] = sign * product
        else:
            z[i] = 0.0
