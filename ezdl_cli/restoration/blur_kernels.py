"""Common blur kernels: motion, defocus and averages. `blurring` has the Gaussian one.

Each is the blurred image of a point, with an odd side and a sum of one. Pixels are squares, and
the weight of one is the share of the line or disk that lies within it.
"""

import math

import numpy as np


def motion_kernel(length, angle):
    """Return the kernel of a straight motion.

    Parameters
    ----------
    length : float
        Length of the motion in pixels, positive.
    angle : float
        Direction in degrees, counter-clockwise; 0 is horizontal and 90 vertical.

    Returns
    -------
    kernel : ndarray of shape (side, side)
    """
    dx, dy = _direction(angle)
    # Pixel i is from i - 1/2 to i + 1/2; rounding must not add rows without weights.
    reach = math.ceil(length / 2.0 * max(abs(dx), abs(dy)) - 0.5 - 1e-9)
    reach = max(0, reach)
    borders = np.arange(-reach, reach) + 0.5
    # Cut the line, from -length / 2 to length / 2, where it crosses borders of pixels.
    cuts = [borders / d for d in (dx, dy) if d != 0.0]
    ends = np.array([-length / 2.0, length / 2.0])
    cuts = np.sort(np.clip(np.concatenate([*cuts, ends]), *ends))
    centres = (cuts[1:] + cuts[:-1]) / 2.0
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1))
    pixels = (_nearest(-dy * centres, reach), _nearest(dx * centres, reach))
    np.add.at(kernel, pixels, np.diff(cuts))
    return kernel / kernel.sum()


def disk_kernel(radius):
    """Return the kernel of a lens out of focus: a disk of a positive radius in pixels."""
    reach = max(0, math.ceil(radius - 0.5))
    borders = np.arange(-reach, reach + 2) - 0.5
    areas = _disk_area(borders[:, np.newaxis], borders, radius)
    kernel = np.maximum(np.diff(np.diff(areas, axis=0), axis=1), 0.0)
    return kernel / kernel.sum()


def box_kernel(side):
    """Return the kernel of an average over a square with an odd side in pixels."""
    return np.full((side, side), 1.0 / side**2)


def _direction(angle):
    """Return the components of a direction in degrees; exactly 0 or ±1 along the axes."""
    turns, rest = divmod(angle, 90.0)
    direction = complex(math.cos(math.radians(rest)), math.sin(math.radians(rest)))
    direction *= (1, 1j, -1, -1j)[int(turns) % 4]
    return direction.real, direction.imag


def _nearest(positions, reach):
    return np.clip(np.rint(positions), -reach, reach).astype(np.intp) + reach


def _disk_area(y, x, radius):
    """Return the area of a disk around the origin in the rectangle from there to (x, y).

    It is negative where exactly one of x and y is.
    """
    sign = np.sign(x) * np.sign(y)
    x, y = np.minimum(np.abs(x), radius), np.minimum(np.abs(y), radius)
    # Up to here the disk is higher than the rectangle.
    corner = np.minimum(x, np.sqrt(radius**2 - y**2))
    return sign * (corner * y + _half_disk(x, radius) - _half_disk(corner, radius))


def _half_disk(x, radius):
    """Return the integral of sqrt(radius² - t²) for t from 0 to x."""
    return (x * np.sqrt(radius**2 - x**2) + radius**2 * np.arcsin(x / radius)) / 2.0
