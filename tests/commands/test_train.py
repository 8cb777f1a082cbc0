"""`ezdl train`: results, checkpoints and rejected input."""

import json
import os
import sys
from dataclasses import replace

import numpy as np
import pytest

from ezdl_cli import io
from ezdl_cli.commands._shared.resumable_training import ResumableTraining

SMALL = ("--atoms", "16", "--epochs", "6", "--samples-per-epoch", "200")


@pytest.fixture
def patches(tmp_path):
    x = np.random.default_rng(0).integers(0, 256, (500, 16), dtype=np.uint8)
    np.save(tmp_path / "p.npy", x)
    return x


def train(run, *arguments, code=0, **options):
    done = run("ezdl", "train", "ezdl", "p.npy", *arguments, **options)
    assert (done.returncode, done.stdout) == (code, ""), done.stderr
    return done


def test_metadata_suffices_to_train_the_same_dictionary(run, patches, tmp_path):
    train(run, "d.npz", *SMALL, "--inference", "topographic", "--grid", "4x4", "--seed", "3")
    made = io.load_dictionary(tmp_path / "d.npz")
    assert made.W.shape == (16, 16) and made.W.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(made.W, axis=1), 1.0, atol=1e-6)
    assert made.metadata.algorithm == "ezdl" and made.metadata.seed == 3
    assert made.metadata.parameters["grid"] == [4, 4]
    assert [entry["epoch"] for entry in made.metadata.history] == [1, 2, 3, 4, 5, 6]
    assert all(0.0 < entry["correlation"] < 1.0 for entry in made.metadata.history)
    first = (tmp_path / "d.npz").read_bytes()
    (tmp_path / "d.npz").unlink()
    done = run("bash", "-c", made.metadata.command)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "d.npz").read_bytes() == first


def test_default_grid_is_recorded(run_here, patches, tmp_path):
    train(run_here, "d.npz", "--atoms", "12", *SMALL[2:], "--inference", "rank")
    assert io.load_dictionary(tmp_path / "d.npz").grid == (3, 4)


def test_number_of_threads_does_not_change_the_dictionary(run, patches, tmp_path):
    train(run, "one.npz", *SMALL, env={"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})
    train(run, "two.npz", *SMALL, env={"OPENBLAS_NUM_THREADS": "2"})
    one, two = (io.load_dictionary(tmp_path / f"{name}.npz").W for name in ("one", "two"))
    np.testing.assert_array_equal(one, two)


def test_dictionary_of_whitened_samples_has_their_matrices(run_here, patches, tmp_path):
    assert run_here("ezdl", "whiten", "p.npy", "w.npz", "--components", "9").returncode == 0
    done = run_here("ezdl", "train", "ezdl", "w.npz", "d.npz", *SMALL)
    assert done.returncode == 0, done.stderr
    made = io.load_dictionary(tmp_path / "d.npz")
    assert made.W.shape == (16, 9) and made.pixels.shape == (16, 16)


def test_snapshots_are_dictionaries_of_their_epochs(run_here, patches, tmp_path):
    train(run_here, "d.npz", *SMALL, "--snapshot-epochs", "1,4,6")
    assert {path.name for path in tmp_path.glob("d*")} == {
        "d.npz",
        "d.epoch-0001.npz",
        "d.epoch-0004.npz",
        "d.epoch-0006.npz",
    }
    last = io.load_dictionary(tmp_path / "d.epoch-0006.npz")
    np.testing.assert_array_equal(last.W, io.load_dictionary(tmp_path / "d.npz").W)
    assert len(io.load_dictionary(tmp_path / "d.epoch-0004.npz").metadata.history) == 4


def test_checkpoint_of_another_run_is_rejected(run_here, refused, patches, tmp_path):
    train(run_here, "d.npz", *SMALL)
    made = io.load_dictionary(tmp_path / "d.npz")
    io.save_checkpoint(tmp_path / "d.checkpoint.npz", io.Checkpoint(made, {"seed": 7}, {}))
    before = (tmp_path / "d.npz").read_bytes()
    command = ("ezdl", "train", "ezdl", "p.npy", "d.npz", *SMALL, "--resume")
    assert "another run" in refused(*command)
    (tmp_path / "d.checkpoint.npz").write_bytes(before[:500])
    assert "d.checkpoint.npz" in refused(*command)
    (tmp_path / "d.checkpoint.npz").write_bytes(before)
    assert "d.checkpoint.npz" in refused(*command)
    assert (tmp_path / "d.npz").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--sparseness", "1.5"], "1.5"),
        (["--sparseness", "nan"], "nan"),
        (["--inference", "topographic", "--grid", "5x5"], "5x5"),
        (["--inference", "topographic", "--grid", "5by5"], "5by5"),
        (["--inference", "rank", "--code-rank", "9"], "rank"),
        (["--atom-rank", "5"], "rank"),
        (["--atom-sparseness", "0"], "0"),
        (["--atoms", "501"], "--atoms must be at most 500"),
        (["--step-size", "-1"], "-1"),
        (["--snapshot-epochs", "1,x"], "--snapshot-epochs"),
    ],
)
def test_usage_errors_are_one_line_and_keep_the_existing_file(
    refused, patches, tmp_path, arguments, word
):
    (tmp_path / "d.npz").write_text("older")
    assert word in refused("ezdl", "train", "ezdl", "p.npy", "d.npz", *SMALL, *arguments)
    assert (tmp_path / "d.npz").read_text() == "older"
    assert sorted(os.listdir(tmp_path)) == ["d.npz", "p.npy"]


