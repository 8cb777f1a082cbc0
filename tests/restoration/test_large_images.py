"""Restoration of large images in tiles."""

import itertools

import numpy as np
import pytest
from helpers.photographs import by_channel, psnr
from hypothesis import given
from hypothesis import strategies as st
from skimage import data

import ezdl_cli as ez
from ezdl_cli.restoration import large_images
from ezdl_cli.restoration.bicubic import downscale
from ezdl_cli.restoration.blurring import blur
from ezdl_cli.restoration.large_images import restore_in_tiles

SIZES = st.integers(1, 90)
KERNEL = np.outer([1.0, 2.0, 1.0], [1.0, 2.0, 4.0]) / 28.0
PHOTO = data.chelsea()[30:270, 130:154].astype(np.float64)
MISSING = np.random.default_rng(0).random(PHOTO.shape[:2]) < 0.5
SMALL_TILES = 80  # three of them are less than the photograph with the overlap on one side


def ignore(share):
    """Ignore the share of the work that is done."""


@pytest.fixture
def small_tiles(monkeypatch):
    monkeypatch.setattr(large_images, "TILE_SIZE", SMALL_TILES)


def record_regions(shape, tile, overlap, scale=1):
    """Return the regions for which parts are restored."""
    regions = []

    def restore(region, advance):
        regions.append(region)
        return np.zeros((1, *(scale * side for side in region.shape)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large_images, "TILE_SIZE", tile)
        restore_in_tiles(restore, shape, 1, ignore, scale=scale, overlap=overlap)
    return regions


@given(SIZES, SIZES, st.integers(1, 60), st.integers(1, 60), st.integers(1, 4), st.integers(1, 3))
def test_parts_of_an_image_are_put_together_again(height, width, tile, overlap, scale, n_channels):
    image = np.random.default_rng(0).uniform(-1.0, 1.0, (n_channels, scale * height, scale * width))

    def restore(region, advance):
        rows, columns = (slice(scale * s.start, scale * s.stop) for s in region.slices)
        return image[:, rows, columns]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large_images, "TILE_SIZE", tile)
        found = restore_in_tiles(
            restore, (height, width), n_channels, ignore, scale=scale, overlap=overlap
        )
    np.testing.assert_allclose(found, image, rtol=0, atol=1e-12)


@given(SIZES, SIZES, st.integers(1, 60), st.integers(1, 60), st.integers(1, 4))
def test_regions_cover_the_image_and_are_bounded(height, width, tile, overlap, scale):
    regions = record_regions((height, width), tile, overlap, scale)
    covered = np.zeros((height, width), bool)
    for region in regions:
        covered[region.slices] = True
        for side in region.shape:
            assert 1 <= side * scale <= max(tile, scale) + 2 * (overlap + scale - 1) + scale
    assert covered.all()
    rows, columns = (-(-size // max(1, tile // scale)) for size in (height, width))
    assert len(regions) == rows * columns


@pytest.mark.parametrize("size", [1, 999, 1024])
def test_images_of_one_tile_are_restored_as_a_whole(size):
    (region,) = record_regions((size, size), large_images.TILE_SIZE, large_images.OVERLAP)
    assert region == (0, size, 0, size)
    assert len(record_regions((1025, size), 1024, 48)) == 2


def test_results_of_neighbours_are_blended_without_a_seam(small_tiles):
    numbers = itertools.count()
    found = restore_in_tiles(
        lambda region, advance: np.full((1, *region.shape), float(next(numbers))),
        *((240, 30), 1, ignore),
        overlap=15,
    )
    assert next(numbers) == 3
    column = found[0, :, 7]
    assert (found == column[:, None]).all()
    assert column[0] == 0.0 and column[-1] == 2.0 and (column[100:140] == 1.0).all()
    assert np.diff(column).min() >= 0.0 and np.diff(column).max() < 0.05


@given(SIZES, SIZES, st.integers(5, 60), st.integers(1, 5))
def test_progress_rises_to_one(height, width, tile, n_steps):
    shares = []

    def restore(region, advance):
        for step in range(1, n_steps + 1):
            advance(step / n_steps)
        return np.zeros((1, *region.shape))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large_images, "TILE_SIZE", tile)
        restore_in_tiles(restore, (height, width), 1, shares.append, overlap=3)
    assert shares[0] > 0.0 and shares[-1] == 1.0
    assert all(after > before for before, after in itertools.pairwise(shares))


def tasks(image):
    """Return calls of the three tasks, with images that are degraded."""
    small = by_channel(lambda channel: downscale(channel, 2), image)
    blurred = by_channel(lambda channel: blur(channel, KERNEL), image)
    blurred += 2.0 * np.random.default_rng(0).standard_normal(blurred.shape)
    return {
        "upscale": lambda **options: ez.upscale(small, 2, **options),
        "deblur": lambda **options: ez.deblur(blurred, KERNEL, 2.0, **options),
        "inpaint": lambda **options: ez.inpaint(image, MISSING, **options),
    }


names = pytest.mark.parametrize("name", ["upscale", "deblur", "inpaint"])


@names
def test_results_hardly_depend_on_tiles(monkeypatch, name):
    task = tasks(PHOTO)[name]
    expected = task()
    monkeypatch.setattr(large_images, "TILE_SIZE", SMALL_TILES)
    found = task()
    assert not np.array_equal(found, expected)
    assert psnr(found, expected) > 40.0


@pytest.mark.parametrize("factor", [2, 3, 4])
def test_tiles_of_upscaled_images_have_the_given_reduction(small_tiles, factor):
    image = PHOTO[:100, :, 1]
    found = ez.upscale(image, factor, schedule=(40.0, 3.0, 6))
    assert np.abs(downscale(found, factor) - image).max() <= 1e-3


def test_tiles_of_inpainted_images_keep_known_pixels(small_tiles):
    found = ez.inpaint(PHOTO, MISSING, schedule=(10.0, 2.0, 2))
    np.testing.assert_allclose(found[~MISSING], PHOTO[~MISSING], atol=1e-10)


@names
@pytest.mark.parametrize("tile", [large_images.TILE_SIZE, SMALL_TILES])
@pytest.mark.parametrize("n_rounds", [1, 4])
def test_callbacks_are_called_with_shares_that_rise_to_one(monkeypatch, name, tile, n_rounds):
    monkeypatch.setattr(large_images, "TILE_SIZE", tile)
    shares = []
    tasks(PHOTO[..., 1])[name](schedule=(20.0, 5.0, n_rounds), callback=shares.append)
    assert shares[0] > 0.0 and shares[-1] == 1.0
    assert all(after > before for before, after in itertools.pairwise(shares))
    assert len(shares) >= n_rounds * (1 if tile > 240 else 2)


@names
def test_tiles_work_with_a_dictionary(small_tiles, name):
    atoms = np.random.default_rng(0).standard_normal((30, 25))
    found = tasks(PHOTO[..., 1])[name](W=atoms, schedule=(20.0, 5.0, 2))
    assert np.isfinite(found).all()
