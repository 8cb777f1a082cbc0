"""`ezdl train odl` and `ezdl train rls-dla`."""

import os
import sys
from dataclasses import replace

import numpy as np
import pytest

from ezdl_cli import io
from ezdl_cli.commands._shared.resumable_training import ResumableTraining

SMALL = ("--atoms", "24", "--epochs", "4", "--samples-per-epoch", "300")
LEARNERS = {
    "odl": ("--lambda", "0.7", "--batch-size", "64"),
    "rls-dla": ("--nonzeros", "3", "--forgetting", "0.98", "--forgetting-samples", "2000"),
}
each_learner = pytest.mark.parametrize("name", LEARNERS)


@pytest.fixture(autouse=True)
def patches(tmp_path):
    x = np.random.default_rng(0).integers(0, 256, (500, 16), dtype=np.uint8)
    np.save(tmp_path / "p.npy", x)


@each_learner
def test_metadata_suffices_to_train_the_same_dictionary(run, tmp_path, name):
    done = run("ezdl", "train", name, "p.npy", "d.npz", *SMALL, *LEARNERS[name])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    made = io.load_dictionary(tmp_path / "d.npz")
    np.testing.assert_allclose(np.linalg.norm(made.W, axis=1), 1.0, atol=1e-6)
    assert made.metadata.algorithm == name and len(made.metadata.history) == 4
    measure = {"odl": "objective", "rls-dla": "error"}[name]
    first, *_, last = (entry[measure] for entry in made.metadata.history)
    assert 0 < last < first
    before = (tmp_path / "d.npz").read_bytes()
    (tmp_path / "d.npz").unlink()
    again = run("bash", "-c", made.metadata.command)
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "d.npz").read_bytes() == before
    assert name in run("ezdl", "info", "d.npz").stdout


@each_learner
def test_snapshots_are_dictionaries_without_state(run_here, tmp_path, name):
    done = run_here("ezdl", "train", name, "p.npy", "d.npz", *SMALL, "--snapshot-epochs", "1,4")
    assert done.returncode == 0, done.stderr
    last = io.load_dictionary(tmp_path / "d.epoch-0004.npz")
    with np.load(tmp_path / "d.epoch-0004.npz") as file:
        assert set(file) == {"W", "meta"}
    np.testing.assert_array_equal(last.W, io.load_dictionary(tmp_path / "d.npz").W)


@each_learner
@pytest.mark.parametrize("change", ["missing", "shape", "nan"])
def test_checkpoint_with_damaged_state_is_rejected(
    run_here, refused, tmp_path, monkeypatch, name, change
):
    command = ("ezdl", "train", name, "p.npy", "d.npz", *SMALL)
    with monkeypatch.context() as patched:
        patched.setattr(ResumableTraining, "finish", lambda *_: sys.exit(0))
        assert run_here(*command, "--checkpoint-every", "1").returncode == 0
    path = tmp_path / "d.checkpoint.npz"
    stored = io.load_checkpoint(path)
    state = dict(stored.state)
    key = next(iter(state))
    if change == "missing":
        del state[key]
    else:
        state[key] = state[key][:-1] if change == "shape" else state[key] * np.nan
    io.save_checkpoint(path, replace(stored, state=state))
    reason = "not finite" if change == "nan" else "damaged"
    assert reason in refused(*command, "--resume")
    io.save_checkpoint(path, stored)
    assert run_here(*command, "--resume").returncode == 0


@pytest.mark.parametrize(
    ("name", "arguments", "word"),
    [
        ("odl", ["--lambda", "0"], "lambda"),
        ("odl", ["--lambda", "nan"], "nan"),
        ("odl", ["--lambda", "1000"], "--lambda must be smaller: all codes are zero"),
        ("odl", ["--batch-size", "0"], "batch-size"),
        ("rls-dla", ["--nonzeros", "17"], "17"),
        ("rls-dla", ["--nonzeros", "0"], "nonzeros"),
        ("rls-dla", ["--forgetting", "1.5"], "1.5"),
        ("rls-dla", ["--atoms", "501"], "--atoms must be at most 500"),
    ],
)
def test_usage_errors_are_one_line_and_keep_the_existing_file(
    refused, tmp_path, name, arguments, word
):
    (tmp_path / "d.npz").write_text("older")
    assert word in refused("ezdl", "train", name, "p.npy", "d.npz", *SMALL, *arguments)
    assert (tmp_path / "d.npz").read_text() == "older"
    assert sorted(os.listdir(tmp_path)) == ["d.npz", "p.npy"]
