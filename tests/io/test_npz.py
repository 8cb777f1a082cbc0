"""Dictionaries, checkpoints and samples in .npz files."""

import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from ezdl_cli import io
from ezdl_cli.errors import InputError

W = np.eye(4, 9, dtype=np.float32)
PATCHES = io.SampleMetadata(n_samples=5, patch_size=3, images=[{"name": "a"}], left_out=["b"])
METADATA = io.DictionaryMetadata(
    algorithm="ezdl",
    parameters={"sparseness": 0.85, "inference": "rank", "grid": [2, 2]},
    seed=10**30,
    samples=io.SampleMetadata(fingerprint="f", components=2, patches=PATCHES),
    history=[{"epoch": 1, "correlation": 0.5}],
)
MATRICES = {"whitening": np.ones((9, 4)), "dewhitening": np.ones((16, 9))}


def test_dictionary_is_read_as_written(tmp_path):
    io.save_dictionary(tmp_path / "d.npz", io.Dictionary(W, METADATA, MATRICES))
    found = io.load_dictionary(tmp_path / "d.npz")
    np.testing.assert_array_equal(found.W, W)
    assert found.metadata == METADATA and found.metadata.epochs_done == 1
    assert found.matrices.keys() == MATRICES.keys() and found.grid == (2, 2)
    assert found.pixels.shape == (4, 16)


def test_same_dictionary_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        io.save_dictionary(tmp_path / f"{name}.npz", io.Dictionary(W, METADATA))
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_checkpoint_restores_the_arrays_of_a_learner(tmp_path):
    state = {"A": np.arange(3.0), "count": np.array(7)}
    io.save_checkpoint(
        tmp_path / "c.npz", io.Checkpoint(io.Dictionary(W, METADATA), {"seed": 1}, state)
    )
    found = io.load_checkpoint(tmp_path / "c.npz")
    assert found.run == {"seed": 1}
    own_W, own = np.zeros_like(W), {"A": np.zeros(3), "count": np.array(0)}
    found.restore(own_W, own)
    np.testing.assert_array_equal(own_W, W)
    np.testing.assert_array_equal(own["A"], state["A"])
    with pytest.raises(ValueError, match="arrays"):
        found.restore(own_W, {"A": np.zeros(3, np.float32), "count": np.array(0)})


def test_dictionary_and_checkpoint_are_told_apart(tmp_path):
    dictionary = io.Dictionary(W, METADATA)
    io.save_dictionary(tmp_path / "d.npz", dictionary)
    io.save_checkpoint(tmp_path / "c.npz", io.Checkpoint(dictionary, {}, {}))
    with pytest.raises(InputError, match="it is an ezdl checkpoint"):
        io.load_dictionary(tmp_path / "c.npz")
    with pytest.raises(InputError, match="it is an ezdl dictionary"):
        io.load_checkpoint(tmp_path / "d.npz")


@pytest.mark.parametrize("history", [None, [], [{"epoch": 2}], [{"epoch": 1}, {"epoch": 3}]])
def test_checkpoint_with_missing_epochs_is_refused(tmp_path, history):
    dictionary = io.Dictionary(W, replace(METADATA, history=history))
    io.save_checkpoint(tmp_path / "c.npz", io.Checkpoint(dictionary, {}, {}))
    with pytest.raises(InputError, match="epochs"):
        io.load_checkpoint(tmp_path / "c.npz")


def test_metadata_without_images_has_no_lists():
    short = METADATA.samples.without_images()
    assert short.patches == replace(PATCHES, images=None, left_out=None)
    assert short.to_json() == {
        "fingerprint": "f",
        "components": 2,
        "patches": {"n_samples": 5, "patch_size": 3},
    }


def test_compressed_dictionary_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    meta = np.array(json.dumps({"kind": io.DICTIONARY}))
    np.savez_compressed(tmp_path / "d.npz", W=np.zeros((100, 100)), meta=meta)
    monkeypatch.setattr(io.npz, "MAX_BYTES", 10_000)
    with pytest.raises(InputError, match="too large"):
        io.load_dictionary(tmp_path / "d.npz")


def test_array_that_is_longer_than_its_member_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        np.save(tmp_path / "a.npy", np.zeros((10, 10)))
        archive.writestr("samples.npy", (tmp_path / "a.npy").read_bytes()[:-8])
        archive.writestr("rest", bytes(1000))
    for read in (io.list_arrays, lambda path: io.open_samples(path).__enter__()):
        with pytest.raises(InputError, match="truncated"):
            read(tmp_path / "a.npz")
