"""`ezdl info` describes every kind of file."""

import json
import tracemalloc

import numpy as np
import pytest

from ezdl_cli import io

PATCHES = {
    "patch_size": 4,
    "per_image": 600,
    "seed": 11,
    "source": "photos/train",
    "images": [{"name": "a.png"}, {"name": "b.png"}],
    "left_out": ["c.png"],
}
META = {
    "algorithm": "ezdl",
    "parameters": {"sparseness": 0.85, "inference": "topographic", "grid": [2, 6], "x": None},
    "seed": 42,
    "n_epochs": 3,
    "samples_per_epoch": 30000,
    "history": [{"epoch": n, "correlation": 0.5 + n / 10} for n in (1, 2, 3)],
    "samples": {"fingerprint": "f", "n_samples": 1200, **PATCHES},
    "versions": {"ezdl": "0.1.0"},
    "commit": "c0ffee",
    "command": "ezdl train ezdl p.npy d.npz",
}


@pytest.fixture
def facts(run_here):
    """Run `ezdl info` on a file; return the title and the properties by name."""

    def facts_of(path):
        done = run_here("ezdl", "info", path)
        assert (done.returncode, done.stderr) == (0, "")
        first, *lines = done.stdout.splitlines()
        assert first.startswith(f"{path}: ")
        pairs = [line.strip().split("  ", 1) for line in lines]
        # Aligned: all texts start in the same column.
        starts = {
            line.index(text.strip(), len(label) + 2)
            for line, (label, text) in zip(lines, pairs, strict=True)
        }
        assert len(starts) == 1
        return first.removeprefix(f"{path}: "), {label: text.strip() for label, text in pairs}

    return facts_of


def save(path, meta, d=16, matrices=None, run=None):
    W = np.random.default_rng(0).standard_normal((12, d)).astype(np.float32)
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    metadata = io.DictionaryMetadata.from_json({"kind": io.DICTIONARY, **meta})
    dictionary = io.Dictionary(W, metadata, matrices or {})
    if run is None:
        io.save_dictionary(path, dictionary)
    else:
        io.save_checkpoint(path, io.Checkpoint(dictionary, run, {}))


def save_patches(path, n_samples=1200):
    with io.new_patches(path, 16) as writer:
        writer.append(np.zeros((n_samples, 16), np.uint8))
        writer.metadata = io.SampleMetadata(**PATCHES)


def test_dictionary_is_described_with_its_training(facts, tmp_path):
    save(tmp_path / "d.npz", META)
    title, shown = facts("d.npz")
    assert title == "a dictionary"
    assert shown == {
        "atoms": "12 of 4x4 pixels, float32",
        "grid": "2x6",
        "algorithm": "ezdl",
        "parameters": "sparseness 0.85, inference topographic, grid 2x6",
        "n epochs": "3",
        "samples per epoch": "30000",
        "history": "epoch 1, correlation 0.6 to epoch 3, correlation 0.8",
        "seed": "42",
        "samples": "fingerprint f, n_samples 1200, patch_size 4, per_image 600, seed 11, "
        "source photos/train, images 2, left_out c.png",
        "versions": "ezdl 0.1.0",
        "commit": "c0ffee",
        "command": "ezdl train ezdl p.npy d.npz",
    }


def test_checkpoint_shows_completed_epochs(facts, tmp_path):
    save(tmp_path / "d.npz", META | {"history": META["history"][:2]}, run={})
    title, shown = facts("d.npz")
    assert title == "a checkpoint"
    assert shown["n epochs"] == "3" and shown["history"].endswith("epoch 2, correlation 0.7")


def test_dictionary_of_whitened_samples_shows_components(facts, tmp_path):
    matrices = {"whitening": np.ones((5, 9)), "dewhitening": np.ones((9, 5))}
    samples = {"source": "p.npy", "components": 5, "patches": {"n_samples": 7, "patch_size": 3}}
    save(tmp_path / "d.npz", META | {"samples": samples}, 5, matrices)
    _, shown = facts("d.npz")
    assert shown["atoms"] == "12 of 3x3 pixels, float32"
    assert shown["components"] == "5"
    expected = "source p.npy, components 5, patches n_samples 7, patch_size 3"
    assert shown["samples"] == expected


