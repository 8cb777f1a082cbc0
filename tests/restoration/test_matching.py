"""Block matching against brute force."""

import numpy as np
import pytest

from ezdl_cli.restoration.matching import MatchRoom, find_group, find_nearest
from ezdl_cli.restoration.regions import Overlaps, Region


def brute_force(image, y, x, side, radius):
    """Distances of the patches of the window, by place."""
    patches = np.lib.stride_tricks.sliding_window_view(image.astype(float), (side, side))
    return {
        (v, u): ((patches[v, u] - patches[y, x]) ** 2).sum()
        for v in range(max(0, y - radius), min(len(patches), y + radius + 1))
        for u in range(max(0, x - radius), min(patches.shape[1], x + radius + 1))
    }


def found_places(room, count):
    return list(zip(room.rows[:count].tolist(), room.columns[:count].tolist(), strict=True))


@pytest.mark.parametrize("side", [1, 3, 4, 8])
@pytest.mark.parametrize("place", [(0, 0), (7, 11), (22, 19)])
def test_group_is_all_that_is_near(side, place):
    rng = np.random.default_rng(side)
    image = rng.random((23 + side - 1, 20 + side - 1)).astype(np.float32)
    distances = brute_force(image, *place, side, 6)
    limit = np.median(list(distances.values()))
    room = MatchRoom.of(6)
    count = find_group(image, *place, side, 6, np.float32(limit + 1e-4), 10**4, room)
    places = found_places(room, count)
    assert places[0] == place and len(set(places)) == count
    assert set(places) == {key for key, value in distances.items() if value <= limit + 1e-4}


@pytest.mark.parametrize("size", [1, 2, 8, 40])
def test_nearest_are_the_nearest(size):
    image = np.random.default_rng(size).random((30, 30)).astype(np.float32)
    distances = brute_force(image, 10, 12, 4, 7)
    nearest = sorted(distances, key=distances.get)[:size]
    room = MatchRoom.of(7)
    assert find_nearest(image, 10, 12, 4, 7, size, room) == size
    assert found_places(room, size) == nearest
    count = find_group(image, 10, 12, 4, 7, np.float32(1e3), size, room)
    assert count == size and found_places(room, size)[0] == (10, 12)
    worst = max(distances[place] for place in found_places(room, size))
    assert worst <= distances[nearest[-1]] + 1e3 / 255


def test_patch_itself_is_kept_among_equal_ones():
    flat, room = np.zeros((40, 40), np.float32), MatchRoom.of(10)
    assert find_group(flat, 15, 15, 8, 10, np.float32(1), 5, room) == 5
    assert found_places(room, 1) == [(15, 15)]
    assert find_nearest(flat, 15, 15, 8, 10, 5, room) == 5
    assert found_places(room, 1) == [(15, 15)]
    assert find_group(flat, 15, 15, 8, 0, np.float32(0), 5, room) == 1


def test_overlaps_add_what_is_inside():
    overlaps = Overlaps(Region(10, 14, 20, 23))
    overlaps.add(Region(8, 12, 18, 30), np.ones((4, 12)), np.ones((4, 12)))
    overlaps.add(Region(10, 14, 20, 23), np.full((4, 3), 3.0), np.ones((4, 3)))
    overlaps.add(Region(0, 4, 0, 4), np.ones((4, 4)), np.ones((4, 4)))
    assert np.array_equal(overlaps.means(), [[2.0] * 3] * 2 + [[3.0] * 3] * 2)
