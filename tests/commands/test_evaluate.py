"""`ezdl evaluate`."""

import json
import os

import numpy as np
import pytest
from PIL import Image
from skimage.metrics import structural_similarity

from ezdl_cli import io

OPTIONS = ("--sparseness", "0.8,0.95", "--iterations", "5,1")


@pytest.fixture
def setting(tmp_path):
    """Two images and a dictionary of random atoms."""
    rng = np.random.default_rng(0)
    (tmp_path / "p" / "sub").mkdir(parents=True)
    for name, shape in (("a.png", (35, 43)), ("sub/b.png", (24, 32))):
        pixels = rng.integers(0, 256, shape, dtype=np.uint8)
        Image.fromarray(pixels).save(tmp_path / "p" / name)
    W = rng.standard_normal((30, 64)).astype(np.float32)
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    metadata = io.DictionaryMetadata(
        algorithm="odl",
        parameters={"alpha": 1.5, "batch_size": 512},
        seed=7,
        samples_per_epoch=500,
        history=[{"epoch": 1}, {"epoch": 2}],
    )
    io.save_dictionary(tmp_path / "d.npz", io.Dictionary(W, metadata))
    return tmp_path


def test_table_agrees_with_the_saved_images(run, setting):
    done = run("ezdl", "evaluate", "d.npz", "p", "t.csv", *OPTIONS, "--save-images", "out")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    table = io.load_table(setting / "t.csv", ("ssim", "psnr", "lambda", "seed", "epoch"))
    assert len(table["ssim"]) == 8
    assert set(table["algorithm"]) == {"odl"} and set(table["lambda"]) == {1.5}
    assert set(table["epoch"]) == {2.0} and set(table["n_atoms"]) == {30.0}
    assert set(table["samples_per_epoch"]) == {500.0}
    assert list(table["iterations"]) == [1, 5] * 4
    for i in range(8):
        name = table["image"][i].removesuffix(".png")
        share, iterations = table["sigma_i"][i], int(table["iterations"][i])
        made = np.array(Image.open(setting / "out" / f"{name}-{share}-{iterations}.png"))
        original = np.array(Image.open(setting / "p" / table["image"][i]))
        original = original[: made.shape[0], : made.shape[1]]
        assert not any(length % 8 for length in made.shape)
        expected = structural_similarity(
            original.astype(float),
            made.astype(float),
            data_range=255,
            gaussian_weights=True,
            sigma=1.5,
            use_sample_covariance=False,
        )
        assert table["ssim"][i] == pytest.approx(expected, abs=1e-9)
    first, second = table["psnr"][0::2], table["psnr"][1::2]
    assert second.mean() > first.mean()


def test_several_dictionaries_give_the_rows_of_each(run_here, refused, setting):
    kept = io.load_dictionary(setting / "d.npz")
    io.save_dictionary(setting / "e.npz", io.Dictionary(kept.W[::-1].copy(), kept.metadata))
    for names in (("d", "e"), ("d",), ("e",)):
        sources = [f"{name}.npz" for name in names]
        done = run_here("ezdl", "evaluate", *sources, "p", f"{''.join(names)}.csv", *OPTIONS)
        assert (done.returncode, done.stderr) == (0, "")
    both, first, second = (
        (setting / f"{name}.csv").read_text().splitlines() for name in ("de", "d", "e")
    )
    assert both == first + second[1:]
    message = refused("ezdl", "evaluate", "d.npz", "e.npz", "p", "t.csv", "--save-images", "out")
    assert "--save-images" in message and "single dictionary" in message


def test_crop_measures_the_central_square(run_here, refused, setting):
    image = np.array(Image.open(setting / "p" / "a.png"))
    (setting / "q").mkdir()
    Image.fromarray(image[9:25, 13:29]).save(setting / "q" / "a.png")
    (setting / "p" / "sub" / "b.png").unlink()
    run_here("ezdl", "evaluate", "d.npz", "p", "cropped.csv", "--crop", "16", *OPTIONS)
    run_here("ezdl", "evaluate", "d.npz", "q", "whole.csv", *OPTIONS)
    run_here("ezdl", "evaluate", "d.npz", "q", "larger.csv", "--crop", "100", *OPTIONS)
    tables = [(setting / f"{name}.csv").read_text() for name in ("cropped", "whole", "larger")]
    assert tables[0] == tables[1] == tables[2]
    message = refused("ezdl", "evaluate", "d.npz", "p", "t.csv", "--crop", "15")
    assert "--crop must be at least 16, not 15" in message


def test_number_of_cores_does_not_change_the_table(run, setting):
    for cores, name in (("0", "one.csv"), ("0-1", "two.csv")):
        command = ("taskset", "-c", cores, "ezdl", "evaluate", "d.npz", "p", name, *OPTIONS)
        done = run(*command)
        assert done.returncode == 0, done.stderr
    assert (setting / "one.csv").read_bytes() == (setting / "two.csv").read_bytes()


