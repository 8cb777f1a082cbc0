"""Denoising with extreme values, and with files of the same name."""

import numpy as np
import pytest
from PIL import Image

import ezdl_cli as ez
from ezdl_cli import io
from ezdl_cli.restoration.denoising_parameters import DenoisingParameters


def random_image(*shape):
    return np.random.default_rng(0).integers(0, 256, shape, dtype=np.uint8)


@pytest.mark.parametrize("sigma", [5e-324, 1e-170, 1e-9, 0.09])
@pytest.mark.parametrize("adapt", [False, True])
def test_noise_below_rounding_leaves_an_image_unchanged(sigma, adapt):
    image = random_image(20, 25, 3)
    np.testing.assert_allclose(ez.denoise(image, sigma, adapt=adapt), image, atol=1e-10)


@pytest.mark.parametrize("white", [5e-324, 1e-301, 1.7e308])
def test_white_out_of_range_is_rejected(white):
    with pytest.raises(ValueError, match="white must be"):
        ez.denoise(np.zeros((20, 20)), 0.0, white=white)


@pytest.mark.parametrize("sigma", ["25", [25.0], 25j])
def test_a_noise_level_that_is_not_a_number_is_rejected(sigma):
    with pytest.raises(ValueError, match="sigma must be a number"):
        ez.denoise(random_image(20, 20), sigma)


@pytest.mark.parametrize("window", [np.int8(100), np.uint8(100)])
def test_small_integer_types_do_not_overflow(window):
    image = random_image(20, 25)
    short = ez.denoise(
        image, 25.0, parameters=DenoisingParameters(window=window, min_group_size=np.uint8(8))
    )
    np.testing.assert_array_equal(short, ez.denoise(image, 25.0, window=100))


def test_distances_beyond_float32_are_limited():
    far, farther = (
        ez.denoise(
            random_image(20, 25), 25.0, parameters=DenoisingParameters(window=2, distance=distance)
        )
        for distance in (1e30, 1e300)
    )
    np.testing.assert_allclose(far, farther, atol=1e-3)


@pytest.fixture
def setting(tmp_path):
    """Create images whose names differ only in their suffix, and a dictionary."""
    (tmp_path / "p").mkdir()
    for name in ("a.png", "a.bmp"):
        Image.fromarray(random_image(20, 25)).save(tmp_path / "p" / name)
    io.save_dictionary(tmp_path / "d.npz", io.Dictionary(np.eye(64)))
    return tmp_path


@pytest.mark.parametrize("drawn", ["t.csv", "./t.csv", "p/a.png", "p/a.bmp"])
def test_the_drawing_replaces_neither_the_table_nor_an_image(run, setting, drawn):
    before = {path: path.read_bytes() for path in setting.rglob("*") if path.is_file()}
    done = run("ezdl", "denoise", "d.npz", "p", "t.csv", "--picture", drawn, "--repeats", "1")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert {path: path.read_bytes() for path in setting.rglob("*") if path.is_file()} == before


def test_images_that_would_be_saved_under_one_name_are_rejected(run, setting):
    done = run("ezdl", "denoise", "d.npz", "p", "t.csv", "--save-images", "out")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("ezdl: a.bmp and a.png: ") and "same name" in done.stderr
    assert not (setting / "out").exists()
