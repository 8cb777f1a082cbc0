"""`ezdl denoise`."""

import numpy as np
import pytest
from PIL import Image
from skimage import data
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

from ezdl_cli import io
from ezdl_cli.images.greyscale import read_grey

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
    shown = ("--picture", "crops.png", "--examples", "examples.png")
    done = run(*COMMAND, "--repeats", "2", "--save-images", "out", *shown)
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
    original = np.array(Image.open(setting / "p" / "a.png"))
    examples = io.load_restoration_examples(setting / "examples.png")
    assert [one.setting for one in examples] == sorted(set(table["sigma"]))
    for one in examples:
        saved = (setting / "out" / f"a-{one.setting:g}-1{kind}.png" for kind in ("-noisy", ""))
        expected = (original, *(np.array(Image.open(path)) for path in saved))
        assert all(map(np.array_equal, one.crops, expected))
        is_shown = (table["image"] == "a.png") & (table["repeat"] == 1)
        rows = is_shown & (table["sigma"] == one.setting)
        assert one.psnr == (*table["psnr_noisy"][rows], *table["psnr_final"][rows])


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
    assert "--crop must be at least 11, not 10" in refused(*COMMAND, "--crop", "10")


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


def test_rules_of_the_authors_stand_for_nine_options(run_here, setting):
    command = ("ezdl", "denoise", "d.npz", "p/sub", "t.csv", "--sigma", "10", "--repeats", "1")
    nine = ("--no-shrink", "--noise-share", "1", "--group-size", "100000", "--least", "1")
    nine += ("--spacing", "1000", "--distance", "2.5", "--stride", "1", "--no-adapt", "--no-refine")
    tables = {}
    for name, options in {
        "default": (),
        "nine": nine,
        "authors": ("--rules", "authors"),
        "overridden": ("--rules", "authors", "--shrink"),
        "nine, shrunk": (*nine, "--shrink"),
    }.items():
        done = run_here(*command, *options)
        assert done.returncode == 0, done.stderr
        tables[name] = io.load_table(setting / "t.csv", ("ssim_final",), ("rules",))
    psnr = {name: table["psnr_final"][0] for name, table in tables.items()}
    assert psnr["authors"] == psnr["nine"] != psnr["default"]
    assert psnr["overridden"] == psnr["nine, shrunk"] != psnr["authors"]
    rules = [str(table["rules"][0]) for table in tables.values()]
    assert rules == ["ezdl", "ezdl", "authors", "authors", "ezdl"]


def test_zero_noise_gives_infinite_psnr(run_here, setting):
    done = run_here("ezdl", "denoise", "d.npz", "p", "t.csv", "--sigma", "0", "--repeats", "1")
    assert done.returncode == 0, done.stderr
    assert set(io.load_table(setting / "t.csv")["psnr_final"]) == {np.inf}


@pytest.fixture
def colours(setting):
    """A colour image in a folder of its own."""
    (setting / "c").mkdir()
    image = data.astronaut()[100:160, 150:225]
    Image.fromarray(image).save(setting / "c" / "a.png")
    return image


COLOUR = ("ezdl", "denoise", "d.npz", "c", "t.csv", "--colour", "--window", "8")
ONCE = ("--sigma", "25", "--repeats", "1")


def test_colours_are_measured(run_here, setting, colours):
    done = run_here(*COLOUR, *ONCE, "--save-images", "out", "--picture", "crops.png")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    table = io.load_table(setting / "t.csv", ("channels",), ("noisy", "results"))
    assert table["channels"][0] == 3
    assert (table["noisy"][0], table["results"][0]) == ("float", "8-bit")
    made = np.array(Image.open(setting / "out" / "a-25-1.png"))
    assert table["psnr_final"][0] == pytest.approx(peak_signal_noise_ratio(colours, made))
    expected = structural_similarity(colours, made, channel_axis=2, **SSIM)
    assert table["ssim_final"][0] == pytest.approx(expected, abs=1e-9)
    assert table["psnr_final"][0] > table["psnr_pilot"][0] > table["psnr_noisy"][0] + 5
    assert abs(table["psnr_noisy"][0] - 20 * np.log10(255 / 25)) < 0.3
    noisy = np.array(Image.open(setting / "out" / "a-25-1-noisy.png"))
    assert noisy.shape == colours.shape
    with Image.open(setting / "crops.png") as crops:
        pixels = np.asarray(crops.convert("RGB")).astype(int)
    assert np.ptp(pixels, axis=-1).max() > 60


