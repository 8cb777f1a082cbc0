"""`ezdl denoise-image`."""

import numpy as np
import pytest
import tifffile
from helpers import exif_data
from helpers.exif_data import camera_exif, read_with_pillow
from PIL import Image
from skimage import data

from ezdl_cli.images.decoding import read_pixels


@pytest.fixture
def noisy(tmp_path):
    """A colour image, and the same with noise."""
    clean = data.astronaut()[100:170, 150:240].astype(float)
    values = np.clip(clean + 25 * np.random.default_rng(0).standard_normal(clean.shape), 0, 255)
    return clean, values


def distance(clean, path):
    """Root mean squared error on the scale from 0 to 255."""
    values = read_pixels(path).values
    values = values / (257 if values.dtype == np.uint16 else 1)
    return np.sqrt(np.mean((values - clean) ** 2))


def test_colour_images_of_8_and_16_bits_are_denoised(run, tmp_path, noisy):
    clean, values = noisy
    deep = np.rint(values * 257).astype(np.uint16)
    Image.fromarray(np.rint(values).astype(np.uint8)).save(tmp_path / "n.png")
    tifffile.imwrite(tmp_path / "n.tif", deep, photometric="rgb")
    for source, target, sigma in (("n.png", "c.png", 25), ("n.tif", "c16.png", 25 * 257)):
        done = run("ezdl", "denoise-image", source, target, "--sigma", sigma)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert distance(clean, tmp_path / target) < 0.45 * distance(clean, tmp_path / source)
    assert read_pixels(tmp_path / "c16.png").values.dtype == np.uint16


def test_noise_level_is_estimated_and_tile_size_has_no_effect(run_here, tmp_path, noisy):
    clean, values = noisy
    Image.fromarray(np.rint(values[..., 1]).astype(np.uint8)).save(tmp_path / "n.png")
    done = run_here("ezdl", "denoise-image", "n.png", "c.png")
    assert done.returncode == 0 and "noise level 2" in done.stderr
    assert distance(clean[..., 1], tmp_path / "c.png") < 12
    run_here("ezdl", "denoise-image", "n.png", "t.png", "--tile", "33", "--quiet")
    assert (tmp_path / "t.png").read_bytes() == (tmp_path / "c.png").read_bytes()


