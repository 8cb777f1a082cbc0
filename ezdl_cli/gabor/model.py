"""The two-dimensional Gabor function (Ringach 2002, eq. 1), its squared error and derivatives.

    h(x, y) = A · exp(−½ (x'/σx')² − ½ (y'/σy')²) · cos(2π f x' + φ)
    x' = (x − x0) cos θ + (y − y0) sin θ,   y' = −(x − x0) sin θ + (y − y0) cos θ

A shape is a vector (x0, y0, σx', σy', θ, f). With a = A cos φ and b = A sin φ a Gabor function is
a E cos(2π f x') − b E sin(2π f x') with the envelope E: for a given shape, the best amplitude and
phase solve a linear problem of two unknowns. So the search has six dimensions instead of eight.

All kernels compute in the order in which they are written, so that every compiled copy of one gives
the same bits. Loops over pixels write one row each, or the compiler would not vectorise them.
"""

import math

import numpy as np

from ..core.jit import kernel
from .exponential import exp_of_negative
from .row_products import multiply_rows, squared_norm
from .workspace import ACROSS, ALONG, BY_ACROSS, BY_ALONG, BY_PHASE, N_SHAPE, H

X0, Y0, SIGMA_X, SIGMA_Y, THETA, F, COSINE, SINE = range(8)
# Relative determinant of the linear problem below which the two waves count as dependent: rounding.
DEPENDENT = 1e-13
# Tolerance of the bound on the frequency, for rounding.
TOLERANCE = 1.0 + 1e-12
# Cycles per pixel. At exactly ½ a wave vanishes at some phases, whatever its amplitude.
MAX_FREQUENCY = 0.499


@kernel(in_order=True)
def energy(workspace):
    """Return the sum of squares of the patch, as `squared_error` has computed it."""
    return workspace.products[2, 2]


@kernel(in_order=True)
def highest_frequency(theta):
    """Return the Nyquist frequency in a direction: half a cycle per pixel along each axis."""
    return MAX_FREQUENCY / max(abs(math.cos(theta)), abs(math.sin(theta)))


@kernel(in_order=True)
def is_inside(shape, bounds):
    """Return whether a shape is within its bounds; NaN is not."""
    for k in range(N_SHAPE):
        if not bounds[0, k] <= shape[k] <= bounds[1, k]:
            return False
    return shape[F] <= highest_frequency(shape[THETA]) * TOLERANCE


@kernel(in_order=True)
def clip_to_bounds(shape, bounds):
    """Clip each entry of a shape to its bounds, in place."""
    for k in range(N_SHAPE):
        shape[k] = min(max(shape[k], bounds[0, k]), bounds[1, k])
    shape[F] = min(shape[F], highest_frequency(shape[THETA]))


@kernel(in_order=True)
def fill_waves(shape, workspace):
    """Compute E cos(2π f x') and E sin(2π f x') of all pixels."""
    height, width = workspace.shape
    x0, y0 = shape[X0], shape[Y0]
    # The exponent of the envelope as a quadratic form of x − x0 and y − y0.
    cosine, sine = math.cos(shape[THETA]), math.sin(shape[THETA])
    along, across = 0.5 / shape[SIGMA_X] ** 2, 0.5 / shape[SIGMA_Y] ** 2
    xx = cosine * cosine * along + sine * sine * across
    xy = 2.0 * cosine * sine * (along - across)
    yy = sine * sine * along + cosine * cosine * across
    # The angle 2π f x' is a sum over x and y: cosines and sines of both parts are enough. They are
    # rotated from pixel to pixel.
    turn = 2.0 * math.pi * shape[F]
    rows, columns = workspace.rows, workspace.columns
    c, s = math.cos(turn * cosine * x0), -math.sin(turn * cosine * x0)
    step_c, step_s = math.cos(turn * cosine), math.sin(turn * cosine)
    for x in range(width):
        columns[0, x], columns[1, x] = c, s
        c, s = c * step_c - s * step_s, s * step_c + c * step_s
    c, s = math.cos(turn * sine * y0), -math.sin(turn * sine * y0)
    step_c, step_s = math.cos(turn * sine), math.sin(turn * sine)
    for y in range(height):
        dy = y - y0
        for x in range(width):
            dx = x - x0
            envelope = exp_of_negative((xx * dx + xy * dy) * dx + yy * dy * dy)
            rows[0, y * width + x] = envelope * (columns[0, x] * c - columns[1, x] * s)
            rows[1, y * width + x] = envelope * (columns[1, x] * c + columns[0, x] * s)
        c, s = c * step_c - s * step_s, s * step_c + c * step_s


