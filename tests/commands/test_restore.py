"""`ezdl restore`."""

import numpy as np
import pytest
from PIL import Image
from skimage import data
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

from ezdl_cli import io

SSIM = {"gaussian_weights": True, "sigma": 1.5, "use_sample_covariance": False, "data_range": 255}
SETTINGS = ("--factors", "2,3", "--blurs", "1", "--missing", "30,60")
COMMAND = ("ezdl", "restore", "d.npz", "p", "t.csv", *SETTINGS)
NUMBERS = ("setting", "sigma", "psnr", "psnr_baseline", "ssim", "ssim_baseline")
BORDERS = {"super-resolution": 6, "deblurring": 0, "inpainting": 0}


@pytest.fixture
def setting(tmp_path):
    """Two images, and the dictionary that ships with the package."""
    (tmp_path / "p" / "sub").mkdir(parents=True)
    camera = data.camera()
    Image.fromarray(camera[200:245, 200:250]).save(tmp_path / "p" / "a.png")
    Image.fromarray(camera[330:372, 300:342]).save(tmp_path / "p" / "sub" / "b.png")
    (tmp_path / "d.npz").write_bytes(io.dictionaries.DEFAULT.read_bytes())
    return tmp_path


def original(setting, name, task, value):
    """The part of an image that is restored."""
    image = np.array(Image.open(setting / "p" / name)).astype(float)
    if task == "super-resolution":
        height, width = (int(value * (side // value)) for side in image.shape)
        return image[:height, :width]
    return image[4:-4, 4:-4] if task == "deblurring" else image


def test_table_agrees_with_the_saved_images(run, setting):
    shown = ("--picture", "crops.png", "--examples", "examples.png")
    done = run(*COMMAND, "--save-images", "out", *shown)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    table = io.load_table(setting / "t.csv", NUMBERS, ("image", "task", "algorithm"))
    assert len(table["task"]) == 10 and set(table["algorithm"]) == {"ezdl"}
    assert set(table["sigma"][table["task"] == "deblurring"]) == {2.0}
    assert set(table["sigma"][table["task"] != "deblurring"]) == {0.0}
    for i, (name, task, value) in enumerate(
        zip(table["image"], table["task"], table["setting"], strict=True)
    ):
        path = setting / "out" / f"{name.removesuffix('.png')}-{task}-{value:g}.png"
        made, border = np.array(Image.open(path)), BORDERS[task]
        inside = slice(border, -border or None)
        image = original(setting, name, task, value)
        pair = (image[inside, inside].astype(np.uint8), made[inside, inside])
        assert made.shape == image.shape
        assert table["psnr"][i] == pytest.approx(peak_signal_noise_ratio(*pair))
        assert table["ssim"][i] == pytest.approx(structural_similarity(*pair, **SSIM))
    for task in BORDERS:
        rows = table["task"] == task
        assert np.mean(table["psnr"][rows] - table["psnr_baseline"][rows]) > 0.1, task
    with Image.open(setting / "crops.png") as crops:
        assert crops.size[0] > 1000
    assert len(list((setting / "out").rglob("*-degraded.png"))) == 10
    examples = io.load_restoration_examples(setting / "examples.png")
    assert [(one.task, one.setting) for one in examples] == [
        *(("super-resolution", 3.0), ("deblurring", 1.0), ("inpainting", 60.0))
    ]
    for one in examples:
        assert len(one.crops) == 4 and one.crops[0].shape == (37, 37)
        rows = (table["image"] == "a.png") & (table["task"] == one.task)
        rows &= table["setting"] == one.setting
        assert one.psnr[1:] == (*table["psnr_baseline"][rows], *table["psnr"][rows])


def test_degraded_images_depend_only_on_seed_name_and_setting(run_here, setting):
    command = (*COMMAND[:5], "--task", "inpainting", "--save-images")
    assert run_here(*command, "first", "--missing", "30,60").returncode == 0
    (setting / "p" / "a.png").rename(setting / "p" / "z.png")
    assert run_here(*command, "alone", "--missing", "60").returncode == 0
    assert run_here(*command, "other", "--missing", "60", "--seed", "1").returncode == 0
    name = "sub/b-inpainting-60-degraded.png"
    first, alone, other = (
        (setting / one / name).read_bytes() for one in ("first", "alone", "other")
    )
    assert first == alone != other
    share = np.mean(np.array(Image.open(setting / "first" / name)) == 0)
    assert abs(share - 0.6) < 0.02


def test_tasks_can_be_chosen_and_measured_without_a_dictionary(run_here, setting):
    command = (*COMMAND, "--crop", "40", "--task", "super-resolution")
    assert run_here(*command, "--without-dictionary").returncode == 0
    table = io.load_table(setting / "t.csv", NUMBERS, ("task",))
    assert set(table["task"]) == {"super-resolution"}
    assert (table["psnr_without_dictionary"] > table["psnr_baseline"]).all()
    assert not set(table["psnr_without_dictionary"]) & set(table["psnr"])
    psnr = table["psnr"]
    assert run_here(*command).returncode == 0
    table = io.load_table(setting / "t.csv", NUMBERS, ("task",))
    assert "psnr_without_dictionary" not in table
    np.testing.assert_array_equal(table["psnr"], psnr)


def test_figures_are_drawn_from_the_table(run_here, refused, setting):
    assert run_here(*COMMAND, "--task", "inpainting").returncode == 0
    assert run_here("ezdl", "figure", "inpainting", "t.csv", "f.pdf").returncode == 0
    assert "no rows" in refused("ezdl", "figure", "deblurring", "t.csv", "f.pdf")


def test_unusable_image_is_named(run_here, refused, setting):
    (setting / "p" / "c.png").write_text("no picture")
    assert "c.png" in refused(*COMMAND)
    assert not (setting / "t.csv").exists()
    done = run_here(*COMMAND, "--task", "super-resolution", "--skip-bad")
    assert done.returncode == 0 and "c.png" in done.stderr
    Image.new("L", (30, 200)).save(setting / "p" / "c.png")
    assert "200" in refused("ezdl", "restore", "d.npz", "p", "t.csv", "--blurs", "4")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("d.npz", "p", "t.csv", "--factors", "5"), "--factors"),
        (("d.npz", "p", "t.csv", "--factors", "2.5"), "--factors"),
        (("d.npz", "p", "t.csv", "--blurs", "0"), "--blurs"),
        (("d.npz", "p", "t.csv", "--noise", "-1"), "--noise"),
        (("d.npz", "p", "t.csv", "--missing", "100"), "--missing"),
        (("d.npz", "p", "t.csv", "--missing", "nan"), "--missing"),
        (("d.npz", "p", "t.csv", "--task", "denoising"), "--task"),
        (("d.npz", "p", "t.csv", "--crop", "20"), "--crop must be at least 41"),
        (("d.npz", "nowhere", "t.csv"), "no such folder"),
        (("none.npz", "p", "t.csv"), "no such file"),
        (("d.npz", "p", "no/t.csv"), "does not exist"),
        (("d.npz", "p", "t.csv", "--save-images", "p/out"), "folder of images"),
        (("d.npz", "p", "t.csv", "--picture", "d.npz"), "would overwrite"),
        (("d.npz", "p", "t.csv", "--examples", "x", "--picture", "x"), "two outputs"),
    ],
)
def test_usage_errors_are_one_line(refused, setting, arguments, word):
    assert word in refused("ezdl", "restore", *arguments)
    assert not (setting / "t.csv").exists()
