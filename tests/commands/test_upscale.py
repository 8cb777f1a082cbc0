"""`ezdl upscale`."""

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
from ezdl_cli.images.guards import image_size
from ezdl_cli.restoration.upscaling import DICTIONARY_SCHEDULE, SCHEDULE, upscale
from ezdl_cli.workflow import progress_lines

FEW = ("--rounds", 3)


FEW_ROUNDS = SCHEDULE._replace(n_rounds=3)


@pytest.mark.parametrize("n_channels", [1, 3])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("factor", [2, 3, 4])
def test_result_is_that_of_the_function(run_here, tmp_path, n_channels, dtype, factor):
    image = photograph(n_channels, dtype)
    save(tmp_path / "i.png", image)
    done = run_here("ezdl", "upscale", "i.png", "o.png", "--factor", factor, *FEW)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    expected = rounded(upscale(image, factor, schedule=FEW_ROUNDS), dtype)
    np.testing.assert_array_equal(values_of(tmp_path / "o.png"), expected, strict=True)


def test_defaults_and_options_are_those_of_the_function(run_here, tmp_path):
    atoms = np.random.default_rng(0).standard_normal((20, 16)).astype(np.float32)
    atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
    io.save_dictionary(tmp_path / "d.npz", io.Dictionary(atoms))
    image = photograph(1)
    save(tmp_path / "i.png", image)
    for options, expected in (
        ((), {}),
        ((*FEW, "--sigma", 9), {"sigma": 9.0, "schedule": FEW_ROUNDS}),
        (("--dictionary", "d.npz"), {"W": atoms, "schedule": DICTIONARY_SCHEDULE}),
        ((*FEW, "--first-sigma", 30, "--last-sigma", 5), {"schedule": (30, 5, 3)}),
    ):
        done = run_here("ezdl", "upscale", "i.png", "o.png", *options)
        assert (done.returncode, done.stderr) == (0, "")
        result = rounded(upscale(image, **expected))
        np.testing.assert_array_equal(values_of(tmp_path / "o.png"), result)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_transparency_is_enlarged(run_here, tmp_path, dtype):
    alpha = ramp(dtype)
    alpha[:, -4:] = 0  # bicubic interpolation overshoots
    save(tmp_path / "i.png", photograph(3, dtype), alpha)
    assert run_here("ezdl", "upscale", "i.png", "o.png", *FEW).returncode == 0
    result = read_pixels(tmp_path / "o.png").alpha
    assert result.shape == (2 * HEIGHT, 2 * WIDTH) and result.dtype == dtype
    size = (2 * WIDTH, 2 * HEIGHT)
    expected = np.asarray(Image.fromarray(alpha.astype(np.float32)).resize(size, Image.BICUBIC))
    white = np.iinfo(dtype).max
    np.testing.assert_allclose(result, np.clip(expected, 0, white), atol=0.6)
    save(tmp_path / "opaque.png", photograph(3, dtype), np.full_like(alpha, white))
    assert run_here("ezdl", "upscale", "opaque.png", "o.png", *FEW).returncode == 0
    assert (read_pixels(tmp_path / "o.png").alpha == white).all()


def test_metadata_are_preserved_and_fit_the_enlarged_image(run_here, tmp_path):
    save_with_metadata(tmp_path / "i.jpg")
    for target in ("o.jpg", "o.png", "o.webp"):
        done = run_here("ezdl", "upscale", "i.jpg", target, *FEW)
        assert (done.returncode, done.stderr) == (0, "")
        found = read_with_pillow(tmp_path / target)
        assert found["main"][exif_data.MAKE] == "Camera"
        assert found["main"].get(exif_data.ORIENTATION, 1) == 1
        details = found["details"]
        size = (details[exif_data.WIDTH], details[exif_data.HEIGHT])
        assert size == (2 * HEIGHT, 2 * WIDTH)  # turned
        assert read_pixels(tmp_path / target).metadata.dpi == pytest.approx((150, 300), rel=1e-3)


def test_too_large_results_are_refused(refused, tmp_path, monkeypatch):
    save(tmp_path / "i.png", photograph())
    save(tmp_path / "wide.png", np.zeros((8, 16384 // 4), np.uint8))
    words = "o.webp: 16384 × 32 pixels are too many for WEBP files"
    assert words in refused("ezdl", "upscale", "wide.png", "o.webp", "--factor", 4)
    monkeypatch.setattr(image_size, "MAX_PIXELS", 2 * HEIGHT * WIDTH)
    words = f"i.png: the result would have {2 * WIDTH} × {2 * HEIGHT} pixels, above the limit"
    assert words in refused("ezdl", "upscale", "i.png", "o.png")
    assert not list(tmp_path.glob("o.*"))


def test_progress_is_shown_unless_quiet(run_here, tmp_path, monkeypatch):
    save(tmp_path / "i.png", photograph(1))
    monkeypatch.setattr(progress_lines, "INTERVAL", 0.0)
    monkeypatch.setenv("EZDL_PROGRESS", "1")
    command = ("ezdl", "upscale", "i.png", "o.png", *FEW)
    lines = run_here(*command).stderr.splitlines()
    assert lines and all(line.startswith("Upscaling: ") for line in lines)
    assert run_here(*command, "--quiet").stderr == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("i.png", "i.png"), "i.png: would overwrite"),
        (("i.png", "o.gif"), "o.gif: the file name must end in"),
        (("i.png", "no/o.png"), "does not exist"),
        (("no.png", "o.png"), "no.png: "),
        (("text.png", "o.png"), "text.png: not an image"),
        (("deep.png", "o.jpg"), "16 bits"),
        (("i.png", "o.png", "--factor", "1"), "--factor"),
        (("i.png", "o.png", "--factor", "5"), "--factor"),
        (("i.png", "o.png", "--sigma", "1e9"), "--sigma must"),
        (("i.png", "o.png", "--rounds", "0"), "--rounds"),
        (("i.png", "o.png", "--first-sigma", "0"), "--first-sigma"),
        (("i.png", "o.png", "--last-sigma", "nan"), "--last-sigma"),
        (("i.png", "o.png", "--dictionary", "text.png"), "text.png: "),
    ],
)
def test_usage_errors_are_one_line(refused, tmp_path, arguments, words):
    save(tmp_path / "i.png", photograph())
    save(tmp_path / "deep.png", photograph(1, np.uint16))
    (tmp_path / "text.png").write_text("not an image")
    assert words in refused("ezdl", "upscale", *arguments)
    assert not list(tmp_path.glob("o.*"))
