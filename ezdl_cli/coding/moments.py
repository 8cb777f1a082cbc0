"""Sums that correlations are made of."""

import numpy as np

from ..core.jit import kernel


@kernel(inline=True)
def moments(x, y):
    """Sums of two vectors, of their squares and of their products, in double precision."""
    ones_x, ones_y, squares_x, squares_y, product = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(x.size):
        a, b = np.float64(x[k]), np.float64(y[k])
        ones_x += a
        ones_y += b
        squares_x += a * a
        squares_y += b * b
        product += a * b
    return ones_x, ones_y, squares_x, squares_y, product
