"""Block matching against brute force."""

import numpy as np
import pytest

from ezdl_cli.restoration.block_matching import (
    Guide,
    MatchingWorkspace,
    find_nearest,
    find_similar,
)
from ezdl_cli.restoration.denoising_parameters import DenoisingParameters
from ezdl_cli.restoration.regions import OverlapAverage, Region


def brute_force(image, y, x, side, radius):
    """Return the distances of all patches in the window, by position."""
    patches = np.lib.stride_tricks.sliding_window_view(image.astype(float), (side, side))
    return {
        (v, u): ((patches[v, u] - patches[y, x]) ** 2).sum()
        for v in range(max(0, y - radius), min(len(patches), y + radius + 1))
        for u in range(max(0, x - radius), min(patches.shape[1], x + radius + 1))
    }


def rules(side, radius, limit=0.0, size=10**4):
    """Return rules for groups of `size` patches at most or, if others are not similar, at least."""
    some = DenoisingParameters(window=radius).grouping_rules(10.0, side**2)
    return some._replace(max_distance=np.float32(limit), min_size=size, max_size=size)


def found_positions(workspace, count):
    return list(
        zip(workspace.rows[:count].tolist(), workspace.columns[:count].tolist(), strict=True)
    )


@pytest.mark.parametrize("side", [1, 3, 4, 8])
@pytest.mark.parametrize("position", [(0, 0), (7, 11), (22, 19)])
def test_group_has_all_patches_within_the_distance(side, position):
    rng = np.random.default_rng(side)
    image = rng.random((23 + side - 1, 20 + side - 1)).astype(np.float32)
    distances = brute_force(image, *position, side, 6)
    limit = np.median(list(distances.values()))
    workspace = MatchingWorkspace.of(6)
    wanted = rules(side, 6, limit + 1e-4)
    count = find_similar(Guide.of(image, side), *position, wanted, workspace)
    positions = found_positions(workspace, count)
    assert positions[0] == position and len(set(positions)) == count
    assert set(positions) == {key for key, value in distances.items() if value <= limit + 1e-4}


@pytest.mark.parametrize("size", [1, 2, 8, 40])
def test_nearest_patches_are_found_in_order(size):
    image = np.random.default_rng(size).random((30, 30)).astype(np.float32)
    distances = brute_force(image, 10, 12, 4, 7)
    nearest = sorted(distances, key=distances.get)[:size]
    workspace = MatchingWorkspace.of(7)
    guide, wanted = Guide.of(image, 4), rules(4, 7, 1e3, size)
    assert find_nearest(guide, 10, 12, wanted, workspace) == size
    assert found_positions(workspace, size) == nearest
    count = find_similar(guide, 10, 12, wanted, workspace)
    assert count == size and found_positions(workspace, size)[0] == (10, 12)
    worst = max(distances[position] for position in found_positions(workspace, size))
    assert worst <= distances[nearest[-1]] + 1e3 / 255


def test_reference_patch_is_first_among_equal_ones():
    flat, workspace = Guide.of(np.zeros((40, 40), np.float32), 8), MatchingWorkspace.of(10)
    assert find_similar(flat, 15, 15, rules(8, 10, 1.0, 5), workspace) == 5
    assert found_positions(workspace, 1) == [(15, 15)]
    assert find_nearest(flat, 15, 15, rules(8, 10, 1.0, 5), workspace) == 5
    assert found_positions(workspace, 1) == [(15, 15)]
    assert find_similar(flat, 15, 15, rules(8, 0, 0.0, 5), workspace) == 1


@pytest.mark.parametrize("offset", [0.0, 1e5])
def test_rows_are_not_excluded_by_rounding_errors(offset):
    """Patches that differ by a constant have the largest difference between sums of quarters."""
    step = np.float32(1 / 128)
    image = np.float32(offset) + step * (np.arange(60) // 20 % 2)[:, np.newaxis] * np.ones(50)
    guide, workspace = Guide.of(image.astype(np.float32), 8), MatchingWorkspace.of(30)
    count = find_similar(guide, 5, 20, rules(8, 30, 64 * step**2), workspace)
    assert count == len(brute_force(image, 5, 20, 8, 30))


def test_overlaps_are_averaged_within_the_region():
    average = OverlapAverage(Region(10, 14, 20, 23))
    average.add(Region(8, 12, 18, 30), np.ones((4, 12)), np.ones((4, 12)))
    average.add(Region(10, 14, 20, 23), np.full((4, 3), 3.0), np.ones((4, 3)))
    average.add(Region(0, 4, 0, 4), np.ones((4, 4)), np.ones((4, 4)))
    assert np.array_equal(average.mean(), [[2.0] * 3] * 2 + [[3.0] * 3] * 2)