WRONG = {
    "algorithm": 7,
    "parameters": {"grid": ["a", 2]},
    "seed": [1],
    "n_epochs": "many",
    "samples_per_epoch": 1.5,
    "history": 5,
    "samples": {"patch_size": "8"},
    "versions": {"ezdl": 1},
    "commit": [],
    "command": {},
}


@pytest.mark.parametrize("key", META)
def test_metadata_may_be_null_but_not_of_another_type(run_here, refused, tmp_path, key):
    meta = {"kind": io.DICTIONARY, **META}
    for value in (WRONG[key], True):
        content = np.array(json.dumps(meta | {key: value}))
        np.savez(tmp_path / "d.npz", W=np.eye(12, 16), meta=content)
        assert "must be" in refused("ezdl", "info", "d.npz")
    np.savez(tmp_path / "d.npz", W=np.eye(12, 16), meta=np.array(json.dumps(meta | {key: None})))
    assert "12 of 4x4 pixels" in run_here("ezdl", "info", "d.npz").stdout


def test_dictionary_without_metadata_is_described(facts, tmp_path):
    save(tmp_path / "d.npz", {}, d=15)
    assert facts("d.npz") == ("a dictionary", {"atoms": "12 of 15 entries, float32"})


def test_control_characters_in_files_are_escaped(run, tmp_path):
    save(tmp_path / "d.npz", META | {"command": "a\x1b[2Jb\nc" + "d" * 10_000})
    np.savez(tmp_path / "a.npz", **{"\x1b[2Jname": np.ones(3)})
    for name in ("d.npz", "a.npz"):
        lines = run("ezdl", "info", name).stdout.splitlines()
        assert all(line.isprintable() and len(line) < 3000 for line in lines)
    assert lines[1].split() == ["\\x1b[2Jname", "3,", "float64"]


@pytest.mark.parametrize("name", ["p.npy", "p.json"])
def test_store_of_patches_is_described_by_either_file(run, tmp_path, name):
    save_patches(tmp_path / "p.npy")
    lines = run("ezdl", "info", name).stdout.splitlines()
    assert lines[0] == "p.npy: a patch store"
    shown = dict(line.strip().split("  ", 1) for line in lines[1:])
    assert {label: text.strip() for label, text in shown.items()} == {
        "array": "1200 x 16, uint8",
        "n samples": "1200",
        "patch size": "4",
        "per image": "600",
        "seed": "11",
        "source": "photos/train",
        "images": "2",
        "left out": "c.png",
    }


def test_whitened_set_is_described(facts, tmp_path):
    matrices = {"whitening": np.ones((3, 16)), "dewhitening": np.ones((16, 3))}
    patches = io.SampleMetadata(n_samples=7, patch_size=4)
    metadata = io.SampleMetadata(source="p.npy", components=3, patches=patches)
    io.save_whitened(tmp_path / "w.npz", [np.ones((7, 3))], 7, matrices, metadata)
    title, shown = facts("w.npz")
    assert title == "whitened samples"
    assert shown == {
        "whitening": "3 x 16, float64",
        "dewhitening": "16 x 3, float64",
        "samples": "7 x 3, float32",
        "source": "p.npy",
        "components": "3",
        "patches": "n_samples 7, patch_size 4",
    }


def test_arrays_are_described(facts, tmp_path):
    np.save(tmp_path / "a.npy", np.ones((2, 1500), np.int32))
    np.savez_compressed(tmp_path / "b.npz", one=np.ones(3), two=np.float32(1))
    np.savez(tmp_path / "c.npz", W=np.ones((2, 2)), meta=np.array("no JSON"))
    assert facts("a.npy") == ("an array", {"array": "2 x 1500, int32"})
    assert facts("b.npz") == ("2 arrays", {"one": "3, float64", "two": "a scalar, float32"})
    assert facts("c.npz") == ("an array", {"W": "2 x 2, float64"})


def test_large_store_is_not_read(run, tmp_path):
    with open(tmp_path / "big.npy", "wb") as stream:
        header = {"descr": "|u1", "fortran_order": False, "shape": (1 << 34, 16)}
        np.lib.format.write_array_header_1_0(stream, header)
        stream.truncate(stream.tell() + (1 << 38))
    done = run("ezdl", "info", "big.npy")
    assert "17179869184 x 16, uint8" in done.stdout


