"""`ezdl deblur`."""

import numpy as np
import pytest
from helpers import exif_data
from helpers.exif_data import read_with_pillow
from helpers.restoration_files import (
    photograph,
    ramp,
    rounded,
    save,
    save_with_metadata,
    values_of,
)
from scipy.ndimage import convolve
from skimage import data

from ezdl_cli import io
from ezdl_cli.images.decoding import read_pixels
from ezdl_cli.restoration.blur_kernels import box_kernel, disk_kernel, motion_kernel
from ezdl_cli.restoration.blurred_noise import estimate_blurred_noise
from ezdl_cli.restoration.blurring import gaussian_kernel, normalised_kernel
from ezdl_cli.restoration.deblurring import DICTIONARY_SCHEDULE, SCHEDULE, deblur
from ezdl_cli.workflow import progress_lines

WEIGHTS = np.random.default_rng(0).integers(0, 256, (5, 5), dtype=np.uint8)
FEW = ("--rounds", 3)
THREE_ROUNDS = SCHEDULE._replace(n_rounds=3)


@pytest.fixture
def files(tmp_path):
    """Write an image, and kernels."""
    save(tmp_path / "i.png", photograph())
    save(tmp_path / "k.png", WEIGHTS)
    np.save(tmp_path / "k.npy", WEIGHTS / 1000.0)
    np.save(tmp_path / "nan.npy", np.full((3, 3), np.nan))
    np.save(tmp_path / "balanced.npy", [[1.0, -1.0]])
    np.save(tmp_path / "wide.npy", np.ones((3, 999)))
    np.save(tmp_path / "row.npy", np.ones(9))
    save(tmp_path / "black.png", np.zeros((3, 3), np.uint8))
    save(tmp_path / "colours.png", photograph()[:5, :5])
    (tmp_path / "text.png").write_text("not an image")


@pytest.mark.parametrize("n_channels", [1, 3])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("kernel", ["k.png", "k.npy"])
def test_result_is_that_of_the_function(run_here, files, tmp_path, n_channels, dtype, kernel):
    image = photograph(n_channels, dtype)
    save(tmp_path / "n.png", image)
    level = 2.0 * np.iinfo(dtype).max / 255
    done = run_here("ezdl", "deblur", "n.png", kernel, "o.png", "--sigma", level, *FEW)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    weights = WEIGHTS if kernel == "k.png" else WEIGHTS / 1000.0
    expected = deblur(image, weights, level, schedule=THREE_ROUNDS)
    result = values_of(tmp_path / "o.png")
    np.testing.assert_array_equal(result, rounded(expected, dtype), strict=True)


@pytest.mark.parametrize(
    ("text", "kernel"),
    [
        ("gaussian:1.6", gaussian_kernel(1.6)),
        ("motion:7:30", motion_kernel(7, 30)),
        ("motion:4.5:-100", motion_kernel(4.5, -100)),
        ("disk:3", disk_kernel(3)),
        ("box:5", box_kernel(5)),
    ],
)
def test_kernels_can_be_described(run_here, files, tmp_path, text, kernel):
    done = run_here("ezdl", "deblur", "i.png", text, "o.png", "--sigma", 2, *FEW)
    assert (done.returncode, done.stderr) == (0, "")
    expected = rounded(deblur(photograph(), kernel, 2.0, schedule=THREE_ROUNDS))
    np.testing.assert_array_equal(values_of(tmp_path / "o.png"), expected)


def test_file_of_the_name_of_a_description_is_read(run_here, files, tmp_path):
    (tmp_path / "box:3").write_bytes((tmp_path / "k.png").read_bytes())
    for kernel, target in (("box:3", "o.png"), ("k.png", "p.png")):
        assert run_here("ezdl", "deblur", "i.png", kernel, target, *FEW).returncode == 0
    assert (tmp_path / "o.png").read_bytes() == (tmp_path / "p.png").read_bytes()


def test_blurred_photograph_becomes_sharper(run_here, tmp_path):
    clean = data.camera()[80:160, 180:260].astype(float)
    kernel = motion_kernel(9, 30)
    noise = np.random.default_rng(0).standard_normal(clean.shape)
    save(tmp_path / "i.png", rounded(convolve(clean, kernel, mode="mirror") + noise))
    done = run_here("ezdl", "deblur", "i.png", "motion:9:30", "o.png", "--sigma", 1)
    assert (done.returncode, done.stderr) == (0, "")
    inner = (slice(8, -8), slice(8, -8))
    before, after = (
        np.sqrt(np.mean((values_of(tmp_path / name)[inner] - clean[inner]) ** 2))
        for name in ("i.png", "o.png")
    )
    assert after < 0.6 * before


def test_noise_level_is_estimated_and_printed(run_here, files, tmp_path):
    for n_channels in (1, 3):
        image = photograph(n_channels)
        save(tmp_path / "n.png", image)
        done = run_here("ezdl", "deblur", "n.png", "k.png", "o.png", *FEW)
        sigma = estimate_blurred_noise(image, normalised_kernel(WEIGHTS))
        message = f"ezdl: n.png: estimated noise level {sigma:.4g}\n"
        assert (done.returncode, done.stderr) == (0, message)
        expected = rounded(deblur(image, WEIGHTS, sigma, schedule=THREE_ROUNDS))
        np.testing.assert_array_equal(values_of(tmp_path / "o.png"), expected)
        automatic = deblur(image, WEIGHTS, schedule=THREE_ROUNDS)
        np.testing.assert_array_equal(rounded(automatic), expected)
        assert run_here("ezdl", "deblur", "n.png", "k.png", "o.png", "--quiet").stderr == ""