def test_unsuitable_samples_are_rejected(refused, tmp_path):
    x = np.ones((50, 10))
    command = ("ezdl", "train", "ezdl", "p.npy", "d.npz", *SMALL)
    np.save(tmp_path / "p.npy", x)
    assert "square" in refused(
        "ezdl", "train", "ezdl", "p.npy", "d.npz", *SMALL, "--atom-rank", "1"
    )
    x[7, 3] = np.nan
    np.save(tmp_path / "p.npy", x)
    assert "row 7" in refused(*command)
    (tmp_path / "p.json").write_text(json.dumps({"patch_size": 3, "n_samples": 50}))
    assert "p.json" in refused(*command)
    refused("ezdl", "train", "ezdl", "p.npy", "d.txt", *SMALL)
    refused("ezdl", "train", "ezdl", "nowhere.npy", "d.npz", *SMALL)
    assert not (tmp_path / "d.npz").exists()


def test_samples_are_never_overwritten(run_here, refused, patches, tmp_path):
    assert run_here("ezdl", "whiten", "p.npy", "w.npz", "--components", "9").returncode == 0
    whitened = (tmp_path / "w.npz").read_bytes()
    for name, options in (
        ("d.npz", ()),
        ("d.checkpoint.npz", ("--checkpoint-every", "1")),
        ("d.epoch-0002.npz", ("--snapshot-epochs", "2")),
    ):
        (tmp_path / name).write_bytes(whitened)
        command = ("ezdl", "train", "ezdl", name, "d.npz", *SMALL, *options)
        assert "overwrite the samples" in refused(*command)
        assert (tmp_path / name).read_bytes() == whitened
    train(run_here, "d.npz", *SMALL)
    assert (tmp_path / "d.checkpoint.npz").read_bytes() == whitened


@pytest.mark.parametrize("change", ["history", "epochs", "double", "long"])
def test_damaged_checkpoint_is_rejected(run_here, refused, patches, tmp_path, monkeypatch, change):
    arguments = ("d.npz", *SMALL, "--checkpoint-every", "1", "--resume")
    with monkeypatch.context() as patched:
        patched.setattr(ResumableTraining, "finish", lambda *_: sys.exit(0))
        train(run_here, *arguments)
    stored = io.load_checkpoint(tmp_path / "d.checkpoint.npz")
    W, metadata = stored.dictionary.W, stored.dictionary.metadata
    if change == "double":
        W = W.astype(np.float64)
    elif change == "long":
        W = 2 * W
    else:
        history = {"history": None, "epochs": metadata.history[1:]}[change]
        metadata = replace(metadata, history=history)
    damaged = replace(stored, dictionary=io.Dictionary(W, metadata))
    io.save_checkpoint(tmp_path / "d.checkpoint.npz", damaged)
    message = refused("ezdl", "train", "ezdl", "p.npy", *arguments)
    reason = {"double": "arrays", "long": "longer than one"}.get(change, "epochs are incomplete")
    assert reason in message and "without --resume" in message


def test_snapshot_of_epoch_zero_is_the_initial_dictionary(run_here, patches, tmp_path):
    train(run_here, "d.npz", *SMALL, "--snapshot-epochs", "0,1")
    train(run_here, "e.npz", *SMALL[:2], "--epochs", "1", *SMALL[4:], "--snapshot-epochs", "0")
    begin, first = (io.load_dictionary(tmp_path / f"d.epoch-000{i}.npz") for i in (0, 1))
    assert begin.metadata.history == [] and len(first.metadata.history) == 1
    np.testing.assert_allclose(np.linalg.norm(begin.W, axis=1), 1.0, atol=1e-6)
    assert np.abs(begin.W - first.W).max() > 1e-3
    other = io.load_dictionary(tmp_path / "e.epoch-0000.npz")
    np.testing.assert_array_equal(other.W, begin.W)


def test_discard_other_replaces_an_unusable_checkpoint(run_here, patches, tmp_path):
    train(run_here, "d.npz", *SMALL)
    expected = (tmp_path / "d.npz").read_bytes()
    made = io.load_dictionary(tmp_path / "d.npz")
    io.save_checkpoint(tmp_path / "d.checkpoint.npz", io.Checkpoint(made, {"seed": 7}, {}))
    train(run_here, "d.npz", *SMALL, "--resume", "--discard-other", "--snapshot-epochs", "0")
    assert (tmp_path / "d.npz").read_bytes() == expected
    assert sorted(os.listdir(tmp_path)) == ["d.epoch-0000.npz", "d.npz", "p.npy"]
    (tmp_path / "d.checkpoint.npz").write_bytes(b"damaged")
    train(run_here, "d.npz", *SMALL, "--resume", "--discard-other")
    assert (tmp_path / "d.npz").read_bytes() == expected
    assert not (tmp_path / "d.checkpoint.npz").exists()