@kernel(in_order=True)
def solve_waves(cc, cs, ss, gc, gs):
    """Return the amplitudes (a, b) that minimise ‖g − a C + b S‖², from inner products."""
    if cc * ss - cs * cs > DEPENDENT * cc * ss:
        determinant = cc * ss - cs * cs
        return (gc * ss - gs * cs) / determinant, -(gs * cc - gc * cs) / determinant
    if cc >= ss:
        return (gc / cc if cc > 0.0 else 0.0), 0.0
    return 0.0, -gs / ss


@kernel(in_order=True)
def squared_error(shape, bounds, workspace):
    """Return the minimum of ‖g − h‖² over a and b, and these; infinity outside the bounds."""
    if not is_inside(shape, bounds):
        return np.inf, 0.0, 0.0
    fill_waves(shape, workspace)
    products = workspace.products
    multiply_rows(workspace.rows, products)
    cc, cs, ss = products[0, 0], products[1, 0], products[1, 1]
    gc, gs, gg = products[2, 0], products[2, 1], products[2, 2]
    a, b = solve_waves(cc, cs, ss, gc, gs)
    error = gg - 2.0 * (a * gc - b * gs) + a * a * cc - 2.0 * a * b * cs + b * b * ss
    return max(error, 0.0), a, b


@kernel(in_order=True)
def residual(parameters, workspace):
    """Compute the differences g − h of all pixels for eight parameters; return ‖g − h‖²."""
    fill_waves(parameters, workspace)
    a, b = parameters[COSINE], parameters[SINE]
    rows, differences = workspace.rows, workspace.differences
    for i in range(rows.shape[1]):
        differences[0, i] = rows[2, i] - a * rows[0, i] + b * rows[1, i]
    return squared_norm(differences, workspace.products)


@kernel(in_order=True)
def jacobian(parameters, workspace):
    """Compute the derivatives of h by the eight parameters, one per row, from their waves."""
    cosine, sine = math.cos(parameters[THETA]), math.sin(parameters[THETA])
    turn = 2.0 * math.pi * parameters[F]
    by_x, by_y = 1.0 / parameters[SIGMA_X], 1.0 / parameters[SIGMA_Y]
    a, b = parameters[COSINE], parameters[SINE]
    waves, d, p = workspace.rows, workspace.derivatives, workspace.pixels
    _fill_coordinates(parameters, workspace)
    n = d.shape[1]
    # h, and its derivatives by the phase and by x' and y'.
    for i in range(n):
        p[H, i] = a * waves[0, i] - b * waves[1, i]
    for i in range(n):
        p[BY_PHASE, i] = -a * waves[1, i] - b * waves[0, i]
    for i in range(n):
        p[BY_ALONG, i] = turn * p[BY_PHASE, i] - (by_x * by_x) * p[ALONG, i] * p[H, i]
    for i in range(n):
        p[BY_ACROSS, i] = -(by_y * by_y) * p[ACROSS, i] * p[H, i]
    # By the parameters.
    for i in range(n):
        d[X0, i] = sine * p[BY_ACROSS, i] - cosine * p[BY_ALONG, i]
    for i in range(n):
        d[Y0, i] = -cosine * p[BY_ACROSS, i] - sine * p[BY_ALONG, i]
    for i in range(n):
        d[SIGMA_X, i] = by_x**3 * p[ALONG, i] * p[ALONG, i] * p[H, i]
    for i in range(n):
        d[SIGMA_Y, i] = by_y**3 * p[ACROSS, i] * p[ACROSS, i] * p[H, i]
    for i in range(n):
        d[THETA, i] = p[ACROSS, i] * p[BY_ALONG, i] - p[ALONG, i] * p[BY_ACROSS, i]
    for i in range(n):
        d[F, i] = 2.0 * math.pi * p[ALONG, i] * p[BY_PHASE, i]
    for i in range(n):
        d[COSINE, i] = waves[0, i]
    for i in range(n):
        d[SINE, i] = -waves[1, i]


@kernel(in_order=True)
def _fill_coordinates(shape, workspace):
    """Compute x' and y' of all pixels."""
    height, width = workspace.shape
    cosine, sine = math.cos(shape[THETA]), math.sin(shape[THETA])
    pixels, x0, y0 = workspace.pixels, shape[X0], shape[Y0]
    for y in range(height):
        for x in range(width):
            pixels[ALONG, y * width + x] = (x - x0) * cosine + (y - y0) * sine
        for x in range(width):
            pixels[ACROSS, y * width + x] = (y - y0) * cosine - (x - x0) * sine
