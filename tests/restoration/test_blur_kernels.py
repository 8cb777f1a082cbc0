"""Blur kernels, compared with sums over many points."""

import numpy as np
import pytest

from ezdl_cli.restoration.blur_kernels import box_kernel, disk_kernel, motion_kernel

N_POINTS = 200_000


def histogram(y, x, side):
    """Return the share of points in each pixel; y points upwards, and the origin is the centre."""
    edges = np.arange(side + 1) - side / 2.0
    counts = np.histogram2d(-y, x, bins=(edges, edges))[0]
    assert counts.sum() == y.size  # no point is outside
    return counts / y.size


@pytest.mark.parametrize("angle", [0, 30, 45, 90, 135, -20, 1000])
@pytest.mark.parametrize("length", [0.3, 1, 2.5, 7, 15.9])
def test_motion_kernel_is_the_share_of_a_line_in_each_pixel(length, angle):
    kernel = motion_kernel(length, angle)
    t = (np.arange(N_POINTS) + 0.5) / N_POINTS * length - length / 2.0
    x, y = t * np.cos(np.radians(angle)), t * np.sin(np.radians(angle))
    np.testing.assert_allclose(kernel, histogram(y, x, len(kernel)), atol=1e-4)


@pytest.mark.parametrize("radius", [0.2, 0.5, 0.7, 1.0, 1.5, 3.0, 6.3])
def test_disk_kernel_is_the_share_of_a_disk_in_each_pixel(radius):
    kernel = disk_kernel(radius)
    grid = (np.arange(2000) + 0.5) / 1000 - 1.0
    y, x = radius * np.stack(np.meshgrid(grid, grid))[:, np.hypot(*np.meshgrid(grid, grid)) <= 1.0]
    np.testing.assert_allclose(kernel, histogram(y, x, len(kernel)), atol=1e-3)


@pytest.mark.parametrize(
    "kernel",
    [
        *(motion_kernel(length, angle) for length in (0.5, 4, 9.0) for angle in (0, 17, 90)),
        *(disk_kernel(radius) for radius in (0.1, 1, 2.5, 20)),
        *(box_kernel(side) for side in (1, 3, 9)),
    ],
)
def test_kernels_are_odd_normalised_symmetric_and_without_empty_borders(kernel):
    assert kernel.shape[0] == kernel.shape[1] and len(kernel) % 2 == 1
    assert kernel.min() >= 0.0
    np.testing.assert_allclose(kernel.sum(), 1.0)
    np.testing.assert_allclose(kernel, kernel[::-1, ::-1], atol=1e-12)
    border = np.r_[kernel[0], kernel[-1], kernel[:, 0], kernel[:, -1]]
    assert border.max() > 0.0


def test_known_kernels():
    np.testing.assert_allclose(motion_kernel(3, 0), [[0, 0, 0], [1 / 3] * 3, [0, 0, 0]])
    np.testing.assert_allclose(motion_kernel(3, 90), np.transpose(motion_kernel(3, 0)))
    # At 30°, the line goes from the lower left to the upper right.
    slanted = motion_kernel(9, 30)
    n = len(slanted) // 2
    assert slanted[:n, n + 1 :].sum() > 0.2 > slanted[:n, :n].sum() == 0.0
    np.testing.assert_array_equal(disk_kernel(0.5), [[1.0]])
    np.testing.assert_array_equal(box_kernel(3), np.full((3, 3), 1 / 9))