def test_compressed_samples_are_not_unpacked(run_here, tmp_path):
    np.savez_compressed(tmp_path / "a.npz", samples=np.zeros(1 << 27, np.uint8))
    tracemalloc.start()
    done = run_here("ezdl", "info", "a.npz")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "134217728, uint8" in done.stdout
    assert peak < 1 << 24


@pytest.mark.parametrize("name", ["photos", "photos/manifest.json"])
def test_collection_is_described_by_folder_and_manifest(facts, tmp_path, name):
    (tmp_path / "photos").mkdir()
    sizes = {"train/a.png": (30, 40), "train/b.png": (10, 20), "denoise/c.png": (20, 30)}
    entries = tuple(
        io.ManifestEntry(file=file, sha256="0", width=width, height=height, licence="CC0")
        for file, (width, height) in sizes.items()
    )
    io.save_manifest(tmp_path / "photos", io.Manifest(entries, source="import"))
    assert facts(name) == (
        "an image collection",
        {
            "images": "3",
            "folders": "train 2, denoise 1",
            "pixels": "10x20 to 30x40",
            "source": "import",
            "licences": "CC0",
        },
    )


def test_incomplete_collection_is_marked(facts, tmp_path):
    io.save_manifest(tmp_path, io.Manifest((), incomplete=True))
    _, shown = facts("manifest.json")
    assert shown["state"].startswith("not completed")


def test_table_is_described_by_its_columns(facts, tmp_path):
    table = {"solver": ["a", "b", "a"], "mean": [1.5, np.nan, -2.0]}
    io.save_table(tmp_path / "t.csv", table)
    assert facts("t.csv") == (
        "a table of 3 rows",
        {"solver": "text, 2 distinct", "mean": "numbers, -2 to 1.5"},
    )


def unusable_files():
    return {
        "missing.npy": None,
        "text.txt": b"words",
        "noise.npy": b"noise",
        "noise.npz": b"noise",
        "noise.csv": b"\xff\xfe\x00",
        "empty.csv": b"",
        "lines.csv": b"\n\n",
        "facts.json": json.dumps(PATCHES).encode(),
        "manifest.json": b'{"kind": "something else", "pictures": []}',
        "deep.json": b"[" * 100_000,
    }


@pytest.mark.parametrize("name", unusable_files())
def test_unknown_and_damaged_files_give_one_line(refused, tmp_path, name):
    content = unusable_files()[name]
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert name in refused("ezdl", "info", name)


def test_folder_without_a_manifest_is_refused(refused, tmp_path):
    (tmp_path / "photos").mkdir()
    assert "manifest.json" in refused("ezdl", "info", "photos")


def test_damaged_archives_are_refused(refused, tmp_path):
    save(tmp_path / "d.npz", META)
    content = (tmp_path / "d.npz").read_bytes()
    (tmp_path / "cut.npz").write_bytes(content[: len(content) // 2])
    assert "cut.npz" in refused("ezdl", "info", "cut.npz")
    save(tmp_path / "nan.npz", META, matrices={"dewhitening": np.ones((3, 3))})
    assert "dewhitening" in refused("ezdl", "info", "nan.npz")


def test_objects_are_not_unpickled(refused, tmp_path):
    class Trap:
        def __reduce__(self):
            return open, (str(tmp_path / "sprung"), "w")

    trap = np.array([Trap()], object)
    np.savez(tmp_path / "a.npz", trap=trap)
    np.savez(tmp_path / "b.npz", W=np.ones((2, 4)), meta=trap)
    np.save(tmp_path / "c.npy", trap)
    for name in ("a.npz", "b.npz", "c.npy"):
        assert "objects" in refused("ezdl", "info", name)
    assert not (tmp_path / "sprung").exists()


def test_metadata_of_other_patches_is_refused(refused, tmp_path):
    save_patches(tmp_path / "p.npy")
    np.save(tmp_path / "p.npy", np.zeros((3, 16), np.uint8))
    assert "other patches" in refused("ezdl", "info", "p.npy")
