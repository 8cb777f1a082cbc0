r"""Product of the projection's Jacobian with a vector, in linear time (paper, Algorithm 4).

Let p be the projection to norm r with d survivors, k = λ1/λ2, and β its factor. Restricted to the
survivors, the matrix of the paper's theorem on the gradient becomes

.. math:: G = \beta E - \frac{\beta}{r^2 (d - k^2)}
              \left(r^2 ee^T + d\,pp^T - k r (ep^T + pe^T)\right),

because at the root :math:`a = \|q\|_2^2 (d - k^2)` and :math:`b = r^2 (d - k^2)`.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .closed_form import excess
from .input_validation import as_float_vectors, as_rows, reject_rows
from .jit import kernel
from .projection import check_norm
from .soft_thresholding import excess_over_offset
from .support_iteration import FOUND
from .target_sparseness import TargetSparseness
from .vector_projection import AUTO, MIN_SCRATCH, SCRATCH_SHARE, find_offset_by_solver

NOT_DIFFERENTIABLE = (
    "has no gradient: its projection is not unique or not defined, or its squares exceed the "
    "range of float64"
)
NOT_FINITE = "has no finite product with y: y is not finite, or the product exceeds its type"


def projection_gradient(
    x: ArrayLike, sparseness: float, y: ArrayLike, norm: float | None = 1.0
) -> NDArray[np.floating]:
    """Multiply the Jacobian of the projection with a vector.

    Parameters
    ----------
    x : array_like of shape (..., n)
        Where the Jacobian is evaluated, see `project`.
    sparseness : float
        Target sparseness of the projection, strictly between 0 and 1.
    y : array_like of shape (..., n)
        The vectors to multiply with.
    norm : float or None, default=1.0
        Target norm of the projection; None for the nearest point of any norm.

    Returns
    -------
    product : ndarray of shape (..., n)
        float32 if both x and y are float16 or float32, float64 otherwise.

    Raises
    ------
    TypeError
        If x or y is sparse.
    ValueError
        If the shapes differ, if a row of x has no gradient (its projection is not unique because
        of ties for the largest entry, it is zero, or an entry is not finite or beyond about
        1e±100), or if a product is not finite.

    See Also
    --------
    project : The projection itself.

    Notes
    -----
    The Jacobian is symmetric, so that this is the product for back-propagation as well. If an
    entry of abs(x) equals the offset exactly, it counts as one of those that vanish.

    References
    ----------
    Thom, M., Rapp, M., & Palm, G. (2015). Efficient dictionary learning with sparseness-enforcing
    projections. International Journal of Computer Vision, 114(2-3), 168-194.

    Examples
    --------
    >>> import ezdl_cli as ez
    >>> ez.projection_gradient([4.0, -3.0, 2.0, 1.0], 0.5, [1.0, 0.0, 0.0, 0.0]).round(3)
    array([0.059, 0.118, 0.059, 0.   ])
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
    failed = np.zeros(len(rows), np.bool_)
    _multiply_rows(rows, as_rows(y), target, norm, out.reshape(rows.shape), failed)
    reject_rows(failed, NOT_DIFFERENTIABLE)
    reject_rows(~np.isfinite(out).all(axis=-1), NOT_FINITE)
    return out


@kernel
def _multiply_rows(rows, factors, target, norm, out, failed):
    """Multiply row by row, and flag the rows that have no gradient."""
    scratch = np.empty(max(MIN_SCRATCH, rows.shape[1] // SCRATCH_SHARE), rows.dtype)
    for i in range(len(rows)):
        x, y, z = rows[i], factors[i], out[i]
        status, ref, shift, inner, squares, d = find_offset_by_solver(x, target, AUTO, scratch)
        surplus = excess(d, float(x.size), target.k2, target.gap)
        failed[i] = status != FOUND or not surplus > 0.0
        if not failed[i]:
            offset = (ref, shift)
            _multiply(x, y, z, offset, inner, squares, d, surplus, target.k, norm)


@kernel(inline=True)
def _multiply(x, y, z, offset, inner, squares, d, surplus, k, norm):
    """Multiply the Jacobian at one vector; norm 0 is for the nearest point of any norm."""
    sum_y = 0.0
    sum_py = 0.0
    unit = 1.0 / np.sqrt(squares)  # factor of the p with unit norm
    # First pass: ⟨e, y⟩ and ⟨p, y⟩ over the survivors, with the signs of x moved to y.
    for i in range(x.size):
        t = excess_over_offset(x[i], offset[0], offset[1])
        if t > 0.0:
            signed = np.copysign(1.0, np.float64(x[i])) * y[i]
            sum_y += signed
            sum_py += unit * t * signed
    # The nearest point of any norm is c·p with c = ⟨|x|, p⟩. p maximises ⟨|x|, p⟩, so that its
    # change does not contribute: dc = ⟨p, dx⟩.
    length = norm if norm > 0.0 else inner * unit
    along_p = (k * sum_y - d * sum_py) / surplus
    along_e = (k * sum_py - sum_y) / surplus
    extra = sum_py if norm == 0.0 else 0.0
    # Second pass: the product, with the signs back.
    for i in range(x.size):
        t = excess_over_offset(x[i], offset[0], offset[1])
        if t > 0.0:
            sign = np.copysign(1.0, np.float64(x[i]))
            p = unit * t
            product = length * unit * (sign * y[i] + along_p * p + along_e) + extra * p
            z[i] = sign * product
        else:
            z[i] = 0.0