def test_options_reach_the_function(run_here, files, tmp_path):
    atoms = np.random.default_rng(0).standard_normal((20, 16)).astype(np.float32)
    atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
    io.save_dictionary(tmp_path / "d.npz", io.Dictionary(atoms))
    for options, expected in (
        ((), {}),
        (("--dictionary", "d.npz"), {"W": atoms, "schedule": DICTIONARY_SCHEDULE}),
        ((*FEW, "--first-sigma", 30, "--last-sigma", 5), {"schedule": (30, 5, 3)}),
        (("--boundary", "periodic"), {"boundary": "periodic"}),
    ):
        done = run_here("ezdl", "deblur", "i.png", "k.png", "o.png", "--sigma", 3, *options)
        assert (done.returncode, done.stderr) == (0, "")
        result = rounded(deblur(photograph(), WEIGHTS, 3.0, **expected))
        np.testing.assert_array_equal(values_of(tmp_path / "o.png"), result)


def test_transparency_is_preserved(run_here, files, tmp_path):
    save(tmp_path / "n.png", photograph(), ramp())
    assert run_here("ezdl", "deblur", "n.png", "k.png", "o.png", *FEW).returncode == 0
    np.testing.assert_array_equal(read_pixels(tmp_path / "o.png").alpha, ramp())


def test_metadata_are_preserved_and_fit_the_upright_image(run_here, files, tmp_path):
    save_with_metadata(tmp_path / "n.jpg")
    for target in ("o.jpg", "o.png", "o.tif"):
        done = run_here("ezdl", "deblur", "n.jpg", "k.png", target, "--sigma", 2, *FEW)
        assert (done.returncode, done.stderr) == (0, "")
        found = read_with_pillow(tmp_path / target)
        assert found["main"][exif_data.MAKE] == "Camera"
        assert read_pixels(tmp_path / target).metadata.dpi == pytest.approx((150, 300), rel=1e-3)


def test_progress_is_shown_unless_quiet(run_here, files, monkeypatch):
    monkeypatch.setattr(progress_lines, "INTERVAL", 0.0)
    monkeypatch.setenv("EZDL_PROGRESS", "1")
    command = ("ezdl", "deblur", "i.png", "k.png", "o.png", "--sigma", 2, *FEW)
    lines = run_here(*command).stderr.splitlines()
    assert lines and all(line.startswith("Deblurring: ") for line in lines)
    assert run_here(*command, "--quiet").stderr == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("i.png", "k.png", "i.png"), "i.png: would overwrite"),
        (("i.png", "k.png", "k.png"), "k.png: would overwrite"),
        (("i.png", "k.png", "o.gif"), "o.gif: the file name must end in"),
        (("i.png", "k.png", "no/o.png"), "does not exist"),
        (("no.png", "k.png", "o.png"), "no.png: "),
        (("text.png", "k.png", "o.png"), "text.png: not an image"),
        (("i.png", "no.png", "o.png"), "no.png: cannot be read"),
        (("i.png", "no.npy", "o.png"), "no.npy: no such file"),
        (("i.png", "gauss:2", "o.png"), "gauss:2: no such file, and not one of gaussian:SIGMA, "),
        (("i.png", "text.png", "o.png"), "text.png: not an image"),
        (("i.png", "black.png", "o.png"), "black.png: kernel must not consist of zeros"),
        (("i.png", "colours.png", "o.png"), "colours.png: a kernel must be grey"),
        (("i.png", "nan.npy", "o.png"), "nan.npy: kernel must"),
        (("i.png", "balanced.npy", "o.png"), "balanced.npy: the sum of the kernel must be"),
        (("i.png", "row.npy", "o.png"), "row.npy: must be a matrix of real numbers"),
        (("i.png", "wide.npy", "o.png"), "wide.npy: the kernel has 999 × 3 pixels, more"),
        (("i.png", "gaussian:20", "o.png"), "gaussian:20: the kernel has 161 × 161 pixels"),
        (("i.png", "k.png", "o.png", "--sigma", "1e9"), "--sigma must"),
        (("i.png", "k.png", "o.png", "--dictionary", "k.npy"), "k.npy: "),
        *(
            (("i.png", text, "o.png"), f"{text}: must have the form {text.partition(':')[0]}:")
            for text in (
                *("gaussian", "gaussian:", "gaussian:0", "gaussian:-1", "gaussian:nan"),
                *("gaussian:101", "gaussian:1:2", "gaussian:x", "motion:5", "motion:5:inf"),
                *("motion:1e9:0", "disk:0", "disk:1e9", "box:4", "box:2.5", "box:-3", "box:1e6"),
            )
        ),
    ],
)
def test_usage_errors_are_one_line(refused, files, tmp_path, arguments, words):
    assert words in refused("ezdl", "deblur", *arguments)
    assert not (tmp_path / "o.png").exists()
