"""`ezdl inpaint`."""

import numpy as np
import pytest
from helpers import exif_data
from helpers.exif_data import read_with_pillow
from helpers.restoration_files import (
    HEIGHT,
    WIDTH,
    photograph,
    ramp,
    rounded,
    save,
    save_with_metadata,
    values_of,
)
from PIL import Image

from ezdl_cli import io
from ezdl_cli.images.decoding import read_pixels
from ezdl_cli.restoration.inpainting import DICTIONARY_SCHEDULE, SCHEDULE, inpaint
from ezdl_cli.workflow import progress_lines

MASK = np.random.default_rng(0).random((HEIGHT, WIDTH)) < 0.3


@pytest.fixture
def files(tmp_path):
    """Write an image whose missing pixels are black, and masks."""
    save(tmp_path / "i.png", damaged(photograph()))
    save(tmp_path / "m.png", np.uint8(255) * MASK)
    save(tmp_path / "none.png", np.zeros_like(MASK, np.uint8))
    save(tmp_path / "all.png", np.full_like(MASK, 255, np.uint8))
    save(tmp_path / "small.png", np.uint8(255) * MASK[1:])
    np.save(tmp_path / "m.npy", MASK)
    np.save(tmp_path / "float.npy", MASK.astype(float))
    (tmp_path / "text.png").write_text("not an image")


def damaged(values):
    return np.where(MASK if values.ndim == 2 else MASK[..., np.newaxis], 0, values)


@pytest.mark.parametrize("n_channels", [1, 3])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("mask", ["m.png", "m.npy"])
def test_result_is_that_of_the_function_and_near_the_original(
    run_here, files, tmp_path, n_channels, dtype, mask
):
    clean = photograph(n_channels, dtype)
    save(tmp_path / "n.png", damaged(clean))
    done = run_here("ezdl", "inpaint", "n.png", mask, "o.png")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    result = values_of(tmp_path / "o.png")
    expected = rounded(inpaint(damaged(clean), MASK), dtype)
    np.testing.assert_array_equal(result, expected, strict=True)
    np.testing.assert_array_equal(result[~MASK], clean[~MASK])
    errors = np.subtract(result, clean, dtype=float)[MASK] / np.iinfo(dtype).max
    assert np.sqrt(np.mean(errors**2)) < 0.06


def test_options_reach_the_function(run_here, files, tmp_path):
    atoms = np.random.default_rng(0).standard_normal((20, 16)).astype(np.float32)
    atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
    io.save_dictionary(tmp_path / "d.npz", io.Dictionary(atoms))
    image = values_of(tmp_path / "i.png")
    for options, expected in (
        (("--rounds", 2), {"schedule": SCHEDULE._replace(n_rounds=2)}),
        (("--first-sigma", 30, "--last-sigma", 5), {"schedule": (30, 5, SCHEDULE.n_rounds)}),
        (("--sigma", 9), {"sigma": 9.0}),
        (
            ("--dictionary", "d.npz", "--rounds", 2),
            {"W": atoms, "schedule": DICTIONARY_SCHEDULE._replace(n_rounds=2)},
        ),
    ):
        done = run_here("ezdl", "inpaint", "i.png", "m.png", "o.png", *options)
        assert (done.returncode, done.stderr) == (0, "")
        result = rounded(inpaint(image, MASK, **expected))
        np.testing.assert_array_equal(values_of(tmp_path / "o.png"), result)


def test_transparency_is_preserved(run_here, files, tmp_path):
    save(tmp_path / "n.png", photograph(), ramp())
    assert run_here("ezdl", "inpaint", "n.png", "m.png", "o.png").returncode == 0
    np.testing.assert_array_equal(read_pixels(tmp_path / "o.png").alpha, ramp())


