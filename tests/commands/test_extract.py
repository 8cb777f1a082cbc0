"""`ezdl extract` and `ezdl whiten`."""

import json
import os
import shutil

import numpy as np
import pytest
from PIL import Image

from ezdl_cli import io


def write_images(folder, names, shape=(40, 50)):
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        rng = np.random.default_rng([*name.encode()])
        pixels = rng.integers(0, 256, shape, dtype=np.uint8)
        (folder / name).parent.mkdir(exist_ok=True)
        Image.fromarray(pixels).save(folder / name)


def extract(run, *arguments):
    done = run("ezdl", "extract", *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_patches_are_stored_with_their_origin(run, tmp_path):
    write_images(tmp_path / "photos", ["a.png", "b.tif", "sub/c.bmp"])
    extract(run, "photos", "p.npy", "--patch-size", "6", "--per-image", "70", "--seed", "5")
    patches = np.load(tmp_path / "p.npy")
    assert patches.shape == (210, 36) and patches.dtype == np.uint8
    facts = json.loads((tmp_path / "p.json").read_text())
    assert (facts["patch_size"], facts["seed"], facts["n_samples"]) == (6, 5, 210)
    assert [image["name"] for image in facts["images"]] == ["a.png", "b.tif", "sub/c.bmp"]
    assert [image["patches"] for image in facts["images"]] == [70, 70, 70]
    with io.open_samples(tmp_path / "p.npy") as stored:
        assert stored.metadata.to_json() == facts and stored.array.shape == patches.shape
    assert sorted(os.listdir(tmp_path)) == ["p.json", "p.npy", "photos"]


def test_patches_of_an_image_do_not_depend_on_other_images(run_here, tmp_path):
    names = ["c.png", "a.png", "b.png"]
    write_images(tmp_path / "one", names)
    write_images(tmp_path / "two", names[::-1])
    write_images(tmp_path / "more", [*names, "aa.png"])
    for folder in ("one", "two", "more"):
        extract(run_here, folder, f"{folder}.npy", "--per-image", "50")
    extract(run_here, "one", "again.npy", "--per-image", "50")
    one = (tmp_path / "one.npy").read_bytes()
    assert one == (tmp_path / "two.npy").read_bytes() == (tmp_path / "again.npy").read_bytes()
    more = np.load(tmp_path / "more.npy").reshape(4, 50, -1)
    np.testing.assert_array_equal(more[[0, 2, 3]].reshape(150, -1), np.load(tmp_path / "one.npy"))
    extract(run_here, "one", "other.npy", "--per-image", "50", "--seed", "1")
    assert (np.load(tmp_path / "other.npy") != np.load(tmp_path / "one.npy")).any()


def test_usable_and_unusable_images_are_named(run_here, refused, tmp_path):
    folder = tmp_path / "photos"
    write_images(folder, ["good.png", "z.png"])
    write_images(folder, ["small.png"], shape=(5, 70))
    Image.fromarray(np.full((30, 30), 9, np.uint8)).save(folder / "constant.png")
    (folder / "text.png").write_text("a line of text")
    (tmp_path / "p.npy").write_text("older")
    message = refused("ezdl", "extract", "photos", "p.npy")
    bad, good = message.split("usable:")
    assert all(name in bad for name in ("small.png", "constant.png", "text.png", "3 of 5"))
    assert "good.png" in good and "z.png" in good
    assert (tmp_path / "p.npy").read_text() == "older"
    assert sorted(os.listdir(tmp_path)) == ["p.npy", "photos"]
    done = run_here("ezdl", "extract", "photos", "p.npy", "--skip-bad", "--per-image", "10")
    assert done.returncode == 0 and done.stderr.count("skipped") == 3
    assert np.load(tmp_path / "p.npy").shape == (20, 64)


@pytest.mark.parametrize(
    "arguments",
    [
        ["photos", "p.npy", "--per-image", "0"],
        ["photos", "p.npy", "--patch-size", "1"],
        ["photos", "p.txt"],
        ["photos", "no/p.npy"],
        ["photos", "photos"],
        ["empty", "p.npy"],
        ["nowhere", "p.npy"],
        ["photos/b.png", "p.npy"],
        ["sets", "p.npy"],
        ["photos/a.png", "photos/a.png"],
        ["photos/a.png", "photos/a.npy", "--patch-size", "99"],
        ["photos/a.png"],
    ],
)
def test_usage_errors_are_one_line(refused, tmp_path, arguments):
    write_images(tmp_path / "photos", ["a.png"])
    (tmp_path / "empty").mkdir()
    for name in ("train", "reproduce", "denoise"):
        write_images(tmp_path / "sets" / name, ["a.png"])
    refused("ezdl", "extract", *arguments)
    assert sorted(os.listdir(tmp_path)) == ["empty", "photos", "sets"]


def test_single_images_give_the_patches_that_their_folder_gives(run_here, tmp_path):
    write_images(tmp_path / "photos", ["a.png", "b.png", "sub/c.bmp"])
    (tmp_path / "photos" / "a.png").rename(tmp_path / "photos" / "a.unknown")
    extract(run_here, "photos", "folder.npy", "--per-image", "50")
    files = ("photos/a.unknown", "photos/b.png", "photos/sub/c.bmp")
    extract(run_here, *files, "files.npy", "--per-image", "50")
    patches = np.load(tmp_path / "files.npy")
    assert patches.shape == (150, 64)
    np.testing.assert_array_equal(patches[50:100], np.load(tmp_path / "folder.npy")[:50])
    facts = json.loads((tmp_path / "files.json").read_text())
    assert [image["name"] for image in facts["images"]] == ["a.unknown", "b.png", "c.bmp"]
    assert facts["source"] == ", ".join(files)
    extract(run_here, "photos/sub", "photos/b.png", "mixed.npy", "--per-image", "50")
    np.testing.assert_array_equal(np.load(tmp_path / "mixed.npy")[50:], patches[50:100])


def test_single_images_record_the_manifest_of_their_collection(run_here, tmp_path):
    write_images(tmp_path / "mine", ["train/a.png", "train/b.png"])
    assert run_here("ezdl", "images", "import", "mine", "photos").returncode == 0
    checksums = []
    for sources in (["photos/train"], ["photos/train/a.png", "photos/train/b.png"]):
        extract(run_here, *sources, "p.npy", "--per-image", "5")
        checksums.append(json.loads((tmp_path / "p.json").read_text())["manifest_sha256"])
    assert checksums[0] == checksums[1]
    extract(run_here, "photos/train/a.png", "mine/train/b.png", "p.npy", "--per-image", "5")
    assert "manifest_sha256" not in json.loads((tmp_path / "p.json").read_text())


def test_single_images_are_refused_like_those_in_folders(run_here, refused, tmp_path):
    write_images(tmp_path, ["a.png"])
    write_images(tmp_path / "other", ["a.png"])
    (tmp_path / "text.png").write_text("a line of text")
    shutil.make_archive(tmp_path / "photos", "zip", tmp_path / "other")
    message = refused("ezdl", "extract", "text.png", "p.npy")
    assert "no usable image: text.png: not an image (TIFF, JPEG, PNG, " in message
    assert "1 of 2 images" in refused("ezdl", "extract", "a.png", "text.png", "p.npy")
    assert "a.png and other/a.png" in refused("ezdl", "extract", "a.png", "other", "p.npy")
    assert "ezdl images import" in refused("ezdl", "extract", "photos.zip", "p.npy")
    os.mkfifo(tmp_path / "pipe.png")
    assert "not a regular file" in refused("ezdl", "extract", "pipe.png", "p.npy")
    skipping = ("a.png", "text.png", "p.npy", "--skip-bad", "--per-image", "5")
    done = run_here("ezdl", "extract", *skipping)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1) and "text.png" in done.stderr


