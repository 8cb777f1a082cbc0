"""Groups of a fixed number of nearest patches, against brute force."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ezdl_cli.restoration.block_matching import Guide, MatchingWorkspace, find_group
from ezdl_cli.restoration.similar_patches import SimilarPatchesRules


def window_distances(image, y, x, side, radius):
    """Return the distances of all patches in the window, by position."""
    patches = np.lib.stride_tricks.sliding_window_view(image.astype(float), (side, side))
    return {
        (v, u): ((patches[v, u] - patches[y, x]) ** 2).sum()
        for v in range(max(0, y - radius), min(len(patches), y + radius + 1))
        for u in range(max(0, x - radius), min(patches.shape[1], x + radius + 1))
    }


def group_at(image, y, x, side, radius, size):
    """Return the positions of a group, and the distances of all patches in the window."""
    rules = SimilarPatchesRules(side, radius, 1, 0, size, np.ones(1))
    workspace = MatchingWorkspace.of(radius)
    count = find_group(Guide.of(image, side), y, x, rules, workspace)
    positions = zip(
        workspace.rows[:count].tolist(), workspace.columns[:count].tolist(), strict=True
    )
    return SimpleNamespace(
        positions=list(positions), distances=window_distances(image, y, x, side, radius)
    )


def check_is_a_group(group, y, x, size):
    """Check what holds for all groups: the patch itself first, different ones, in the window."""
    assert group.positions[0] == (y, x)
    assert len(set(group.positions)) == len(group.positions) == min(size, len(group.distances))
    assert set(group.positions) <= set(group.distances)


@pytest.mark.parametrize("side", [1, 2, 3, 5, 7])
@pytest.mark.parametrize("position", [(0, 0), (7, 11), (22, 19), (0, 19), (22, 0)])
@pytest.mark.parametrize("size", [1, 2, 24, 100])
def test_group_has_the_nearest_patches(side, position, size):
    rng = np.random.default_rng(side)
    image = rng.uniform(0.0, 255.0, (23 + side - 1, 20 + side - 1)).astype(np.float32)
    group = group_at(image, *position, side, 6, size)
    check_is_a_group(group, *position, size)
    nearest = sorted(group.distances, key=group.distances.get)[:size]
    assert set(group.positions) == set(nearest)


@pytest.mark.parametrize("shape", [(5, 5), (5, 9), (9, 5), (6, 7)])
def test_windows_with_few_patches_are_the_group(shape):
    image = np.random.default_rng(0).random(shape).astype(np.float32)
    group = group_at(image, 0, 0, 5, 16, 24)
    assert len(group.positions) == (shape[0] - 4) * (shape[1] - 4)
    assert set(group.positions) == set(group.distances)


@pytest.mark.parametrize("value", [0.0, 77.3, -1e5, 1e6])
@pytest.mark.parametrize("position", [(15, 15), (0, 0), (35, 35)])
def test_flat_areas_have_complete_groups(value, position):
    group = group_at(np.full((40, 40), value, np.float32), *position, 5, 10, 24)
    check_is_a_group(group, *position, 24)


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 60), st.integers(2, 300))
def test_groups_of_images_with_equal_distances_are_complete(seed, side, size, n_values):
    rng = np.random.default_rng(seed)
    image = rng.integers(0, n_values, (12, 14)).astype(np.float32)
    y, x = int(rng.integers(12 - side + 1)), int(rng.integers(14 - side + 1))
    group = group_at(image, y, x, side, 5, size)
    check_is_a_group(group, y, x, size)
    # Equal distances beyond the size are a matter of choice, but none is farther than necessary.
    limit = sorted(group.distances.values())[len(group.positions) - 1]
    assert max(group.distances[position] for position in group.positions) <= limit + 1.0


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 60), st.integers(2, 6))
def test_equal_distances_do_not_displace_nearer_patches(seed, side, size, n_values):
    rng = np.random.default_rng(seed)
    image = rng.integers(0, n_values, (12, 14)).astype(np.float32)
    y, x = int(rng.integers(12 - side + 1)), int(rng.integers(14 - side + 1))
    group = group_at(image, y, x, side, 5, size)
    found = sorted(group.distances[position] for position in group.positions)
    assert found == sorted(group.distances.values())[: len(found)]


def test_far_patches_in_the_window_do_not_blur_what_is_near():
    image = np.random.default_rng(0).uniform(0.0, 255.0, (40, 40)).astype(np.float32)
    image[:3] = 255.0 * 10
    group = group_at(image, 15, 15, 5, 16, 24)
    nearest = sorted(group.distances, key=group.distances.get)[:24]
    assert set(group.positions) == set(nearest)