def test_metadata_are_preserved_and_fit_the_upright_image(run_here, tmp_path):
    save_with_metadata(tmp_path / "n.jpg")
    save(tmp_path / "m.png", np.uint8(255) * MASK.T)
    for target in ("o.jpg", "o.png", "o.tif"):
        done = run_here("ezdl", "inpaint", "n.jpg", "m.png", target, "--rounds", 1)
        assert (done.returncode, done.stderr) == (0, "")
        found = read_with_pillow(tmp_path / target)
        assert found["main"][exif_data.MAKE] == "Camera"
        assert read_pixels(tmp_path / target).metadata.dpi == pytest.approx((150, 300), rel=1e-3)
    done = run_here("ezdl", "inpaint", "n.jpg", "m.png", "o.ppm", "--rounds", 1)
    assert done.returncode == 0 and "ezdl: n.jpg: EXIF data were left out" in done.stderr


def test_mask_without_missing_pixels_is_reported_in_one_line(run_here, files, tmp_path):
    done = run_here("ezdl", "inpaint", "i.png", "none.png", "o.png")
    assert (done.returncode, done.stderr) == (0, "ezdl: none.png: no pixel is missing\n")
    np.testing.assert_array_equal(values_of(tmp_path / "o.png"), values_of(tmp_path / "i.png"))
    done = run_here("ezdl", "inpaint", "i.png", "none.png", "d.png", "--sigma", 20)
    assert (done.returncode, done.stderr) == (0, "ezdl: none.png: no pixel is missing\n")
    expected = rounded(inpaint(values_of(tmp_path / "i.png"), np.zeros_like(MASK), sigma=20.0))
    np.testing.assert_array_equal(values_of(tmp_path / "d.png"), expected)


def test_grey_pixels_of_a_mask_are_reported_in_one_line(run_here, files, tmp_path):
    pixels = np.zeros((HEIGHT, WIDTH), np.uint8)
    pixels[5:15, 5:15] = 255
    Image.fromarray(pixels).save(tmp_path / "m.jpg", quality=50)
    assert (values_of(tmp_path / "m.jpg")[20:] == 0).all()
    done = run_here("ezdl", "inpaint", "i.png", "m.jpg", "o.png")
    assert done.returncode == 0 and done.stderr.count("\n") == 1
    assert "m.jpg: " in done.stderr and "--threshold 0, " in done.stderr
    command = ("ezdl", "inpaint", "i.png", "m.jpg", "t.png", "--threshold", 0.5, "--quiet")
    assert run_here(*command).stderr == ""
    expected = rounded(inpaint(values_of(tmp_path / "i.png"), pixels > 0))
    np.testing.assert_array_equal(values_of(tmp_path / "t.png"), expected)


def test_progress_is_shown_unless_quiet(run_here, files, monkeypatch):
    monkeypatch.setattr(progress_lines, "INTERVAL", 0.0)
    monkeypatch.setenv("EZDL_PROGRESS", "1")
    command = ("ezdl", "inpaint", "i.png", "m.png", "o.png", "--rounds", 2)
    lines = run_here(*command).stderr.splitlines()
    assert lines and all(line.startswith("Inpainting: ") for line in lines)
    assert run_here(*command, "--quiet").stderr == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("i.png", "m.png", "i.png"), "i.png: would overwrite"),
        (("i.png", "m.png", "m.png"), "m.png: would overwrite"),
        (("i.png", "m.png", "o.gif"), "o.gif: the file name must end in"),
        (("i.png", "m.png", "no/o.png"), "does not exist"),
        (("no.png", "m.png", "o.png"), "no.png: "),
        (("i.png", "no.png", "o.png"), "no.png: "),
        (("i.png", "no.npy", "o.png"), "no.npy: no such file"),
        (("text.png", "m.png", "o.png"), "text.png: not an image"),
        (("i.png", "text.png", "o.png"), "text.png: not an image"),
        (("i.png", "small.png", "o.png"), "small.png: the mask has 36 × 29 pixels"),
        (("i.png", "all.png", "o.png"), "all.png: marks all pixels as missing"),
        (("i.png", "float.npy", "o.png"), "float.npy: must be a matrix of booleans or integers"),
        (("i.png", "m.png", "o.png", "--dictionary", "m.npy"), "m.npy: "),
        (("i.png", "m.png", "o.png", "--sigma", "1e9"), "--sigma must"),
    ],
)
def test_usage_errors_are_one_line(refused, files, tmp_path, arguments, words):
    assert words in refused("ezdl", "inpaint", *arguments)
    assert not (tmp_path / "o.png").exists()