def test_first_of_several_pages_or_frames_is_used_with_a_message(run_here, tmp_path):
    write_images(tmp_path, ["a.png", "b.png"])
    first, second = (Image.open(tmp_path / name) for name in ("a.png", "b.png"))
    first.save(tmp_path / "scan.tif", save_all=True, append_images=[second, second])
    first.save(tmp_path / "film.webp", save_all=True, append_images=[second], lossless=True)
    extract(run_here, "a.png", "b.png", "single.npy", "--per-image", "5")
    done = run_here("ezdl", "extract", "scan.tif", "b.png", "p.npy", "--per-image", "5")
    assert (done.returncode, done.stderr) == (0, "ezdl: scan.tif: used the first of 3 pages\n")
    expected = (
        "ezdl: used only the first picture of 2 files: film.webp (2 frames), scan.tif (3 pages)\n"
    )
    for command in (["extract"], ["images", "import"]):
        name = "p.npy" if command == ["extract"] else "photos"
        done = run_here("ezdl", *command, "film.webp", "scan.tif", name)
        assert (done.returncode, done.stderr) == (0, expected)
    for name in ("film.png", "scan.png"):
        with Image.open(tmp_path / "photos" / name) as image:
            np.testing.assert_array_equal(np.asarray(image), np.asarray(first))


def test_full_disk_leaves_no_file(refused, tmp_path):
    write_images(tmp_path / "photos", ["a.png"])
    limited = "trap '' XFSZ; ulimit -f 4; exec ezdl extract photos p.npy"
    refused("bash", "-c", limited, code=1)
    assert os.listdir(tmp_path) == ["photos"]
    refused("ezdl", "extract", "photos", "p.npy", "--per-image", "1000000000000000", code=1)
    assert os.listdir(tmp_path) == ["photos"]


