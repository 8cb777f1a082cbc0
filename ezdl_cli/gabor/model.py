"""The two-dimensional Gabor function (Ringach 2002, eq. 1), its squared error and derivatives.

    h(x, y) = A · exp(−½ (x'/σx')² − ½ (y'/σy')²) · cos(2π f x' + φ)
    x' = (x − x0) cos θ + (y − y0) sin θ,   y' = −(x − x0) sin θ + (y − y0) cos θ

A shape is a vector (x0, y0, σx', σy', θ, f). With a = A cos φ and b = A sin φ a Gabor function is
a E cos(2π f x') − b E sin(2π f x') with the envelope E: for a given shape, the best amplitude and
phase solve a linear problem of two unknowns. So the search has six dimensions instead of eight.

All kernels compute in the order in which they are written, so that every compiled copy of one gives
the same bits.
"""

import math

import numpy as np

from ..core.jit import kernel

X0, Y0, SIGMA_X, SIGMA_Y, THETA, F, COSINE, SINE = range(8)
N_SHAPE, N_PARAMETERS = 6, 8
# Relative determinant of the linear problem below which the two waves count as dependent: rounding.
DEPENDENT = 1e-13
# Envelopes below exp(−60) are set to 0, which saves the exponential and slow subnormal numbers.
MAX_EXPONENT = 60.0
# Tolerance of the bound on the frequency, for rounding.
TOLERANCE = 1.0 + 1e-12
# Cycles per pixel. At exactly ½ a wave vanishes at some phases, whatever its amplitude.
MAX_FREQUENCY = 0.499


@kernel(in_order=True)
def allocate_workspace(height, width):
    """Allocate waves, their columns, derivatives and two residuals for a patch."""
    n = height * width
    waves, columns = np.empty((2, height, width)), np.empty((2, width))
    return waves, columns, np.empty((N_PARAMETERS, n)), np.empty((2, n))


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
def fill_waves(shape, waves, columns):
    """Compute E cos(2π f x') and E sin(2π f x') of all pixels, `waves` (2, height, width)."""
    _, height, width = waves.shape
    # The exponent of the envelope as a quadratic form of x − x0 and y − y0.
    cosine, sine = math.cos(shape[THETA]), math.sin(shape[THETA])
    along, across = 0.5 / shape[SIGMA_X] ** 2, 0.5 / shape[SIGMA_Y] ** 2
    xx = cosine * cosine * along + sine * sine * across
    xy = 2.0 * cosine * sine * (along - across)
    yy = sine * sine * along + cosine * cosine * across
    # The angle 2π f x' is a sum over x and y: cosines and sines of both parts are enough.
    turn = 2.0 * math.pi * shape[F]
    for x in range(width):
        angle = turn * cosine * (x - shape[X0])
        columns[0, x], columns[1, x] = math.cos(angle), math.sin(angle)
    for y in range(height):
        dy = y - shape[Y0]
        c, s = math.cos(turn * sine * dy), math.sin(turn * sine * dy)
        for x in range(width):
            dx = x - shape[X0]
            exponent = (xx * dx + xy * dy) * dx + yy * dy * dy
            envelope = math.exp(-exponent) if exponent < MAX_EXPONENT else 0.0
            waves[0, y, x] = envelope * (columns[0, x] * c - columns[1, x] * s)
            waves[1, y, x] = envelope * (columns[1, x] * c + columns[0, x] * s)


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
def squared_error(shape, patch, bounds, workspace):
    """Return the minimum of ‖g − h‖² over a and b, and these; infinity outside the bounds."""
    if not is_inside(shape, bounds):
        return np.inf, 0.0, 0.0
    waves, columns, _, _ = workspace
    fill_waves(shape, waves, columns)
    height, width = patch.shape
    cc = cs = ss = gc = gs = gg = 0.0
    for y in range(height):
        for x in range(width):
            g, c, s = patch[y, x], waves[0, y, x], waves[1, y, x]
            cc += c * c
            cs += c * s
            ss += s * s
            gc += g * c
            gs += g * s
            gg += g * g
    a, b = solve_waves(cc, cs, ss, gc, gs)
    error = gg - 2.0 * (a * gc - b * gs) + a * a * cc - 2.0 * a * b * cs + b * b * ss
    return max(error, 0.0), a, b


@kernel(in_order=True)
def residual(parameters, patch, workspace, differences):
    """Compute the differences g − h of all pixels for eight parameters; return ‖g − h‖²."""
    height, width = patch.shape
    waves, columns, _, _ = workspace
    fill_waves(parameters, waves, columns)
    a, b = parameters[COSINE], parameters[SINE]
    total = 0.0
    for y in range(height):
        for x in range(width):
            difference = patch[y, x] - a * waves[0, y, x] + b * waves[1, y, x]
            differences[y * width + x] = difference
            total += difference * difference
    return total


@kernel(in_order=True)
def jacobian(parameters, waves, derivatives):
    """Compute the derivatives of h by the eight parameters, one per row, from their waves."""
    _, height, width = waves.shape
    x0, y0 = parameters[X0], parameters[Y0]
    sigma_x, sigma_y = parameters[SIGMA_X], parameters[SIGMA_Y]
    cosine, sine = math.cos(parameters[THETA]), math.sin(parameters[THETA])
    turn = 2.0 * math.pi * parameters[F]
    a, b = parameters[COSINE], parameters[SINE]
    for y in range(height):
        for x in range(width):
            u = (x - x0) * cosine + (y - y0) * sine
            v = (y - y0) * cosine - (x - x0) * sine
            c, s = waves[0, y, x], waves[1, y, x]
            h, by_phase = a * c - b * s, -a * s - b * c
            by_u = turn * by_phase - u / sigma_x**2 * h
            by_v = -v / sigma_y**2 * h
            i = y * width + x
            derivatives[X0, i] = sine * by_v - cosine * by_u
            derivatives[Y0, i] = -cosine * by_v - sine * by_u
            derivatives[SIGMA_X, i] = u * u / sigma_x**3 * h
            derivatives[SIGMA_Y, i] = v * v / sigma_y**3 * h
            derivatives[THETA, i] = v * by_u - u * by_v
            derivatives[F, i] = 2.0 * math.pi * u * by_phase
            derivatives[COSINE, i] = c
            derivatives[SINE, i] = -s