def test_noise_that_is_not_white_is_reported_in_one_line(run_here, tmp_path):
    clean = data.chelsea()[:160, :160].astype(float)
    values = clean + 25 * np.random.default_rng(0).standard_normal(clean.shape)
    image = Image.fromarray(np.rint(np.clip(values, 0, 255)).astype(np.uint8))
    image.save(tmp_path / "n.png")
    image.save(tmp_path / "n.jpg", quality=90, subsampling="4:2:0")
    done = run_here("ezdl", "denoise-image", "n.png", "c.png", "--window", "4")
    assert done.returncode == 0 and "white" not in done.stderr
    done = run_here("ezdl", "denoise-image", "n.jpg", "c.png", "--window", "4")
    (warning,) = [line for line in done.stderr.splitlines() if "not white" in line]
    assert done.returncode == 0 and "--sigma" in warning and "n.jpg" in warning
    done = run_here("ezdl", "denoise-image", "n.jpg", "c.png", "--window", "4", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    done = run_here("ezdl", "denoise-image", "n.jpg", "c.png", "--window", "4", "--sigma", "28")
    assert (done.returncode, done.stderr) == (0, "")


def test_rules_are_chosen_by_an_option(run_here, tmp_path, noisy):
    _, values = noisy
    Image.fromarray(np.rint(values[..., 1]).astype(np.uint8)).save(tmp_path / "n.png")
    command = ("ezdl", "denoise-image", "n.png", "c.png", "--sigma", "25")
    written = []
    for options in ((), ("--rules", "ezdl"), ("--rules", "authors")):
        assert run_here(*command, *options).returncode == 0
        written.append((tmp_path / "c.png").read_bytes())
    assert written[0] == written[1] != written[2]
    text = " ".join(run_here("ezdl", "denoise-image", "-h").stdout.split())
    assert "the method of Mairal et al. (2009)" in text


def test_transparency_is_preserved(run_here, tmp_path, noisy):
    _, values = noisy
    pixels = np.dstack([values, np.arange(90) * np.ones((70, 1))]).astype(np.uint8)
    Image.fromarray(pixels).save(tmp_path / "n.png")
    assert run_here("ezdl", "denoise-image", "n.png", "c.png", "--sigma", "25").returncode == 0
    assert np.array_equal(np.array(Image.open(tmp_path / "c.png"))[..., 3], pixels[..., 3])


def test_metadata_are_preserved_and_fit_the_upright_image(run_here, tmp_path, noisy):
    _, values = noisy
    image = Image.fromarray(np.rint(values).astype(np.uint8))
    image.save(tmp_path / "n.jpg", exif=camera_exif(), dpi=(300, 150), quality=95)
    for target in ("c.jpg", "c.png", "c.tif", "c.webp"):
        done = run_here("ezdl", "denoise-image", "n.jpg", target, "--sigma", "25", "--window", "4")
        assert (done.returncode, done.stderr) == (0, "")
        found = read_with_pillow(tmp_path / target)
        assert found["main"][exif_data.MAKE] == "Camera"
        assert found["main"].get(exif_data.ORIENTATION, 1) == 1
        details = found["details"]
        assert (details[exif_data.WIDTH], details[exif_data.HEIGHT]) == (70, 90)
        assert read_pixels(tmp_path / target).metadata.dpi == pytest.approx((150, 300), rel=1e-3)
        assert exif_data.THUMBNAIL not in (tmp_path / target).read_bytes()


def test_what_is_left_out_is_reported_in_one_line(run_here, tmp_path, noisy):
    _, values = noisy
    image = Image.fromarray(np.rint(values).astype(np.uint8))
    options = {"save_all": True, "append_images": [image.rotate(180)]}
    image.save(tmp_path / "phone.jpg", "MPO", **options)
    image.save(tmp_path / "damaged.png", exif=b"Exif\0\0damaged")
    for source, words in (
        ("phone.jpg", "only the first of 2 pictures"),
        ("damaged.png", "EXIF data were left out"),
    ):
        command = ("ezdl", "denoise-image", source, "c.png", "--sigma", "25", "--window", "4")
        done = run_here(*command)
        assert done.returncode == 0
        assert done.stderr.startswith(f"ezdl: {source}: ") and words in done.stderr
        assert done.stderr.count("\n") == 1
        assert read_pixels(tmp_path / "c.png").values.shape == values.shape


@pytest.mark.parametrize("name", ["n.png", "n.webp", "n.tif"])
def test_several_frames_or_pages_are_refused(refused, tmp_path, noisy, name):
    _, values = noisy
    image = Image.fromarray(np.rint(values).astype(np.uint8))
    image.save(tmp_path / name, save_all=True, append_images=[image.rotate(180)])
    line = refused("ezdl", "denoise-image", name, "c.png")
    assert f"{name}: a" in line and " of 2 " in line and "save the one" in line
    assert not (tmp_path / "c.png").exists()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("n.png", "n.png"), "would overwrite"),
        (("n.png", "c.gif"), "must end in"),
        (("n.png", "no/c.png"), "does not exist"),
        (("n.png", "c.png", "--sigma", "-1"), "--sigma"),
        (("n.png", "c.png", "--sigma", "nan"), "--sigma"),
        (("n.png", "c.png", "--sigma", "1e9"), "--sigma must"),
        (("none.png", "c.png"), "none.png"),
        (("text.png", "c.png"), "not an image"),
        (("small.png", "c.png", "--sigma", "5"), "smaller than a patch"),
        (("deep.png", "c.jpg", "--sigma", "5"), "16 bits"),
        (("n.png", "c.png", "--dictionary", "text.png"), "dictionary"),
    ],
)
def test_usage_errors_are_one_line(refused, tmp_path, arguments, word):
    grey = np.random.default_rng(0).integers(0, 256, (40, 40), dtype=np.uint8)
    Image.fromarray(grey).save(tmp_path / "n.png")
    Image.fromarray(grey[:6, :6]).save(tmp_path / "small.png")
    Image.fromarray(grey.astype(np.uint16)).save(tmp_path / "deep.png")
    (tmp_path / "text.png").write_text("not an image")
    assert word in refused("ezdl", "denoise-image", *arguments)
    assert not (tmp_path / "c.png").exists()
    assert np.array_equal(np.array(Image.open(tmp_path / "n.png")), grey)