def test_only_json_of_patches_is_replaced(run_here, refused, tmp_path):
    write_images(tmp_path / "photos", ["a.png"])
    (tmp_path / "p.json").write_text('{"my": "settings"}')
    assert "p.json" in refused("ezdl", "extract", "photos", "p.npy")
    assert (tmp_path / "p.json").read_text() == '{"my": "settings"}'
    assert sorted(os.listdir(tmp_path)) == ["p.json", "photos"]
    (tmp_path / "p.json").unlink()
    extract(run_here, "photos", "p.npy", "--per-image", "10")
    extract(run_here, "photos", "p.npy", "--per-image", "20")
    assert np.load(tmp_path / "p.npy").shape == (20, 64)


def test_termination_leaves_no_file(run, tmp_path):
    write_images(tmp_path / "photos", [f"{i}.png" for i in range(30)], shape=(600, 600))
    script = """
ezdl extract photos p.npy --per-image 200000 &
until ls .ezdl-*.tmp > names 2> /dev/null; do sleep 0.01; done
kill $!; wait $!
"""
    done = run("bash", "-c", script)
    assert done.returncode == 143, done.stderr
    assert sorted(os.listdir(tmp_path)) == ["names", "photos"]


def test_whitened_samples_and_matrices_are_stored(run, tmp_path):
    write_images(tmp_path / "photos", ["a.png", "b.png"])
    extract(run, "photos", "p.npy", "--per-image", "500")
    done = run("ezdl", "whiten", "p.npy", "w.npz", "--components", "20")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with np.load(tmp_path / "w.npz", allow_pickle=False) as file:
        z = file["samples"].astype(np.float64)
        x = np.load(tmp_path / "p.npy").astype(np.float64)
        np.testing.assert_allclose((x - file["mean"]) @ file["whitening"].T, z, atol=1e-4)
        projector = file["dewhitening"] @ file["whitening"]
        assert json.loads(str(file["meta"]))["patches"]["patch_size"] == 8
    np.testing.assert_allclose(z.mean(axis=0), 0.0, atol=1e-4)
    np.testing.assert_allclose(z.T @ z / len(z), np.eye(20), atol=1e-3)
    np.testing.assert_allclose(projector @ projector, projector, atol=1e-12)
    np.testing.assert_allclose(np.trace(projector), 20.0)
    assert run("ezdl", "whiten", "w.npz", "again.npz").returncode == 0
    with np.load(tmp_path / "again.npz", allow_pickle=False) as file:
        assert file["samples"].shape == (1000, 10)
    first = (tmp_path / "w.npz").read_bytes()
    run("taskset", "-c", "0", "ezdl", "whiten", "p.npy", "w.npz", "--components", "20")
    assert (tmp_path / "w.npz").read_bytes() == first


def test_samples_that_cannot_be_whitened_are_rejected_in_one_line(refused, tmp_path):
    np.save(tmp_path / "few.npy", np.eye(5, 9))
    assert "components" in refused("ezdl", "whiten", "few.npy", "w.npz", "--components", "8")
    assert "components" in refused("ezdl", "whiten", "few.npy", "w.npz", "--components", "9")
    refused("ezdl", "whiten", "few.npy", "w.npz", "--components", "0")
    refused("ezdl", "whiten", "few.npy", "w.npy", "--components", "2")
    bad = np.ones((5, 9))
    bad[3] = np.nan
    np.save(tmp_path / "few.npy", bad)
    assert "row 3" in refused("ezdl", "whiten", "few.npy", "w.npz", "--components", "2")
    (tmp_path / "few.npz").write_bytes(b"PK\x03\x04 no archive")
    refused("ezdl", "whiten", "few.npz", "w.npz", "--components", "2")
    np.savez(tmp_path / "few.npz", a=bad, b=bad)
    assert "samples" in refused("ezdl", "whiten", "few.npz", "w.npz", "--components", "2")
    np.save(tmp_path / "few.npy", np.eye(5, 9))
    (tmp_path / "few.json").write_text('{"n_samples": 7, "patch_size": 3}')
    assert "few.json" in refused("ezdl", "whiten", "few.npy", "w.npz", "--components", "2")
    assert sorted(os.listdir(tmp_path)) == ["few.json", "few.npy", "few.npz"]


def test_a_picture_cannot_be_given_twice(refused, tmp_path):
    (tmp_path / "photos" / "sub").mkdir(parents=True)
    Image.fromarray(np.zeros((20, 20), np.uint8)).save(tmp_path / "photos" / "sub" / "a.png")
    for sources in (["photos/sub/a.png"] * 2, ["photos", "photos/sub/a.png"]):
        message = refused("ezdl", "extract", *sources, "patches.npy")
        assert "photos/sub/a.png: is given twice" in message
    assert not (tmp_path / "patches.npy").exists()