def test_colours_and_grey_values_of_one_image_are_told_apart(run_here, refused, setting, colours):
    for kind in ("colour", "grey"):
        run_here(*COLOUR[:4], f"{kind}.csv", *COLOUR[6:], f"--{kind}", *ONCE, "--crop", "40")
    tables = {kind: io.load_table(setting / f"{kind}.csv") for kind in ("colour", "grey")}
    assert [tables[kind]["channels"][0] for kind in tables] == [3, 1]
    # Three channels help each other.
    assert tables["colour"]["ssim_final"][0] != tables["grey"]["ssim_final"][0]
    line = refused("ezdl", "figure", "denoising", "colour.csv", "grey.csv", "f.pdf")
    assert "the rows differ in the column channels" in line
    text = (setting / "grey.csv").read_text().splitlines()
    names, cells = (line.split(",") for line in text)
    old = [i for i, name in enumerate(names) if name not in ("channels", "noisy", "results")]
    lines = [",".join(row[i] for i in old) for row in (names, cells)]
    (setting / "old.csv").write_text("\n".join(lines) + "\n")
    for tables in (["old.csv"], ["old.csv", "grey.csv"]):
        assert run_here("ezdl", "figure", "denoising", *tables, "f.pdf").returncode == 0
    Image.fromarray(colours[..., 0]).save(setting / "c" / "grey.png")
    line = refused(*COLOUR, *ONCE)
    assert "grey.png" in line and "a grey image" in line
    done = run_here(*COLOUR, *ONCE, "--sigma", "0", "--skip-bad")
    assert done.returncode == 0 and "skipped grey.png: a grey image" in done.stderr


@pytest.mark.parametrize("kind", ["--grey", "--colour"])
def test_noisy_images_and_results_may_be_rounded_and_clipped(run_here, setting, colours, kind):
    """Bright and dark images lose noise by clipping; sigma stays that of the noise added."""
    bright = np.clip(colours.astype(int) + 120, 0, 255).astype(np.uint8)
    Image.fromarray(bright).save(setting / "c" / "a.png")
    found = {}
    for noisy in ("float", "8-bit"):
        for results in ("float", "8-bit"):
            options = ("--noisy", noisy, "--results", results, "--save-images", f"{noisy}{results}")
            assert run_here(*COLOUR, *ONCE, kind, *options).returncode == 0
            table = io.load_table(setting / "t.csv", (), ("noisy", "results"))
            assert (table["noisy"][0], table["results"][0]) == (noisy, results)
            names = ("psnr_noisy", "psnr_final", "ssim_final")
            found[noisy, results] = [table[name][0] for name in names]
    image = bright if kind == "--colour" else read_grey(setting / "c" / "a.png")
    saved = np.array(Image.open(setting / "8-bit8-bit" / "a-25-1-noisy.png"))
    assert found["8-bit", "8-bit"][0] == pytest.approx(peak_signal_noise_ratio(image, saved))
    for results in ("float", "8-bit"):
        assert found["8-bit", results][0] > found["float", results][0] + 1
        assert found["8-bit", results][1] != found["float", results][1]
    for noisy in ("float", "8-bit"):
        rounded, exact = found[noisy, "8-bit"], found[noisy, "float"]
        assert rounded[0] == exact[0]
        assert 0 < abs(exact[1] - rounded[1]) < 0.05 and 0 < abs(exact[2] - rounded[2]) < 0.01


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
        (("d.npz", "p", "t.csv", "--examples", "d.npz"), "would overwrite"),
        (("d.npz", "p", "t.csv", "--examples", "x", "--picture", "x"), "two outputs"),
        (("d.npz", "p", "t.csv", "--confidence", "1"), "confidence"),
        (("d.npz", "p", "t.csv", "--rules", "mine"), "--rules"),
        (("d.npz", "p", "t.csv", "--noisy", "16-bit"), "--noisy"),
        (("d.npz", "p", "t.csv", "--colour"), "a grey image"),
    ],
)
def test_usage_errors_are_one_line(refused, setting, arguments, word):
    assert word in refused("ezdl", "denoise", *arguments)
    assert not (setting / "t.csv").exists()
