"""`ezdl denoise`."""

import numpy as np
import pytest
from PIL import Image
from skimage import data
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

from ezdl_cli import io

SSIM = {"gaussian_weights": True, "sigma": 1.5, "use_sample_covariance": False, "data_range": 255}
COMMAND = ("ezdl", "denoise", "d.npz", "p", "t.csv", "--sigma", "10,40", "--window", "12")


@pytest.fixture
def setting(tmp_path):
    """Two images, and the dictionary that ships with the package."""
    (tmp_path / "p" / "sub").mkdir(parents=True)
    camera = data.camera()
    Image.fromarray(camera[200:270, 200:285]).save(tmp_path / "p" / "a.png")
    Image.fromarray(camera[330:370, 300:350]).save(tmp_path / "p" / "sub" / "b.png")
    (tmp_path / "d.npz").write_bytes(io.dictionaries.DEFAULT.read_bytes())
    return tmp_path


def test_table_agrees_with_the_saved_images(run, setting):
    done = run(*COMMAND, "--repeats", "2", "--save-images", "out", "--picture", "crops.png")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    table = io.load_table(setting / "t.csv", ("sigma", "psnr_final"), ("image", "algorithm"))
    assert len(table["sigma"]) == 8 and set(table["algorithm"]) == {"ezdl"}
    for i in range(8):
        name, sigma = table["image"][i].removesuffix(".png"), table["sigma"][i]
        made = setting / "out" / f"{name}-{sigma:g}-{table['repeat'][i]:g}.png"
        image = np.array(Image.open(setting / "p" / f"{name}.png"))
        pixels = np.array(Image.open(made))
        assert table["psnr_final"][i] == peak_signal_noise_ratio(image, pixels)
        assert abs(table["ssim_final"][i] - structural_similarity(image, pixels, **SSIM)) < 1e-9
        assert table["psnr_final"][i] > table["psnr_pilot"][i] > table["psnr_noisy"][i]
        assert abs(table["psnr_noisy"][i] - 20 * np.log10(255 / sigma)) < 0.3
    assert len(set(table["psnr_noisy"])) == 8
    with Image.open(setting / "crops.png") as crops:
        assert crops.size[0] > 1000
    assert len(list((setting / "out").rglob("*-noisy.png"))) == 8


def test_crop_denoises_the_central_square(run_here, refused, setting):
    image = np.array(Image.open(setting / "p" / "a.png"))
    (setting / "q").mkdir()
    Image.fromarray(image[15:55, 22:62]).save(setting / "q" / "a.png")
    (setting / "p" / "sub" / "b.png").unlink()
    tables = []
    for folder, options in (("p", ["--crop", "40"]), ("q", [])):
        arguments = (*COMMAND[:3], folder, *COMMAND[4:], "--repeats", "1", *options)
        assert run_here(*arguments).returncode == 0
        tables.append((setting / "t.csv").read_text())
    assert tables[0] == tables[1]
    assert "--crop: must be at least 11, not 10" in refused(*COMMAND, "--crop", "10")


def test_noise_depends_only_on_seed_and_name(run, setting):
    run(*COMMAND, "--repeats", "1")
    first = io.load_table(setting / "t.csv")
    (setting / "p" / "a.png").unlink()
    run(*COMMAND, "--repeats", "1", env={"OMP_NUM_THREADS": "1"})
    alone = io.load_table(setting / "t.csv")
    assert list(first["psnr_final"][2:]) == list(alone["psnr_final"])
    run(*COMMAND, "--repeats", "1", "--seed", "1")
    other = io.load_table(setting / "t.csv")
    assert not set(other["psnr_noisy"]) & set(alone["psnr_noisy"])


def test_rules_of_the_authors_stand_for_seven_options(run_here, setting):
    command = ("ezdl", "denoise", "d.npz", "p/sub", "t.csv", "--sigma", "10", "--repeats", "1")
    seven = ("--no-shrink", "--noise-share", "1", "--group-size", "100000", "--least", "1")
    seven += ("--spacing", "1000", "--distance", "2.5", "--stride", "1")
    tables = {}
    for name, options in {
        "default": (),
        "seven": seven,
        "authors": ("--rules", "authors"),
        "overridden": ("--rules", "authors", "--shrink"),
        "seven, shrunk": (*seven, "--shrink"),
    }.items():
        done = run_here(*command, *options)
        assert done.returncode == 0, done.stderr
        tables[name] = io.load_table(setting / "t.csv", ("ssim_final",), ("rules",))
    psnr = {name: table["psnr_final"][0] for name, table in tables.items()}
    assert psnr["authors"] == psnr["seven"] != psnr["default"]
    assert psnr["overridden"] == psnr["seven, shrunk"] != psnr["authors"]
    rules = [str(table["rules"][0]) for table in tables.values()]
    assert rules == ["ezdl", "ezdl", "authors", "authors", "ezdl"]


def test_zero_noise_gives_infinite_psnr(run_here, setting):
    done = run_here("ezdl", "denoise", "d.npz", "p", "t.csv", "--sigma", "0", "--repeats", "1")
    assert done.returncode == 0, done.stderr
    assert set(io.load_table(setting / "t.csv")["psnr_final"]) == {np.inf}


def test_unusable_image_is_named(run_here, refused, setting):
    (setting / "p" / "c.png").write_text("no picture")
    assert "c.png" in refused(*COMMAND)
    assert not (setting / "t.csv").exists()
    done = run_here(*COMMAND, "--repeats", "1", "--skip-bad")
    assert done.returncode == 0 and "c.png" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("d.npz", "p", "t.csv", "--sigma", "-1"), "--sigma"),
        (("d.npz", "p", "t.csv", "--sigma", "ten"), "--sigma"),
        (("d.npz", "p", "t.csv", "--repeats", "0"), "repeats"),
        (("d.npz", "nowhere", "t.csv"), "no such folder"),
        (("none.npz", "p", "t.csv"), "no such file"),
        (("d.npz", "p", "no/t.csv"), "does not exist"),
        (("d.npz", "p", "t.csv", "--save-images", "p/out"), "folder of images"),
        (("d.npz", "p", "t.csv", "--picture", "d.npz"), "would overwrite"),
        (("d.npz", "p", "t.csv", "--confidence", "1"), "confidence"),
        (("d.npz", "p", "t.csv", "--rules", "mine"), "--rules"),
    ],
)
def test_usage_errors_are_one_line(refused, setting, arguments, word):
    assert word in refused("ezdl", "denoise", *arguments)
    assert not (setting / "t.csv").exists()