def test_unusable_image_is_reported_before_anything_is_computed(run_here, refused, setting):
    (setting / "p" / "c.png").write_bytes(b"not a picture")
    Image.fromarray(np.zeros((1, 1), np.uint8)).save(setting / "p" / "tiny.png")
    command = ("ezdl", "evaluate", "d.npz", "p", "t.csv", *OPTIONS)
    message = refused(*command)
    assert "c.png" in message and "tiny.png" in message and "1 × 1" in message
    assert not (setting / "t.csv").exists()
    done = run_here(*command, "--skip-bad")
    assert done.returncode == 0
    assert "c.png" in done.stderr and "tiny.png" in done.stderr
    assert set(io.load_table(setting / "t.csv")["image"]) == {"a.png", "sub/b.png"}


def test_partial_table_is_saved_if_an_image_disappears(run, setting):
    code = """
import sys
from ezdl_cli import cli
from ezdl_cli.commands import evaluate
read, count = evaluate.read_grey, []
def vanishing(path):
    count.append(path)
    if len(count) > 2:
        path.unlink(missing_ok=True)
    return read(path)
evaluate.read_grey = vanishing
evaluate.in_order = lambda function, items: evaluate.closing(map(function, items))
sys.argv = ["ezdl", "evaluate", "d.npz", "p", "t.csv", "--sparseness", "0.8,0.9,0.95"]
cli.main()
"""
    code = code.replace("evaluate.closing(", "__import__('contextlib').nullcontext(")
    done = run("python", "-c", code)
    assert done.returncode == 2 and "t.partial.csv" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(io.load_table(setting / "t.partial.csv")["ssim"]) == 6
    assert not (setting / "t.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--sparseness", "0.8,1.2"], "1.2 is not in the range"),
        (["--sparseness", "x"], "x"),
        (["--iterations", "0"], "0"),
    ],
)
def test_usage_errors_are_one_line(refused, setting, arguments, word):
    assert word in refused("ezdl", "evaluate", "d.npz", "p", "t.csv", *arguments)


def test_unsuitable_dictionaries_and_images_are_rejected(refused, setting):
    kept = io.load_dictionary(setting / "d.npz")
    io.save_dictionary(setting / "odd.npz", io.Dictionary(kept.W[:, :63], kept.metadata))
    assert "square" in refused("ezdl", "evaluate", "odd.npz", "p", "t.csv")
    matrices = {"whitening": np.eye(64), "dewhitening": np.eye(64)}
    io.save_dictionary(setting / "white.npz", io.Dictionary(kept.W, kept.metadata, matrices))
    assert "whitened" in refused("ezdl", "evaluate", "white.npz", "p", "t.csv")
    large = np.ones((4, 48 * 48), np.float32)
    io.save_dictionary(setting / "large.npz", io.Dictionary(large, kept.metadata))
    assert "48 × 48" in refused("ezdl", "evaluate", "large.npz", "p", "t.csv")
    refused("ezdl", "evaluate", "d.npz", "nowhere", "t.csv")
    refused("ezdl", "evaluate", "nothing.npz", "p", "t.csv")
    assert sorted(os.listdir(setting)) == ["d.npz", "large.npz", "odd.npz", "p", "white.npz"]


def test_inputs_are_never_overwritten(refused, run_here, setting):
    picture, dictionary = setting / "p" / "a.png", setting / "d.npz"
    before = picture.read_bytes(), dictionary.read_bytes()
    for target in ("d.npz", "p/a.png"):
        assert "over" in refused("ezdl", "evaluate", "d.npz", "p", target)
    for folder in ("p", "p/made"):
        command = ("ezdl", "evaluate", "d.npz", "p", "t.csv", "--save-images", folder)
        assert "inside the folder of images" in refused(*command)
    assert (picture.read_bytes(), dictionary.read_bytes()) == before
    assert run_here("ezdl", "evaluate", "d.npz", "p", "t.csv", *OPTIONS).returncode == 0
    table = (setting / "t.csv").read_bytes()
    assert "over" in refused("ezdl", "figure", "odl", "t.csv", "t.pdf")
    assert (setting / "t.csv").read_bytes() == table


def test_metadata_of_dictionaries_is_optional(run_here, setting):
    W = io.load_dictionary(setting / "d.npz").W
    for meta in ({}, {"parameters": None, "history": None}, {"algorithm": None}):
        content = json.dumps({"kind": io.DICTIONARY, **meta})
        np.savez(setting / "d.npz", W=W, meta=np.array(content))
        done = run_here("ezdl", "evaluate", "d.npz", "p", "t.csv", "--iterations", "1")
        assert (done.returncode, done.stderr) == (0, "")


def test_images_with_the_same_output_name_are_rejected(refused, setting):
    pixels = Image.open(setting / "p" / "a.png")
    pixels.save(setting / "p" / "c.jpg")
    pixels.save(setting / "p" / "c.jpg.png")
    command = ("ezdl", "evaluate", "d.npz", "p", "t.csv", "--save-images", "made")
    assert "the same name" in refused(*command)
    assert not (setting / "t.csv").exists()
